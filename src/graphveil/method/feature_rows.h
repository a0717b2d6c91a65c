// Rows of a data set's features, as input to a network's first layer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/graph/dataset.h"
#include "graphveil/method/options.h"
#include "graphveil/nn/buffer.h"
#include "graphveil/nn/layers_dense.h"

namespace graphveil::method {

// Declares --feature-rows: whether each node's features are scaled to norm 1, which reads that node's record alone.
void declare_feature_scaling(Options& options, bool& unit_rows);
graph::Dataset with_unit_rows(const graph::Dataset& data, bool unit_rows);

// Sparse rows are gathered inside the first product; dense ones are copied, once when the same list comes again.
class FeatureRows {
 public:
  explicit FeatureRows(const graph::Features& features) : features_(features) {}
  // The rows of these nodes. In a per-sample step row r belongs to sample owners[r], or to sample r when owners is
  // empty. Both must outlive the step.
  nn::Input operator()(nn::Tape& tape, std::span<const int32_t> nodes, std::span<const int32_t> owners = {});
  int64_t width() const { return features_.cols(); }

 private:
  graph::Features features_;
  nn::Buffer gathered_;
  std::vector<int32_t> gathered_for_;
};

// Rows of a dense matrix in the same way.
class MatrixRows {
 public:
  explicit MatrixRows(ConstMatrixView matrix) : matrix_(matrix) {}
  nn::Var operator()(nn::Tape& tape, std::span<const int32_t> nodes);

 private:
  ConstMatrixView matrix_;
  nn::Buffer gathered_;
  std::vector<int32_t> gathered_for_;
};

}  // namespace graphveil::method
