// Sparse matrices of Real by compressed rows.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/real.h"
#include "graphveil/base/shared_array.h"

namespace graphveil {

// What the kernels read: row r holds columns indices[offsets[r] .. offsets[r + 1]). Does not own.
// Without values every stored entry is 1.
struct SparseView {
  int64_t rows = 0;
  int64_t cols = 0;
  std::span<const int64_t> offsets;  // rows + 1
  std::span<const int32_t> indices;
  std::span<const Real> values;                   // empty, or as long as indices
  std::span<const uint16_t> narrow_indices = {};  // the indices in half the bytes, where somebody keeps them: a sum
                                                  // over a graph reads little else that is not in a cache

  int64_t entries() const { return static_cast<int64_t>(indices.size()); }
  std::span<const int32_t> row(int64_t r) const {
    return indices.subspan(static_cast<size_t>(offsets[r]), static_cast<size_t>(offsets[r + 1] - offsets[r]));
  }
};

// Owns (or shares) the arrays. Immutable after construction; indices rise strictly within a row.
struct SparseMatrix {
  int64_t rows = 0;
  int64_t cols = 0;
  SharedArray<int64_t> offsets = SharedArray<int64_t>(std::vector<int64_t>{0});
  SharedArray<int32_t> indices;
  SharedArray<Real> values;

  int64_t entries() const { return static_cast<int64_t>(indices.size()); }
  SparseView view() const { return {rows, cols, offsets.span(), indices.span(), values.span()}; }
  operator SparseView() const { return view(); }
};

}  // namespace graphveil
