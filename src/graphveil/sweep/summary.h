// What a sweep says: means over seeds, differences seed by seed, and which methods are best within noise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/nn/metrics.h"
#include "graphveil/sweep/plan.h"
#include "graphveil/sweep/result.h"

namespace graphveil::sweep {

// One row of one graph at one budget.
struct Cell {
  std::string graph, label;
  std::optional<double> epsilon;     // none: no noise
  std::map<int64_t, double> values;  // the score, by seed
  nn::MeanInterval interval;         // of the mean, 95%; of no values: zeros
  int64_t failed = 0, missing = 0;   // runs without a score
  std::string relation;
  bool best = false;  // within noise: not shown to be worse than the cell with the largest mean
  std::optional<bool> beats_majority;
};

// A cell less another one of the same graph and budget, over the seeds that both have.
struct Difference {
  std::string graph, label, against;
  std::optional<double> epsilon;
  nn::MeanInterval interval;  // 95%, of this pair alone
  int64_t seeds = 0;
  bool apart = false;  // not 0 even when all pairs of this graph and budget are looked at together
};

struct Summary {
  std::string metric;
  std::vector<std::string> graphs, labels;       // in the order of the plan
  std::vector<std::optional<double>> budgets;    // ascending, "no noise" last
  std::vector<Cell> cells;                       // by graph, label, budget
  std::vector<Difference> differences;           // against the baseline, or the best of each
  std::map<std::string, std::string> relations;  // by label; several with commas
  std::map<std::string, double> majority;        // by graph: the mean share of the largest class among the test nodes
  const Cell* find(const std::string& graph, const std::string& label, const std::optional<double>& epsilon) const;
};

// Of the runs that are in no paper's row. `against` is the label of a baseline; empty: the best.
//
// Two cells are apart when the paired t interval of their difference at level 1 - 0.05 / pairs leaves out 0, where
// pairs counts all pairs of cells of that graph and budget (Bonferroni). Any pair may then be looked at, the one with
// the best too, although the data chose it: all such statements about one graph and budget hold together with 95%,
// provided that differences over seeds are about normal. Seeds are draws of split and noise on one graph: nothing is
// said of other graphs.
Summary summarize(const Plan& plan, const std::map<std::string, Result>& results, const std::string& metric,
                  const std::string& against);

// Whether these runs of one cell are shown to be right more often than the largest class of everybody would be: several
// where the interval of the lead over the seeds, by Student's t at 95%, lies above 0; one by its own sign test. None
// where that is not known.
std::optional<bool> beats_majority(const std::vector<const Result*>& runs);

// The interval of a mean at any level; none for one value.
std::optional<std::pair<double, double>> interval_at(const std::vector<double>& values, double level);

}  // namespace graphveil::sweep
