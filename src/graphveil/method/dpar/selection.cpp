#include "graphveil/method/dpar/selection.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/normal.h"

namespace graphveil::method {
namespace {

constexpr const char* kRows = "pagerank";
constexpr const char* kValues = "pagerank values";

// The source itself and its picks, as shares of a whole.
std::vector<bound::WeightedNode> weighted_list(int32_t source, std::span<const int32_t> columns,
                                               std::span<const double> values) {
  std::vector<bound::WeightedNode> list{{source, 1}};
  double sum = 1;
  for (size_t j = 0; j < columns.size(); ++j) {
    const double weight = std::clamp(values[j], 0.0, 1.0);
    sum += weight;
    list.push_back({columns[j], static_cast<float>(weight)});
  }
  for (bound::WeightedNode& entry : list) entry.weight = static_cast<float>(entry.weight / sum);
  return list;
}

}  // namespace

bound::RowClip row_clip(SelectionNoise noise) {
  return noise == SelectionNoise::Gaussian ? bound::RowClip::Norm : bound::RowClip::Entries;
}

void Selection::declare(Options& options, int64_t least_cap) {
  // A row takes about log(1 / (tolerance * sparsity)) / teleport steps.
  options.real("teleport", pagerank.teleport, 1e-3, 0.999, "PageRank: chance to start anew at the source in each step");
  options.real("sparsity", pagerank.sparsity, 1e-9, 0.5, "PageRank: the larger, the fewer entries");
  options.real("tolerance", pagerank.tolerance, 1e-9, 1, "PageRank: how far from its solution to stop");
  options.integer_or("sources", sources, "all", 1, INT64_MAX, "Training nodes that get a PageRank row and train");
  options.integer("picks", picks, 1, 1000, "Nodes picked from each row");
  options.real_or("row-limit", row_limit, "auto", 1e-12, 1e6,
                  "Rows are clipped to this norm (dpar-gm) or each entry to this (dpar-em0, dpar-em1)");
  options.integer("column-cap", column_cap, least_cap, INT32_MAX,
                  least_cap > 0 ? "Samples of others that may read one node"
                                : "Samples of others that may read one node; 0: none, so no PageRank is released");
  if (noise == SelectionNoise::PicksWithValues) {
    options.real("values-share", values_share, 0.01, 0.99, "Share of PageRank's budget that the values get");
  }
}

int64_t Selection::source_count(int64_t train_nodes) const {
  return std::min(sources.value_or(train_nodes), train_nodes);
}

std::vector<int32_t> Selection::draw_sources(std::span<const int32_t> train, const Seed& seed) const {
  std::vector<int32_t> drawn(train.begin(), train.end());
  const auto count = static_cast<size_t>(source_count(static_cast<int64_t>(train.size())));
  if (count == drawn.size()) return drawn;
  RandomStream random(seed, "pagerank sources");
  for (size_t i = 0; i < count; ++i) std::swap(drawn[i], drawn[i + random.below(drawn.size() - i)]);
  drawn.resize(count);
  return drawn;
}

double Selection::limit() const { return row_limit.value_or(noise == SelectionNoise::Gaussian ? 0.2 : 0.05); }

SelectionLines Selection::lines(double knob, double share, int64_t source_count) const {
  if (knob == 0) return {};
  const double budget = share / (knob * knob), events = static_cast<double>(source_count * picks);
  if (noise == SelectionNoise::Gaussian) return {.multiplier = 1 / std::sqrt(budget)};
  // A pick of range r costs r^2 / 8 where a Gaussian of multiplier s costs 1 / (2 s^2); pure epsilon e costs e^2 / 2.
  const double values = noise == SelectionNoise::PicksWithValues ? values_share : 0;
  SelectionLines out{.range = 2 * std::sqrt(budget * (1 - values) / events)};
  if (values > 0) out.value_multiplier = 1 / std::sqrt(budget * values / events);
  return out;
}

mechanism::Plan Selection::plan(const SelectionLines& lines, int64_t source_count) const {
  if (noise == SelectionNoise::Gaussian) {
    return {{account::Event(kRows, account::Gaussian{lines.multiplier}),
             bound::pagerank_rows_bound(limit(), source_count)}};
  }
  const int64_t events = source_count * picks;
  mechanism::Plan plan{
      {account::Event(kRows, account::Exponential{lines.range}, {}, events), bound::pagerank_picks_bound(limit())}};
  if (noise == SelectionNoise::PicksWithValues) {
    plan.add({account::Event(kValues, account::Laplace{lines.value_multiplier}, {}, events),
              bound::pagerank_values_bound(limit())});
  }
  return plan;
}

Selected released_selection(const Selection& selection, const bound::PageRankRows& rows, mechanism::Release& release) {
  const double step = release.grid(kRows);
  if (selection.noise == SelectionNoise::Gaussian) {
    mechanism::LargestEntries largest = release.gaussian_top_k(kRows, rows.rows(step), selection.picks).value();
    for (double& value : largest.values) value /= selection.limit();
    return {std::move(largest.columns), std::move(largest.values)};
  }
  Selected out{release.top_k(kRows, rows.rows(step), selection.picks).value(), {}};
  if (selection.noise == SelectionNoise::Picks) {
    out.values.assign(out.columns.size(), 1.0 / static_cast<double>(selection.picks));
    return out;
  }
  const Matrix values = release.laplace(kValues, rows.entries(out.columns, release.grid(kValues))).value().clone();
  for (const Real value : values.values()) out.values.push_back(value / selection.limit());
  return out;
}

bound::Neighborhoods Selection::select(const graph::Graph& graph, std::vector<int32_t> drawn,
                                       mechanism::Release& release) const {
  std::vector<std::vector<bound::WeightedNode>> lists;
  if (column_cap == 0) {
    for (const int32_t source : drawn) lists.push_back({{source, 1}});
    return {std::move(drawn), lists, graph.nodes(), 0};
  }
  const bound::PageRankRows rows(graph, drawn, {pagerank, row_clip(noise), limit(), release.relation()});
  const Selected selected = released_selection(*this, rows, release);
  lists = this->lists(drawn, selected);
  return {std::move(drawn), lists, graph.nodes(), column_cap};
}

std::vector<std::vector<bound::WeightedNode>> Selection::lists(std::span<const int32_t> drawn,
                                                               const Selected& selected) const {
  const auto k = static_cast<size_t>(picks);
  std::vector<std::vector<bound::WeightedNode>> out;
  for (size_t i = 0; i < drawn.size(); ++i) {
    out.push_back(weighted_list(drawn[i], std::span(selected.columns).subspan(i * k, k),
                                std::span(selected.values).subspan(i * k, k)));
  }
  return out;
}

std::string Selection::outlook(const mechanism::Plan& plan, int64_t nodes) const {
  if (column_cap == 0) {
    return "no PageRank is released (--column-cap 0): a sample reads its own node, and the graph enters predictions "
           "only";
  }
  const mechanism::PlanLine& line = plan.line(kRows);
  const double scale = mechanism::noise_scale(line), k = static_cast<double>(picks);
  const double others = std::max(1.0, static_cast<double>(nodes) - 2), by_chance = std::min(1.0, k / others);
  // An entry at the limit against `others` zeros: above the k-th largest of their noise, or first in k races.
  double best = 1;
  if (noise == SelectionNoise::Gaussian) {
    const double threshold = std::sqrt(2 * std::log(std::max(others / k, 1.0)));
    best = account::normal_cdf(limit() / scale - threshold);
  } else {
    const double odds = std::exp(std::min(limit() / scale, 700.0));
    best = 1 - std::pow(1 - odds / (odds + others), k);
  }
  best = std::max(best, by_chance);
  return fmt::format(
      "the noise on PageRank is {:.3g} times the largest entry there can be; a node of that entry is picked with "
      "probability "
      "{:.2g} at best, any node with {:.2g} by chance{}",
      scale / limit(), best, by_chance,
      best < 10 * by_chance || best < 0.1 ? ": the picks are mostly random. --column-cap 0 does without them" : "");
}

}  // namespace graphveil::method
