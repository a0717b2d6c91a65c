#include "graphveil/nn/row_squares.h"

#include <algorithm>
#include <limits>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/nn/buffer.h"

namespace graphveil::nn {
namespace {

constexpr int64_t kColumnsInFloat = 4096;
constexpr int64_t kRowsAtOnce = 4096;  // of loops that do little for each
// Between these no square that counts was rounded below the smallest float, and none overflowed.
constexpr double kLeastTrusted = 0x1p-100, kMostTrusted = 0x1p100;
constexpr double kLargestSquare = 1e30;

double limited(double square) { return square <= kLargestSquare ? square : std::numeric_limits<double>::infinity(); }

double checked(double square, std::span<const Real> row) {
  if (square >= kLeastTrusted && square <= kMostTrusted) return limited(square);
  return limited(kernels::sum_of_squares(row));
}

}  // namespace

void row_squares(ConstMatrixView x, std::span<double> squares) {
  thread_local Buffer memory;
  const std::span<Real> dots = memory.resize(x.rows);
  for (int64_t c = 0; c < std::max<int64_t>(1, x.cols); c += kColumnsInFloat) {
    const ConstMatrixView part = x.columns(c, std::min(kColumnsInFloat, x.cols - c));
    kernels::row_dots(part, part, dots);
    parallel_for(x.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
      for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r) {
        squares[r] = (c == 0 ? 0.0 : squares[r]) + static_cast<double>(dots[r]);
      }
    });
  }
  parallel_for(x.rows, kernels::rows_per_piece(16), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      double& square = squares[static_cast<size_t>(r)];
      square = checked(square, x.row(r));
    }
  });
}

double row_square(std::span<const Real> row) {
  const auto cols = static_cast<int64_t>(row.size());
  if (cols < 64) {  // in double, which a short row does not notice
    double even = 0, odd = 0;
    size_t i = 0;
    for (; i + 2 <= row.size(); i += 2) {
      even += static_cast<double>(row[i]) * row[i];
      odd += static_cast<double>(row[i + 1]) * row[i + 1];
    }
    if (i < row.size()) even += static_cast<double>(row[i]) * row[i];
    return limited(even + odd);
  }
  const ConstMatrixView x(row.data(), 1, cols);
  double square = 0;
  for (int64_t c = 0; c < cols; c += kColumnsInFloat) {
    const ConstMatrixView part = x.columns(c, std::min(kColumnsInFloat, cols - c));
    Real dot = 0;
    kernels::row_dots(part, part, {&dot, 1});
    square += static_cast<double>(dot);
  }
  return checked(square, row);
}

double rounding_share(int64_t k) {
  const double u = static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2;
  const double ku = static_cast<double>(k) * u;
  return ku / (1 - ku);
}

}  // namespace graphveil::nn
