#include "graphveil/learn/feature_rows.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/graph/normalize.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::learn {
namespace {

constexpr int64_t kIdsAtOnce = int64_t{1} << 16;

bool same_list(std::span<const int32_t> a, std::span<const int32_t> b) {
  if (a.size() != b.size()) return false;
  // Lists that differ mostly do so at once.
  const size_t few = std::min<size_t>(a.size(), 16);
  if (!std::ranges::equal(a.first(few), b.first(few))) return false;
  std::atomic<bool> same{true};
  parallel_for(std::ssize(a), kIdsAtOnce, [&](int64_t begin, int64_t end) {
    const auto first = static_cast<size_t>(begin), count = static_cast<size_t>(end - begin);
    if (!std::ranges::equal(a.subspan(first, count), b.subspan(first, count))) same = false;
  });
  return same;
}

}  // namespace

ConstMatrixView GatheredRows::operator()(ConstMatrixView matrix, std::span<const int32_t> rows) {
  // Compared by content: batches come in the same memory with other ids.
  const auto holds = [&](const Entry& entry) { return !rows.empty() && same_list(entry.list, rows); };
  if (holds(entries_[last_])) return entries_[last_].rows.view();
  // The two others, the older one first.
  std::array<size_t, 2> others{(last_ + 1) % entries_.size(), (last_ + 2) % entries_.size()};
  if (entries_[others[1]].used < entries_[others[0]].used) std::swap(others[0], others[1]);
  if (holds(entries_[others[0]]) || holds(entries_[others[1]])) {
    last_ = holds(entries_[others[0]]) ? others[0] : others[1];
  } else {
    last_ = entries_[others[0]].list.size() <= entries_[others[1]].list.size() ? others[0] : others[1];
    Entry& entry = entries_[last_];
    kernels::gather_rows(matrix, rows, entry.rows.resize(static_cast<int64_t>(rows.size()), matrix.cols));
    entry.list.assign(rows.begin(), rows.end());
  }
  entries_[last_].used = ++calls_;
  return entries_[last_].rows.view();
}

const SparseMatrix* TransposedRows::operator()(const SparseView& matrix, std::span<const int32_t> rows) {
  if (matrix.entries() > kMostEntries) return nullptr;
  if (!std::ranges::equal(list_, rows)) {
    list_.assign(rows.begin(), rows.end());
    transposed_.reset();
    return nullptr;
  }
  if (transposed_) return &*transposed_;
  std::vector<int64_t> offsets{0};
  for (const int32_t r : rows) offsets.push_back(offsets.back() + std::ssize(matrix.row(r)));
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (const int32_t r : rows) {
    const auto begin = static_cast<size_t>(matrix.offsets[static_cast<size_t>(r)]);
    const std::span<const int32_t> columns = matrix.row(r);
    indices.insert(indices.end(), columns.begin(), columns.end());
    if (matrix.values.empty()) continue;
    const std::span<const Real> of_row = matrix.values.subspan(begin, columns.size());
    values.insert(values.end(), of_row.begin(), of_row.end());
  }
  transposed_ = kernels::transpose({std::ssize(rows), matrix.cols, offsets, indices, values});
  return &*transposed_;
}

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
  const auto constant = static_cast<Real>(bias_input);
  if (unit_rows && bias_input != 0) {
    scaled.features = graph::normalized_with_constant(scaled.features, graph::RowNorm::L2, constant);
    return scaled;
  }
  if (unit_rows) scaled.features = graph::row_normalized(scaled.features, graph::RowNorm::L2);
  if (bias_input != 0) scaled.features = graph::with_constant(scaled.features, constant);
  return scaled;
}

// One process transposes from the second step on, since all of them want the same rows.
nn::Input FeatureRows::shared_input(nn::Tape& tape, const SparseView& matrix, std::span<const int32_t> nodes,
                                    std::span<const int32_t> owners) {
  kernels::WholeSparse whole = *whole_;
  whole.transposed = shared_steps_++ > 0 && whole.entries <= TransposedRows::kMostEntries;
  return {tape, nn::SparseInput{matrix, nodes, owners, nullptr, whole}};
}

nn::Input FeatureRows::operator()(nn::Tape& tape, std::span<const int32_t> nodes, std::span<const int32_t> owners) {
  if (features_.is_sparse()) {
    const SparseView matrix = features_.sparse().view();
    if (tape.shared_rows() != nullptr && whole_) return shared_input(tape, matrix, nodes, owners);
    const bool plain_step = tape.training() && !tape.per_sample() && !keep_order_;
    return {tape, nn::SparseInput{matrix, nodes, owners, plain_step ? transposed_(matrix, nodes) : nullptr}};
  }
  if (tape.per_sample()) return tape.input_rows(features_.dense(), nodes, owners);
  return tape.input(gathered_(features_.dense(), nodes), owners);
}

nn::Var MatrixRows::operator()(nn::Tape& tape, std::span<const int32_t> nodes) {
  if (tape.per_sample()) return tape.input_rows(matrix_, nodes);
  return tape.input(gathered_(matrix_, nodes));
}

}  // namespace graphveil::learn
