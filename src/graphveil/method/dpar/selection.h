// DP-APPR: the K most relevant nodes of every source by personalized PageRank, with noise (Zhang et al., "DPAR:
// Decoupled Graph Neural Networks with Node-Level Differential Privacy", 2024, Algorithms 1 and 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/bound/neighborhoods.h"
#include "graphveil/bound/pagerank_rows.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::method {

enum class SelectionNoise {
  Gaussian,         // Algorithm 3: Gaussian noise on whole rows, then the K largest
  Picks,            // Algorithm 1, option I: K picks by the exponential mechanism, all of weight 1/K
  PicksWithValues,  // option II: the same, and the picked entries with Laplace noise
};

bound::RowClip row_clip(SelectionNoise noise);

// What the lines of a selection have for noise, each in the units of its event; 0 everywhere: no noise.
struct SelectionLines {
  double multiplier = 0;        // Gaussian
  double range = 0;             // of one pick
  double value_multiplier = 0;  // Laplace
};

// What a selection gave out: K columns for each source in order, and their values in units of the limit.
struct Selected {
  std::vector<int32_t> columns;
  std::vector<double> values;
};

// Row limits of 0.2 and 0.05 leave a source's nearest neighbors as they are.
struct Selection {
  SelectionNoise noise = SelectionNoise::Gaussian;
  graph::PageRankOptions pagerank = {};
  std::optional<int64_t> sources = std::nullopt;   // M; none: every training node
  int64_t picks = 2;                               // K
  std::optional<double> row_limit = std::nullopt;  // C1 or C2
  int64_t column_cap = 0;                          // B': lists of others that a node may be in
  double values_share = 0.5;                       // PicksWithValues: of the selection's budget, for the values

  // Without PageRank there is nothing to select: `least_cap` 1 wants some.
  void declare(Options& options, int64_t least_cap = 0);
  int64_t source_count(int64_t train_nodes) const;
  // The sources are drawn from public ids.
  std::vector<int32_t> draw_sources(std::span<const int32_t> train, const Seed& seed) const;
  double limit() const;

  // Lines that take `share` of a budget of 1 / noise^2, where budgets add up as those of Gaussian mechanisms do.
  SelectionLines lines(double noise, double share, int64_t sources) const;
  mechanism::Plan plan(const SelectionLines& lines, int64_t sources) const;

  // The neighborhoods, from the plan's lines. A source's own id is public, so it is kept whatever was picked, with as
  // much weight as an entry at the limit; weights of a list sum to 1.
  //
  // Guarantee: that of the release's lines; relations node and record, at every degree (bound/pagerank_rows.h). All
  // else is post-processing and public ids.
  bound::Neighborhoods select(const graph::Graph& graph, std::vector<int32_t> sources,
                              mechanism::Release& release) const;

  // The lists behind them: each source, then its picks.
  std::vector<std::vector<bound::WeightedNode>> lists(std::span<const int32_t> drawn, const Selected& selected) const;

  // How far the noise stands above the largest entry there can be, and what that does to the selection: from public
  // numbers alone.
  std::string outlook(const mechanism::Plan& plan, int64_t nodes) const;
};

Selected released_selection(const Selection& selection, const bound::PageRankRows& rows, mechanism::Release& release);

}  // namespace graphveil::method
