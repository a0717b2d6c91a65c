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

// Where lists come from. All but PageRank read nothing private: they are experiments that show what PageRank adds.
enum class ListsFrom {
  PageRank,
  Random,  // K nodes drawn from public ids, each of weight 1/K
  Self,    // the source alone
};

// What a list weighs.
enum class ListWeights {
  Shares,  // the source is kept, with as much weight as an entry at the limit; entries are cut to [0, limit]; sums to 1
  Values,  // as the paper: what was picked, the source where it was, with the values that were released
};

// Which of the training nodes train.
enum class TrainOn {
  All,      // those without a list read themselves alone
  Sources,  // those with a list
};

// What the lines of a selection have for noise, each in the units of its event; 0 everywhere: no noise.
struct SelectionLines {
  double multiplier = 0;        // Gaussian
  double range = 0;             // of one pick
  double value_multiplier = 0;  // Laplace
};

// What a selection gave out: K columns for each source in order, and their values.
struct Selected {
  std::vector<int32_t> columns;
  std::vector<double> values;
};

// Who trains, and the list of each.
struct Lists {
  std::vector<int32_t> sources;
  std::vector<std::vector<bound::WeightedNode>> entries;
};

// Row limits of 0.2 and 0.05 leave a source's nearest neighbors as they are.
struct Selection {
  SelectionNoise noise = SelectionNoise::Gaussian;
  graph::PageRankOptions pagerank = {};
  std::optional<int64_t> sources = std::nullopt;   // M; none: every training node
  int64_t picks = 2;                               // K
  std::optional<double> row_limit = std::nullopt;  // C1 or C2
  int64_t column_cap = 1;                          // B': lists of others that a node may be in
  double values_share = 0.5;                       // PicksWithValues: of the selection's budget, for the values
  ListsFrom from = ListsFrom::PageRank;
  ListWeights weights = ListWeights::Shares;
  TrainOn train_on = TrainOn::All;

  void declare(Options& options);
  int64_t source_count(int64_t train_nodes) const;
  // How many of so many training nodes train.
  int64_t samples(int64_t train_nodes) const;
  // Whether rows of PageRank are released.
  bool releases() const { return from == ListsFrom::PageRank; }
  // Lists of others that a node may be in.
  int64_t cap() const { return from == ListsFrom::Self ? 0 : column_cap; }
  // The sources are drawn from public ids.
  std::vector<int32_t> draw_sources(std::span<const int32_t> train, const Seed& seed) const;
  double limit() const;

  // The same where lists may hold so many nodes alone, which may be fewer than K.
  Selection fitted(int64_t nodes) const;

  // Lines that take `share` of a budget of 1 / noise^2, where budgets add up as those of Gaussian mechanisms do.
  SelectionLines lines(double noise, double share, int64_t sources) const;
  // Empty where no PageRank is released.
  mechanism::Plan plan(const SelectionLines& lines, int64_t sources) const;

  // The list of every node that trains, from the plan's lines, before any cap.
  //
  // Guarantee: that of the release's lines; relations node and record, at every degree (bound/pagerank_rows.h). All
  // else is post-processing and public ids.
  Lists lists(const graph::Graph& graph, std::span<const int32_t> train, const Seed& seed,
              mechanism::Release& release) const;
  // The same on the nodes `among` and the edges between them alone, all of which may train; ids are those of `graph`.
  Lists lists_among(const graph::Graph& graph, std::span<const int32_t> among, const Seed& seed,
                    mechanism::Release& release) const;

  // How far the noise stands above the largest entry there can be, and what that does to the selection: from public
  // numbers alone.
  std::string outlook(const mechanism::Plan& plan, int64_t nodes) const;
  // What of it is not the paper's, in words.
  std::vector<std::string> differs() const;

 private:
  Selected released(const graph::Graph& graph, std::span<const int32_t> drawn, mechanism::Release& release) const;
  Selected random(int64_t nodes, std::span<const int32_t> drawn, const Seed& seed) const;
};

// q': so many of the training nodes take part, at least one; and which, by public ids.
int64_t taking_part(double rate, int64_t train_nodes);
std::vector<int32_t> drawn_part(std::span<const int32_t> train, double rate, const Seed& seed);

}  // namespace graphveil::method
