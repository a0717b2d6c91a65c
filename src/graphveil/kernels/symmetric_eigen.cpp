#include "graphveil/kernels/symmetric_eigen.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace graphveil::kernels {
namespace {

constexpr int kMaxSweeps = 60;  // a dozen is usual
constexpr double kSmall = 1e-15;

// (x, y) := (c x - s y, s x + c y) for two rows.
void rotate(double* x, double* y, int64_t count, double c, double s) {
  for (int64_t k = 0; k < count; ++k) {
    const double a = x[k], b = y[k];
    x[k] = c * a - s * b;
    y[k] = s * a + c * b;
  }
}

}  // namespace

std::vector<double> symmetric_eigen(DoubleView a, DoubleView vectors) {
  const int64_t n = a.rows;
  assert(a.cols == n && vectors.rows == n && vectors.cols == n);
  // Rows of `rows` become the eigenvectors: rotations then run along memory.
  std::vector<double> rows(static_cast<size_t>(n * n), 0.0);
  for (int64_t i = 0; i < n; ++i) rows[i * n + i] = 1;
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) total += a(i, j) * a(i, j);
  }

  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double off = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < i; ++j) off += 2 * a(i, j) * a(i, j);
    }
    if (off <= kSmall * kSmall * total) break;
    for (int64_t p = 0; p < n; ++p) {
      for (int64_t q = p + 1; q < n; ++q) {
        if (a(p, q) == 0) continue;
        // The smaller root of t² + 2 θ t - 1 = 0 makes a(p, q) vanish.
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        rotate(a.row(p).data(), a.row(q).data(), n, c, s);
        for (int64_t k = 0; k < n; ++k) rotate(&a(k, p), &a(k, q), 1, c, s);
        rotate(rows.data() + p * n, rows.data() + q * n, n, c, s);
      }
    }
  }

  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return a(i, i) > a(j, j); });
  std::vector<double> values(static_cast<size_t>(n));
  for (int64_t k = 0; k < n; ++k) {
    values[k] = a(order[k], order[k]);
    for (int64_t i = 0; i < n; ++i) vectors(i, k) = rows[order[k] * n + i];
  }
  return values;
}

}  // namespace graphveil::kernels
