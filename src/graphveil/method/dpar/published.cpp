#include "graphveil/method/dpar/published.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/account/published_dpar.h"
#include "graphveil/graph/subgraph.h"

namespace graphveil::method {
namespace {

constexpr const char* kPublishedDparTraining = "training";

int64_t taking_part(double node_rate, int64_t train_nodes) {
  return std::max<int64_t>(1, std::llround(node_rate * static_cast<double>(train_nodes)));
}

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
  const int64_t nodes = taking_part(node_rate, train_nodes), sources = selection.source_count(nodes);
  // Theorem 2: both parts add up to epsilon / q'.
  const double whole = epsilon / node_rate, whole_delta = delta / node_rate;
  const StepPlan steps = step_plan(fit, nodes);
  const double noise = account::published_dpar_sgd_noise((1 - share) * whole, steps.rate, column_norm, steps.steps,
                                                         (1 - share) * whole_delta);
  Plan plan = selection.plan(published_lines(selection, share * whole, share * whole_delta, sources), sources);
  // With full batches a multiplier is per all that one node can do.
  const double samples = steps.rate >= 1 ? static_cast<double>(2 * sources + 1) : 1;
  plan.add(fit_line(kPublishedDparTraining, fit, noise / samples, nodes, {1, sources + 1, sources},
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
  Selection sampling = selection;
  sampling.sources = taking_part(node_rate, static_cast<int64_t>(train.size()));
  std::vector<int32_t> part = sampling.draw_sources(train, seed.derived("taking part"));
  std::ranges::sort(part);
  const graph::Graph small = graph::induced_subgraph(graph, part);
  std::vector<int32_t> all(part.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int32_t>(i);
  std::vector<int32_t> sources = selection.draw_sources(all, seed);
  const bound::PageRankRows rows(small, sources,
                                 {.pagerank = selection.pagerank,
                                  .clip = row_clip(selection.noise),
                                  .limit = selection.limit(),
                                  .relation = release.relation()});
  const Selected selected = released_selection(selection, rows, release);
  std::vector<std::vector<bound::WeightedNode>> lists = selection.lists(sources, selected);
  for (std::vector<bound::WeightedNode>& list : lists) {
    for (bound::WeightedNode& entry : list) entry.node = part[static_cast<size_t>(entry.node)];
  }
  std::vector<bool> is_source(part.size(), false);
  for (int32_t& source : sources) {
    is_source[static_cast<size_t>(source)] = true;
    source = part[static_cast<size_t>(source)];
  }
  const auto most = static_cast<int64_t>(sources.size());
  for (size_t i = 0; i < part.size(); ++i) {
    if (is_source[i]) continue;
    sources.push_back(part[i]);
    lists.push_back({{part[i], 1}});
  }
  clip_columns(lists, graph.nodes(), column_norm);
  return {std::move(sources), lists, graph.nodes(), most};
}

}  // namespace graphveil::method
