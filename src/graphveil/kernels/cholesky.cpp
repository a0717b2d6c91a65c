#include "graphveil/kernels/cholesky.h"

#include <cassert>
#include <cmath>

namespace graphveil::kernels {
namespace {

double dot(const double* x, const double* y, int64_t count) {
  double sum = 0;
  for (int64_t k = 0; k < count; ++k) sum += x[k] * y[k];
  return sum;
}

}  // namespace

int64_t cholesky(DoubleView a, double floor) noexcept {
  assert(a.rows == a.cols);
  int64_t kept = 0;
  for (int64_t j = 0; j < a.rows; ++j) {
    const double* row_j = a.row(j).data();
    const double pivot = a(j, j) - dot(row_j, row_j, j);
    const bool independent = pivot > floor * a(j, j);
    kept += independent;
    a(j, j) = independent ? std::sqrt(pivot) : 0;
    for (int64_t i = j + 1; i < a.rows; ++i) {
      a(i, j) = independent ? (a(i, j) - dot(a.row(i).data(), row_j, j)) / a(j, j) : 0;
    }
  }
  return kept;
}

}  // namespace graphveil::kernels
