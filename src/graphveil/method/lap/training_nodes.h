// On which nodes the classifiers of LAP at edge level are fitted, and in which order: of one process, or of ranks that
// share the nodes out (base/ranks.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graphveil/graph/listed_rows.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// The ranks that have the other nodes of this task; null: all are here.
Ranks* ranks_of(const Task& task);
// Nodes of the whole graph.
int64_t all_nodes(const Task& task);
// Training nodes that have a label.
std::vector<int32_t> labeled(const Task& task);
// Sparse features of the whole graph, where these are a rank's (learn::FeatureRows::part_of); else none.
std::optional<kernels::WholeSparse> whole_features(const graph::Dataset& data);

// A part of the training nodes, held out from a fit on the others. Nodes are this process's.
struct Fold {
  std::vector<int32_t> fit;       // in the order in which they were drawn, as rows of what drawn() gives
  std::vector<int32_t> fit_here;  // the same nodes, or a rank's own ones of them, rising
  std::vector<int32_t> held_out;
};

// The training nodes that have a label. Fits on all of them go by rising numbers, so that ranks add up their own rows,
// one after the other. Fits on folds go by the order in which these were drawn: each rank has a stretch of that, and
// fetches what it is to know of those nodes.
class TrainingNodes {
 public:
  static constexpr int64_t kFolds = 4;
  // `task` must outlive it.
  explicit TrainingNodes(const Task& task);

  const std::vector<int32_t>& here() const { return here_; }  // of this process
  int64_t count() const { return count_; }                    // of all
  // Empty where there are too few nodes to hold some out.
  const std::vector<Fold>& folds() const { return folds_; }

  // What a fit on a fold reads in place of the task's data.
  const graph::Dataset& drawn_data() const { return drawn_data_; }
  // The same of other features and rows of all nodes of this process. `memory` is for what is fetched.
  graph::Features drawn(const graph::Features& features) const;
  ConstMatrixView drawn(const Matrix& rows, Matrix& memory) const;

 private:
  std::vector<int32_t> all_in_order(const Task& task) const;

  std::vector<int32_t> here_;
  int64_t count_ = 0;
  std::vector<Fold> folds_;
  std::optional<graph::ListedRows> listed_;  // of a rank
  graph::Dataset drawn_data_;
};

}  // namespace graphveil::method
