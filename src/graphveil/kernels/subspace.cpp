#include "graphveil/kernels/subspace.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/gram.h"
#include "graphveil/kernels/symmetric_eigen.h"

namespace graphveil::kernels {
namespace {

constexpr int64_t kSpareColumns = 16;

}  // namespace

LeadingSubspace leading_subspace(const LinearMap& map, int64_t rank, const Seed& seed, int iterations) {
  require(rank >= 1, "rank is {}, want at least 1", rank);
  const int64_t width = std::min({rank + kSpareColumns, map.rows, map.cols});
  rank = std::min(rank, width);
  Matrix right = Matrix::uninitialized(map.cols, width), left = Matrix::uninitialized(map.rows, width);
  RandomStream random(seed, "subspace start");
  for (Real& x : right.values()) x = static_cast<Real>(random.gaussian());
  for (int i = 0; i < iterations; ++i) {
    map.apply(right, left);
    orthonormalize_columns(left);
    map.apply_transposed(left, right);
    orthonormalize_columns(right);
  }
  map.apply(right, left);

  // Within the subspace: (A V)ᵀ (A V) = W diag(s²) Wᵀ, and V W are the singular vectors.
  std::vector<double> squares(static_cast<size_t>(width * width)), rotation(static_cast<size_t>(width * width));
  gram(left, {squares.data(), width, width});
  std::vector<double> values = symmetric_eigen({squares.data(), width, width}, {rotation.data(), width, width});
  Matrix turn = Matrix::uninitialized(width, rank);
  for (int64_t i = 0; i < width; ++i) {
    for (int64_t k = 0; k < rank; ++k) turn(i, k) = static_cast<Real>(rotation[i * width + k]);
  }
  LeadingSubspace out{{}, Matrix::uninitialized(map.cols, rank), Matrix::uninitialized(map.rows, rank)};
  for (int64_t k = 0; k < rank; ++k) out.singular_values.push_back(std::sqrt(std::max(values[k], 0.0)));
  matmul(right, turn, out.vectors);
  matmul(left, turn, out.projected);
  return out;
}

}  // namespace graphveil::kernels
