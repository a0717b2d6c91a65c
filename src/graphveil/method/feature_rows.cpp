#include "graphveil/method/feature_rows.h"

#include <algorithm>

#include "graphveil/graph/normalize.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::method {
namespace {

// Copies the rows unless the same list was copied last.
nn::Var gathered_rows(nn::Tape& tape, ConstMatrixView matrix, std::span<const int32_t> nodes,
                      std::span<const int32_t> owners, nn::Buffer& memory, std::vector<int32_t>& gathered_for) {
  // Compared by content: batches come in the same memory with other ids.
  if (nodes.empty() || !std::ranges::equal(gathered_for, nodes)) {
    kernels::gather_rows(matrix, nodes, memory.resize(static_cast<int64_t>(nodes.size()), matrix.cols));
    gathered_for.assign(nodes.begin(), nodes.end());
  }
  return tape.input(memory.view(), owners);
}

}  // namespace

void FeatureScaling::declare_unit_rows(Options& options) {
  options.choice(
      "feature-rows", unit_rows, {{"unit", true}, {"as-is", false}},
      "Scale each node's features to norm 1 (reads that node alone, so it is free), or take them as they are");
}

void FeatureScaling::declare(Options& options) {
  declare_unit_rows(options);
  options.real("bias-input", bias_input, 0, 1000,
               "Constant feature in place of the first layer's bias; 0: an ordinary bias");
}

graph::Dataset FeatureScaling::apply(const graph::Dataset& data) const {
  graph::Dataset scaled = data;
  if (unit_rows) scaled.features = graph::row_normalized(scaled.features, graph::RowNorm::L2);
  if (bias_input != 0) scaled.features = graph::with_constant(scaled.features, static_cast<Real>(bias_input));
  return scaled;
}

nn::Input FeatureRows::operator()(nn::Tape& tape, std::span<const int32_t> nodes, std::span<const int32_t> owners) {
  if (features_.is_sparse()) return {tape, nn::SparseInput{features_.sparse().view(), nodes, owners}};
  return gathered_rows(tape, features_.dense(), nodes, owners, gathered_, gathered_for_);
}

nn::Var MatrixRows::operator()(nn::Tape& tape, std::span<const int32_t> nodes) {
  return gathered_rows(tape, matrix_, nodes, {}, gathered_, gathered_for_);
}

}  // namespace graphveil::method
