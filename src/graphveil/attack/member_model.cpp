#include "graphveil/attack/member_model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/run/train.h"

namespace graphveil::attack {
namespace {

graph::Split labeled(const graph::Dataset& data) {
  graph::Split split;
  for (int32_t v = 0; v < data.nodes(); ++v) {
    if (data.labels[v] != graph::kUnlabeled) split.train.push_back(v);
  }
  return split;
}

}  // namespace

MemberModels::MemberModels(const run::Experiment& experiment, const Candidates& candidates, int64_t members)
    : experiment_(experiment), candidates_(candidates) {
  const method::Method& method = experiment.method();
  require(members >= 1, "an attack wants members");
  require(method.wants_public_graph() == candidates.public_data.has_value(), "{} {} a public graph",
          method.describe().name, method.wants_public_graph() ? "wants" : "takes no");
  people_ = method.prepare(candidates.people);
  method::PublicFacts facts{members, members, candidates.people.features.cols(), candidates.people.classes, 0};
  if (candidates.public_data) {
    graph::Dataset prepared = method.prepare(*candidates.public_data);
    public_graph_ = method.reads_public_labels() ? std::move(prepared) : graph::without_labels(prepared);
    // The first half of the public nodes may be given labels; the others are asked about.
    for (int32_t v = 0; v < public_graph_->nodes() / 2; ++v) pool_.push_back(v);
    facts.public_pool = static_cast<int64_t>(pool_.size());
  }
  prepared_ = run::prepare(experiment, run::chosen_relation(experiment, candidates.people.graph.symmetric()), facts);
}

MemberModel MemberModels::train(const std::vector<int32_t>& members, const Seed& seed) const {
  const method::Method& method = experiment_.method();
  run::Parts parts;
  parts.data = method.prepare(graph::induced_subgraph(candidates_.people, members));
  parts.split = labeled(parts.data);
  parts.public_graph = public_graph_;
  parts.evaluated = public_graph_ ? *public_graph_ : parts.data;
  if (public_graph_) parts.evaluated_split.train = pool_;
  const run::Trained trained = run::train_once(prepared_, parts, seed);

  const mechanism::Plan plan = method.inference_plan(prepared_.noise, prepared_.setting);
  mechanism::Release release =
      prepared_.is_private()
          ? mechanism::Release::open(prepared_.setting.relation, plan,
                                     {std::numeric_limits<double>::infinity(), prepared_.delta}, seed.derived("asking"))
          : mechanism::Release::clear(prepared_.setting.relation, plan);
  const graph::Split everybody = labeled(people_);
  method::Task task{.data = people_,
                    .split = everybody,
                    .relation = prepared_.setting.relation,
                    .protect_degree = prepared_.setting.protect_degree,
                    .seed = seed.derived("asking")};
  if (public_graph_) task.public_graph.emplace(method::PublicGraph{*public_graph_, parts.evaluated_split});
  MemberModel out;
  out.people = method::values(method.infer(trained.output.model.value(), task, release)).clone();
  if (public_graph_) {
    out.public_nodes = method::values(trained.output.predictions).clone();
    out.pool = pool_;
  }
  return out;
}

std::vector<int32_t> candidates_of(const graph::Dataset& people, std::optional<int64_t> shots) {
  std::vector<int32_t> out;
  std::vector<int64_t> taken(static_cast<size_t>(people.classes), 0);
  for (int32_t v = 0; v < people.nodes(); ++v) {
    const int32_t y = people.labels[v];
    if (y == graph::kUnlabeled) continue;
    if (shots && taken[static_cast<size_t>(y)]++ >= 2 * *shots) continue;
    out.push_back(v);
  }
  return out;
}

std::vector<int32_t> random_members(const graph::Dataset& people, const std::vector<int32_t>& candidates,
                                    std::optional<int64_t> shots, const Seed& seed) {
  std::vector<int32_t> order = candidates, out;
  RandomStream random(seed, "members");
  random.shuffle(std::span(order));
  if (!shots) {
    out.assign(order.begin(), order.begin() + std::ssize(order) / 2);
  } else {
    std::vector<int64_t> taken(static_cast<size_t>(people.classes), 0);
    for (const int32_t v : order) {
      if (taken[static_cast<size_t>(people.labels[v])]++ < *shots) out.push_back(v);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace graphveil::attack
