#include "graphveil/kernels/reduce.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/columns.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/piece_sums.h"

namespace graphveil::kernels {
namespace {

// Lanes summed apart and joined at the end, so that the compiler can use vector registers.
constexpr int64_t kReduceLanes = 16;
constexpr int64_t kReducePiece = 16384;

double join_lanes(double* lanes) {
  for (int64_t width = kReduceLanes / 2; width > 0; width /= 2) {
    for (int64_t l = 0; l < width; ++l) lanes[l] += lanes[l + width];
  }
  return lanes[0];
}

template <typename Term>
double lane_sum(int64_t begin, int64_t end, Term term) {
  double lanes[kReduceLanes] = {};
  int64_t i = begin;
  for (; i + kReduceLanes <= end; i += kReduceLanes) {
    for (int64_t l = 0; l < kReduceLanes; ++l) lanes[l] += term(i + l);
  }
  for (; i < end; ++i) lanes[i - (end - (end - begin) % kReduceLanes)] += term(i);
  return join_lanes(lanes);
}

// The sum of term over [0, count): pieces of fixed length, added in their order.
template <typename Term>
double piecewise_sum(int64_t count, Term term) {
  if (count <= kReducePiece) return lane_sum(0, count, term);
  thread_local std::vector<double> memory;  // kept, so that a repeated call allocates nothing
  std::vector<double>& partial = memory;    // the caller's, also in the threads of the loop
  partial.resize(static_cast<size_t>((count + kReducePiece - 1) / kReducePiece));
  parallel_for(count, kReducePiece,
               [&](int64_t begin, int64_t end) { partial[begin / kReducePiece] = lane_sum(begin, end, term); });
  double total = 0;
  for (double p : partial) total += p;
  return total;
}

// The same over ranks, each of which has a stretch of x: a term's lane follows from its place among all.
double shared_sum(std::span<const Real> x, const SharedRows& shared) {
  double total = 0;
  sum_pieces(
      static_cast<int64_t>(x.size()), kReducePiece, kReduceLanes, std::span(&total, 1), &shared,
      [&](int64_t begin, int64_t count, double* lanes, bool) {
        for (int64_t i = begin; i < begin + count; ++i) lanes[(shared.first() + i) % kReduceLanes] += double{x[i]};
      },
      [](const double* lanes, double* sum) {
        std::array<double, kReduceLanes> own;
        std::copy_n(lanes, kReduceLanes, own.begin());
        *sum += join_lanes(own.data());
      });
  return total;
}

// The same over a matrix whose rows are apart: one sum per row, joined by pieces.
template <typename RowTerm>
double rowwise_sum(int64_t rows, int64_t cols, RowTerm row_term) {
  thread_local std::vector<double> memory;
  std::vector<double>& partial = memory;
  partial.resize(static_cast<size_t>(rows));
  parallel_for(rows, rows_per_piece(cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) partial[r] = lane_sum(0, cols, row_term(r));
  });
  return piecewise_sum(rows, [&](int64_t r) { return partial[r]; });
}

double square(Real v) { return static_cast<double>(v) * v; }

std::span<const Real> flat(ConstMatrixView x) { return {x.data, static_cast<size_t>(x.size())}; }

}  // namespace

double sum(std::span<const Real> x, const SharedRows* shared) {
  if (shared != nullptr) return shared_sum(x, *shared);
  return piecewise_sum(static_cast<int64_t>(x.size()), [p = x.data()](int64_t i) { return double{p[i]}; });
}

double sum_of_squares(std::span<const Real> x) {
  return piecewise_sum(static_cast<int64_t>(x.size()), [p = x.data()](int64_t i) { return square(p[i]); });
}

double dot(std::span<const Real> x, std::span<const Real> y) {
  assert(x.size() == y.size());
  return piecewise_sum(static_cast<int64_t>(x.size()),
                       [p = x.data(), q = y.data()](int64_t i) { return static_cast<double>(p[i]) * q[i]; });
}

double sum(ConstMatrixView x) {
  if (x.contiguous()) return sum(flat(x));
  return rowwise_sum(x.rows, x.cols,
                     [&](int64_t r) { return [p = x.data + r * x.stride](int64_t c) { return double{p[c]}; }; });
}

double sum_of_squares(ConstMatrixView x) {
  if (x.contiguous()) return sum_of_squares(flat(x));
  return rowwise_sum(x.rows, x.cols,
                     [&](int64_t r) { return [p = x.data + r * x.stride](int64_t c) { return square(p[c]); }; });
}

double dot(ConstMatrixView x, ConstMatrixView y) {
  assert(x.rows == y.rows && x.cols == y.cols);
  if (x.contiguous() && y.contiguous()) return dot(flat(x), flat(y));
  return rowwise_sum(x.rows, x.cols, [&](int64_t r) {
    return
        [p = x.data + r * x.stride, q = y.data + r * y.stride](int64_t c) { return static_cast<double>(p[c]) * q[c]; };
  });
}

void column_sums(ConstMatrixView x, std::span<Real> out, Into into, const SharedRows* shared) {
  assert(static_cast<int64_t>(out.size()) == x.cols);
  const isa::ColumnKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kColumns);
  thread_local std::vector<double> memory;
  std::vector<double>& totals = memory;
  totals.assign(out.size(), 0.0);
  if (into == Into::Add) std::ranges::copy(out, totals.begin());
  sum_pieces(x.rows, rows_per_piece(x.cols, 4 * kReducePiece), std::span(totals), shared,
             [&](int64_t begin, int64_t count, double* sums, bool) {
               kernels.add_sums({x.data + begin * x.stride, x.stride}, count, x.cols, sums);
             });
  for (size_t c = 0; c < out.size(); ++c) out[c] = static_cast<Real>(totals[c]);
}

Real max_abs(ConstMatrixView x) {
  std::vector<Real> partial(static_cast<size_t>(x.rows), 0);
  parallel_for(x.rows, rows_per_piece(x.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      Real largest = 0;
      // The negated comparison lets a NaN win, and then keeps it.
      for (Real v : x.row(r)) largest = !(std::abs(v) <= largest) && largest == largest ? std::abs(v) : largest;
      partial[r] = largest;
    }
  });
  Real largest = 0;
  for (Real v : partial) largest = !(v <= largest) && largest == largest ? v : largest;
  return largest;
}

bool all_finite(ConstMatrixView x) { return max_abs(x) < std::numeric_limits<Real>::infinity(); }

}  // namespace graphveil::kernels
