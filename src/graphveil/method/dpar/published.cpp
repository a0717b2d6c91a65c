#include "graphveil/method/dpar/published.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/published_dpar.h"

namespace graphveil::method {
namespace {

constexpr const char* kPublishedDparTraining = "training";

SelectionLines published_lines(const Selection& selection, double epsilon, double delta, int64_t sources) {
  const double row_epsilon = account::published_dpar_row_epsilon(epsilon, delta, sources);
  const double row_delta = delta / (2 * static_cast<double>(sources));
  if (selection.noise == SelectionNoise::Gaussian) {
    // Theirs is in units of C1, ours of the whole matrix's sensitivity.
    const double noise = account::published_dpar_gaussian_noise(row_epsilon, row_delta);
    return {.multiplier = noise / std::sqrt(2 * static_cast<double>(sources))};
  }
  const bool values = selection.noise == SelectionNoise::PicksWithValues;
  const double values_epsilon = values ? selection.values_share * row_epsilon : 0;
  const double pick = account::published_dpar_gumbel_epsilon(row_epsilon - values_epsilon, selection.picks, row_delta);
  SelectionLines lines{.range = 2 * pick};  // Gumbel noise of scale C2 / pick
  if (values) lines.value_multiplier = static_cast<double>(selection.picks) / values_epsilon;
  return lines;
}

// Every column's weights divided by what their sizes sum to beyond tau.
void clip_columns(std::vector<std::vector<bound::WeightedNode>>& lists, int64_t nodes, double tau) {
  std::vector<double> norms(static_cast<size_t>(nodes), 0);
  for (const auto& list : lists) {
    for (const bound::WeightedNode& entry : list) norms[static_cast<size_t>(entry.node)] += std::abs(entry.weight);
  }
  for (auto& list : lists) {
    for (bound::WeightedNode& entry : list) {
      entry.weight = static_cast<float>(entry.weight / std::max(1.0, norms[static_cast<size_t>(entry.node)] / tau));
    }
  }
}

}  // namespace

Published DparPublished::budget(double epsilon, double delta, int64_t train_nodes) const {
  require(delta > 0, "the paper's formulas want a delta above 0");
  const int64_t nodes = taking_part(node_rate, train_nodes);
  const Selection selected = selection.fitted(nodes);
  const int64_t sources = selected.source_count(nodes), samples = selected.samples(nodes);
  // Theorem 2: both parts add up to epsilon / q'.
  const double whole = epsilon / node_rate, whole_delta = delta / node_rate;
  const double rows_share = selected.releases() ? share : 0;
  const StepPlan steps = step_plan(fit, samples);
  const auto as_theorem_2 = [&] {
    return account::published_dpar_sgd_noise((1 - rows_share) * whole, steps.rate, column_norm, steps.steps,
                                             (1 - rows_share) * whole_delta);
  };
  const auto own_samples = [&](double noise) {
    return account::Ledger{fit_line(kPublishedDparTraining, fit, noise, samples).event};
  };
  const double noise =
      selected.from == ListsFrom::Self ? account::calibrate(own_samples, whole, whole_delta).noise : as_theorem_2();
  Plan plan;
  if (selected.releases()) {
    plan.add(selected.plan(published_lines(selected, share * whole, share * whole_delta, sources), sources));
  }
  // A list may be that of any source. With full batches a multiplier is per all that one node can do.
  const int64_t others = selected.from == ListsFrom::Self ? 0 : sources;
  const double touched = steps.rate >= 1 ? static_cast<double>(2 * others + 1) : 1;
  plan.add(fit_line(kPublishedDparTraining, fit, noise / touched, samples, {1, others + 1, others},
                    bound::source::Reach::ReleasedLists));
  return {
      .noise = noise,
      .reasons = {"sampling the nodes first is taken to multiply epsilon by its rate; it gives ln(1 + q' (e^epsilon - "
                  "1)), and only if nothing tells who was sampled",
                  "a row of PageRank is taken to move by the clip norm; two rows can differ by sqrt(2) times it",
                  "a gradient is taken to move by a column's L1 norm; a clipped gradient moves by up to twice the clip "
                  "norm for each sample that reads the node",
                  "the constants of the theorem on DP-SGD are not proved for these sizes"},
      .plan = std::move(plan)};
}

bound::Neighborhoods DparPublished::neighborhoods(const graph::Graph& graph, std::span<const int32_t> train,
                                                  const Seed& seed, mechanism::Release& release) const {
  const std::vector<int32_t> part = drawn_part(train, node_rate, seed);
  const auto nodes = static_cast<int64_t>(part.size());
  const Selection selected = selection.fitted(nodes);
  Lists lists = selected.lists_among(graph, part, seed, release);
  if (selected.from != ListsFrom::Self) clip_columns(lists.entries, graph.nodes(), column_norm);
  const int64_t others = selected.from == ListsFrom::Self ? 0 : selected.source_count(nodes);
  return {std::move(lists.sources), lists.entries, graph.nodes(), others};
}

}  // namespace graphveil::method
