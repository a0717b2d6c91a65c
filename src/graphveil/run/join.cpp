#include "graphveil/run/join.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "graphveil/account/event.h"
#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/run/reserve.h"
#include "graphveil/run/totals.h"

namespace graphveil::run {
namespace {

// Whether a line is a sum over so many neighbors behind Gaussian noise, of everybody's records.
bool is_neighbor_sum(const mechanism::PlanLine& line, int64_t messages) {
  const auto* sum = std::get_if<bound::source::NeighborSum>(&line.source());
  const auto* single = std::get_if<account::Single>(&line.event.body());
  return sum != nullptr && sum->messages == messages && single != nullptr && line.norm() == bound::Norm::L2 &&
         std::holds_alternative<account::Gaussian>(single->mechanism) &&
         std::holds_alternative<account::NoSampling>(single->sampling);
}

}  // namespace

std::optional<std::string> why_no_joining(const artifact::Certificate& c, const mechanism::Plan& asking) {
  if (!c.valid()) return "its certificate is no proof";
  const Covered training = covered(c);
  if (c.relation != bound::Relation::Node || training.predictions != bound::Relation::Node || !training.degree) {
    return fmt::format(
        "it is proved for relation node at a degree, where predictions are covered too; this run is "
        "covered under {}",
        bound::name(training.predictions));
  }
  if (c.plan.record_rate() != 1 || c.plan.trials()) return "the run read a sample of the records, or was a search";
  const mechanism::Plan trained = training_part(c.plan);
  for (const mechanism::PlanLine& line : asking.lines()) {
    const bool released = std::find(trained.lines().begin(), trained.lines().end(), line) != trained.lines().end();
    if (!released || !is_neighbor_sum(line, *training.degree)) {
      return fmt::format("'{}' is no sum over neighbors with Gaussian noise that the training released too",
                         line.event.label());
    }
  }
  return std::nullopt;
}

std::set<std::string> known_people(const std::string& trained, std::span<const budget::Spending> entries) {
  const std::vector<std::string> ids = artifact::prediction_ids(trained);
  std::set<std::string> out(ids.begin(), ids.end());
  for (const budget::Spending& entry : entries) out.insert(entry.joined.begin(), entry.joined.end());
  return out;
}

Newcomers newcomers(const graph::Dataset& data, const std::set<std::string>& known) {
  Newcomers out;
  for (int64_t v = 0; v < data.nodes(); ++v) {
    std::string id = data.ids.empty() ? std::to_string(v) : std::string(data.ids[v]);
    if (known.count(id) > 0) continue;
    out.places.push_back(static_cast<int32_t>(v));
    out.ids.push_back(std::move(id));
  }
  return out;
}

graph::Graph edges_into(const graph::Graph& graph, std::span<const int32_t> places) {
  std::vector<bool> kept(static_cast<size_t>(graph.nodes()), false);
  for (const int32_t v : places) kept[static_cast<size_t>(v)] = true;
  std::vector<int32_t> sources, targets;
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    for (const int32_t v : graph.out(u)) {
      if (!kept[static_cast<size_t>(v)]) continue;
      sources.push_back(static_cast<int32_t>(u));
      targets.push_back(v);
    }
  }
  return graph::Graph::from_edges(graph.nodes(), sources, targets);
}

}  // namespace graphveil::run
