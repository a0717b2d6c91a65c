// Rounding of rows, compiled once per level. The sum of squares of a row runs in 8 lanes whatever the level, joined in
// one order, and the square of a float is exact in double, fused or not: same bits everywhere. The sum of squares of
// the rounded row may differ in its last bits; the caller leaves room for that.
#pragma once

#include "graphveil/kernels/isa/grid_rows.h"

namespace graphveil::kernels::isa {
namespace {

constexpr int kSumLanes = 8;
// Registers of the level that hold 8 doubles.
constexpr int kParts = 64 / GRAPHVEIL_VECTOR_BYTES;
constexpr int kPartLanes = kSumLanes / kParts;
typedef double Part __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(8), may_alias));
typedef Real PartReals __attribute__((vector_size(kPartLanes * sizeof(Real)), aligned(sizeof(Real)), may_alias));
typedef int32_t PartInts __attribute__((vector_size(kPartLanes * 4), aligned(4), may_alias));

inline double joined(const Part (&sums)[kParts]) {
  double lanes[kSumLanes];
  for (int l = 0; l < kSumLanes; ++l) lanes[l] = sums[l / kPartLanes][l % kPartLanes];
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

inline Part load_reals(const Real* from) {
  return __builtin_convertvector(*reinterpret_cast<const PartReals*>(from), Part);
}

double grid_sum_of_squares(const Real* row, int64_t cols) noexcept {
  Part sums[kParts] = {};
  int64_t c = 0;
  for (; c + kSumLanes <= cols; c += kSumLanes) {
    for (int p = 0; p < kParts; ++p) {
      const Part x = load_reals(row + c + p * kPartLanes);
      sums[p] += x * x;
    }
  }
  double rest = 0;
  for (; c < cols; ++c) {
    const auto x = static_cast<double>(row[c]);
    rest += x * x;
  }
  return joined(sums) + rest;
}

double grid_round_down(const Real* row, int64_t cols, double factor, int32_t* out) noexcept {
  Part sums[kParts] = {};
  int64_t c = 0;
  for (; c + kSumLanes <= cols; c += kSumLanes) {
    for (int p = 0; p < kParts; ++p) {
      const PartInts whole = __builtin_convertvector(load_reals(row + c + p * kPartLanes) * factor, PartInts);
      *reinterpret_cast<PartInts*>(out + c + p * kPartLanes) = whole;
      const Part back = __builtin_convertvector(whole, Part);
      sums[p] += back * back;
    }
  }
  double rest = 0;
  for (; c < cols; ++c) {
    out[c] = static_cast<int32_t>(static_cast<double>(row[c]) * factor);
    rest += static_cast<double>(out[c]) * static_cast<double>(out[c]);
  }
  return joined(sums) + rest;
}

constexpr GridRowsKernels kGridRowsTable{.sum_of_squares = grid_sum_of_squares, .round_down = grid_round_down};

}  // namespace
}  // namespace graphveil::kernels::isa
