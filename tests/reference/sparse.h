// Slow, obvious versions of the sparse products, in double.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/sparse_matrix.h"

namespace graphveil::reference {

using Table = std::vector<std::vector<double>>;

// The sparse matrix written out in full.
inline Table dense(const SparseView& a) {
  Table full(static_cast<size_t>(a.rows), std::vector<double>(static_cast<size_t>(a.cols), 0.0));
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t e = a.offsets[r]; e < a.offsets[r + 1]; ++e) {
      full[r][a.indices[e]] += a.values.empty() ? 1.0 : static_cast<double>(a.values[e]);
    }
  }
  return full;
}

inline Table transposed(const Table& a, size_t cols) {
  Table t(cols, std::vector<double>(a.size()));
  for (size_t r = 0; r < a.size(); ++r) {
    for (size_t c = 0; c < cols; ++c) t[c][r] = a[r][c];
  }
  return t;
}

inline Table product(const Table& a, ConstMatrixView x) {
  Table out(a.size(), std::vector<double>(static_cast<size_t>(x.cols), 0.0));
  for (size_t r = 0; r < a.size(); ++r) {
    for (int64_t c = 0; c < x.cols; ++c) {
      for (int64_t k = 0; k < x.rows; ++k) out[r][c] += a[r][k] * x(k, c);
    }
  }
  return out;
}

}  // namespace graphveil::reference
