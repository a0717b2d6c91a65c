#include "graphveil/method/dpar/selection.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/normal.h"
#include "graphveil/graph/subgraph.h"

namespace graphveil::method {
namespace {

constexpr const char* kRows = "pagerank";
constexpr const char* kValues = "pagerank values";

// The source itself and its picks, as shares of a whole; an entry at the limit weighs as much as the source.
std::vector<bound::WeightedNode> shared_list(int32_t source, std::span<const int32_t> columns,
                                             std::span<const double> values, double limit) {
  std::vector<bound::WeightedNode> list{{source, 1}};
  double sum = 1;
  for (size_t j = 0; j < columns.size(); ++j) {
    const double weight = std::clamp(values[j] / limit, 0.0, 1.0);
    sum += weight;
    list.push_back({columns[j], static_cast<float>(weight)});
  }
  for (bound::WeightedNode& entry : list) entry.weight = static_cast<float>(entry.weight / sum);
  return list;
}

std::vector<bound::WeightedNode> valued_list(std::span<const int32_t> columns, std::span<const double> values) {
  std::vector<bound::WeightedNode> list;
  for (size_t j = 0; j < columns.size(); ++j) list.push_back({columns[j], static_cast<float>(values[j])});
  return list;
}

// A node that trained twice would be in more samples than the line says.
void check_training_nodes(std::span<const int32_t> train, int64_t nodes) {
  std::vector<bool> listed(static_cast<size_t>(nodes), false);
  for (const int32_t node : train) {
    require(node >= 0 && node < nodes && !listed[static_cast<size_t>(node)],
            "training node {} is out of range or there twice", node);
    listed[static_cast<size_t>(node)] = true;
  }
}

}  // namespace

bound::RowClip row_clip(SelectionNoise noise) {
  return noise == SelectionNoise::Gaussian ? bound::RowClip::Norm : bound::RowClip::Entries;
}

void Selection::declare(Options& options) {
  // A row takes about log(1 / (tolerance * sparsity)) / teleport steps.
  options.real("teleport", pagerank.teleport, 1e-3, 0.999, "PageRank: chance to start anew at the source in each step");
  options.real("sparsity", pagerank.sparsity, 1e-9, 0.5, "PageRank: the larger, the fewer entries");
  options.real("tolerance", pagerank.tolerance, 1e-9, 1, "PageRank: how far from its solution to stop");
  options.integer_or("sources", sources, "all", 1, INT64_MAX, "Training nodes that get a PageRank row");
  options.integer("picks", picks, 1, 1000, "Nodes picked from each row");
  options.real_or("row-limit", row_limit, "auto", 1e-12, 1e6,
                  "Rows are clipped to this norm (dpar-gm) or each entry to this (dpar-em0, dpar-em1)");
  options.integer("column-cap", column_cap, 1, INT32_MAX, "Samples of others that may read one node");
  options.choice("lists", from,
                 {{"pagerank", ListsFrom::PageRank}, {"random", ListsFrom::Random}, {"self", ListsFrom::Self}},
                 "Where lists come from. For experiments: random draws them from public ids, self reads the source "
                 "alone; no PageRank is then released");
  options.choice("list-weights", weights, {{"shares", ListWeights::Shares}, {"values", ListWeights::Values}},
                 "shares: a list keeps its source, and sums to 1; values: as the paper, picks alone with the values "
                 "released");
  options.choice("train-on", train_on, {{"all", TrainOn::All}, {"sources", TrainOn::Sources}},
                 "all: training nodes without a PageRank row read themselves alone; sources: they do not train");
  if (noise == SelectionNoise::PicksWithValues) {
    options.real("values-share", values_share, 0.01, 0.99, "Share of PageRank's budget that the values get");
  }
}

int64_t Selection::source_count(int64_t train_nodes) const {
  return std::min(sources.value_or(train_nodes), train_nodes);
}

int64_t Selection::samples(int64_t train_nodes) const {
  return train_on == TrainOn::All ? train_nodes : source_count(train_nodes);
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

int64_t taking_part(double rate, int64_t train_nodes) {
  return std::max<int64_t>(1, std::llround(rate * static_cast<double>(train_nodes)));
}

std::vector<int32_t> drawn_part(std::span<const int32_t> train, double rate, const Seed& seed) {
  const Selection part{.sources = taking_part(rate, static_cast<int64_t>(train.size()))};
  return part.draw_sources(train, seed.derived("taking part"));
}

Selection Selection::fitted(int64_t nodes) const {
  Selection out = *this;
  const int64_t columns = nodes - (weights == ListWeights::Shares ? 1 : 0);
  if (columns < 1) out.from = ListsFrom::Self;
  out.picks = std::min(picks, std::max<int64_t>(columns, 1));
  return out;
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
  if (!releases()) return {};
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

Selected Selection::released(const graph::Graph& graph, std::span<const int32_t> drawn,
                             mechanism::Release& release) const {
  const bound::PageRankRows rows(graph, drawn,
                                 {.pagerank = pagerank,
                                  .clip = row_clip(noise),
                                  .limit = limit(),
                                  .relation = release.relation(),
                                  .with_source = weights == ListWeights::Values});
  const double step = release.grid(kRows);
  if (noise == SelectionNoise::Gaussian) {
    mechanism::LargestEntries largest = release.gaussian_top_k(kRows, rows.rows(step), picks).value();
    return {std::move(largest.columns), std::move(largest.values)};
  }
  Selected out{release.top_k(kRows, rows.rows(step), picks).value(), {}};
  if (noise == SelectionNoise::Picks) {
    // As shares of the limit, for a list that keeps its source.
    const double unit = weights == ListWeights::Shares ? limit() : 1;
    out.values.assign(out.columns.size(), unit / static_cast<double>(picks));
    return out;
  }
  const Matrix values = release.laplace(kValues, rows.entries(out.columns, release.grid(kValues))).value().clone();
  out.values.assign(values.values().begin(), values.values().end());
  return out;
}

Selected Selection::random(int64_t nodes, std::span<const int32_t> drawn, const Seed& seed) const {
  const bool others = weights == ListWeights::Shares;
  require(picks + (others ? 1 : 0) <= nodes, "--picks is {}, and there are {} nodes", picks, nodes);
  const double unit = others ? limit() : 1;
  Selected out;
  for (const int32_t source : drawn) {
    RandomStream stream(seed, "random lists", static_cast<uint64_t>(source));
    std::vector<int32_t> list;
    while (static_cast<int64_t>(list.size()) < picks) {
      const auto node = static_cast<int32_t>(stream.below(static_cast<uint64_t>(nodes)));
      if ((others && node == source) || std::ranges::find(list, node) != list.end()) continue;
      list.push_back(node);
    }
    out.columns.insert(out.columns.end(), list.begin(), list.end());
  }
  out.values.assign(out.columns.size(), unit / static_cast<double>(picks));
  return out;
}

Lists Selection::lists(const graph::Graph& graph, std::span<const int32_t> train, const Seed& seed,
                       mechanism::Release& release) const {
  check_training_nodes(train, graph.nodes());
  Lists out{draw_sources(train, seed), {}};
  if (from == ListsFrom::Self) {
    for (const int32_t source : out.sources) out.entries.push_back({{source, 1}});
  } else {
    const Selected selected =
        releases() ? released(graph, out.sources, release) : random(graph.nodes(), out.sources, seed);
    const auto k = static_cast<size_t>(picks);
    for (size_t i = 0; i < out.sources.size(); ++i) {
      const std::span<const int32_t> columns = std::span(selected.columns).subspan(i * k, k);
      const std::span<const double> values = std::span(selected.values).subspan(i * k, k);
      out.entries.push_back(weights == ListWeights::Shares ? shared_list(out.sources[i], columns, values, limit())
                                                           : valued_list(columns, values));
    }
  }
  if (train_on == TrainOn::Sources) return out;
  std::vector<bool> has_list(static_cast<size_t>(graph.nodes()), false);
  for (const int32_t source : out.sources) has_list[static_cast<size_t>(source)] = true;
  for (const int32_t node : train) {
    if (has_list[static_cast<size_t>(node)]) continue;
    out.sources.push_back(node);
    out.entries.push_back({{node, 1}});
  }
  return out;
}

Lists Selection::lists_among(const graph::Graph& graph, std::span<const int32_t> among, const Seed& seed,
                             mechanism::Release& release) const {
  std::vector<int32_t> ids(among.begin(), among.end());
  std::ranges::sort(ids);
  std::vector<int32_t> all(ids.size());
  std::iota(all.begin(), all.end(), 0);
  Lists out = lists(graph::induced_subgraph(graph, ids), all, seed, release);
  for (int32_t& source : out.sources) source = ids[static_cast<size_t>(source)];
  for (std::vector<bound::WeightedNode>& list : out.entries) {
    for (bound::WeightedNode& entry : list) entry.node = ids[static_cast<size_t>(entry.node)];
  }
  return out;
}

std::vector<std::string> Selection::differs() const {
  std::vector<std::string> out;
  if (from == ListsFrom::Random) out.push_back("lists are random nodes, not picked by PageRank (an experiment)");
  if (from == ListsFrom::Self) out.push_back("a sample reads its own node, and no PageRank is released");
  if (from != ListsFrom::Self && weights == ListWeights::Shares) {
    out.push_back("a list keeps its source, and its weights are cut to the limit and sum to 1");
  }
  if (from != ListsFrom::Self && train_on == TrainOn::All && sources) {
    out.push_back("training nodes without a row of PageRank train too, on themselves");
  }
  return out;
}

std::string Selection::outlook(const mechanism::Plan& plan, int64_t nodes) const {
  if (from == ListsFrom::Random) return "no PageRank is released (--lists random): lists are drawn from public ids";
  if (from == ListsFrom::Self) {
    return "no PageRank is released (--lists self): a sample reads its own node, and the graph enters predictions only";
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
      best < 10 * by_chance || best < 0.1 ? ": the picks are mostly random. --lists self does without them" : "");
}

}  // namespace graphveil::method
