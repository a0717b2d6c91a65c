// Rows of a data set's features, as input to a network's first layer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/base/sparse_matrix.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/nn/buffer.h"
#include "graphveil/nn/layers_dense.h"

namespace graphveil::learn {

// What is done to each node's features before training. Reads that node's record alone.
struct FeatureScaling {
  bool unit_rows = false;  // scaled to norm 1
  // A further column that holds this number, in place of the first layer's bias. A bias is a column of ones: in DP-SGD
  // it takes the larger part of the clipped gradient. 0: an ordinary bias.
  double bias_input = 0;

  void declare(Options& options);
  void declare_unit_rows(Options& options);  // --feature-rows alone
  graph::Dataset apply(const graph::Dataset& data) const;
};

// Copies of some rows of a matrix. Remembers three lists: the last, whose copy may still be in use, and of the others
// rather the longer. A training that looks at validation nodes after every epoch, piece by piece, keeps its full batch.
class GatheredRows {
 public:
  ConstMatrixView operator()(ConstMatrixView matrix, std::span<const int32_t> rows);

 private:
  struct Entry {
    nn::Buffer rows;
    std::vector<int32_t> list;
    int64_t used = 0;  // the call that asked for it last
  };
  std::array<Entry, 3> entries_;
  size_t last_ = 0;
  int64_t calls_ = 0;
};

// Rows of a sparse matrix, transposed: once two steps in a row want the same ones, and the matrix has not too many
// entries for that.
class TransposedRows {
 public:
  static constexpr int64_t kMostEntries = 1 << 22;  // of the matrix
  // Null while it is not worth it.
  const SparseMatrix* operator()(const SparseView& matrix, std::span<const int32_t> rows);

 private:
  std::vector<int32_t> list_;
  std::optional<SparseMatrix> transposed_;
};

// Sparse rows are gathered inside the first product; dense ones are copied: in a per-sample step into the tape's own
// memory, so that threads can take such steps side by side, each on a tape of its own.
class FeatureRows {
 public:
  explicit FeatureRows(const graph::Features& features) : features_(features) {}
  // Sums over rows stay in the order in which ranks make them that share the rows out (base/shared_rows.h): sparse ones
  // are not transposed.
  void keep_order() { keep_order_ = true; }
  // The rows of these nodes. In a per-sample step row r belongs to sample owners[r], or to sample r when owners is
  // empty. Both must outlive the step.
  nn::Input operator()(nn::Tape& tape, std::span<const int32_t> nodes, std::span<const int32_t> owners = {});
  // What one process has of whose rows these are some: shared steps then end in its bits, although it transposes.
  void part_of(const kernels::WholeSparse& whole) { whole_ = whole; }
  int64_t width() const { return features_.cols(); }

 private:
  nn::Input shared_input(nn::Tape& tape, const SparseView& matrix, std::span<const int32_t> nodes,
                         std::span<const int32_t> owners);

  graph::Features features_;
  GatheredRows gathered_;
  TransposedRows transposed_;  // of training steps
  bool keep_order_ = false;
  std::optional<kernels::WholeSparse> whole_;
  int64_t shared_steps_ = 0;
};

// Rows of a dense matrix in the same way.
class MatrixRows {
 public:
  explicit MatrixRows(ConstMatrixView matrix) : matrix_(matrix) {}
  nn::Var operator()(nn::Tape& tape, std::span<const int32_t> nodes);

 private:
  ConstMatrixView matrix_;
  GatheredRows gathered_;
};

}  // namespace graphveil::learn
