#include "graphveil/kernels/integer_spmm.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/integer_spmm.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/rows_by_entries.h"
#include "graphveil/kernels/tiling.h"

namespace graphveil::kernels {
namespace {

constexpr int64_t kPieceWork = 65536;  // terms of a piece

using Terms = ConstIntegerMatrixView<int32_t>;

template <typename Sum>
const isa::IntegerSpmmLoops<Sum>& loops_for() {
  const isa::IntegerSpmmKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kIntegerSpmm);
  if constexpr (sizeof(Sum) == sizeof(int32_t)) {
    return kernels.narrow;
  } else {
    return kernels.wide;
  }
}

template <typename Sum>
isa::IntegerSpmmSlice<Sum> slice_of(const SparseView& a, Terms x, IntegerMatrixView<Sum> out, Into into) {
  return {.offsets = a.offsets.data(),
          .indices = a.indices.data(),
          .last_entry = a.entries() - 1,
          .x = x.data,
          .x_stride = x.stride,
          .out = out.data,
          .out_stride = out.stride,
          .width = x.cols,
          .add = into == Into::Add};
}

bool tiling_pays(const SparseView& a, Terms x) {
  const int64_t slice_bytes = x.rows * std::min(x.cols, kTileWidth) * static_cast<int64_t>(sizeof(int32_t));
  return slice_bytes > kOuterCacheBytes && mean_entries(a) >= 4 * (slice_bytes / kTileBytes);
}

// Columns brought together, in memory that the calling thread keeps.
Terms packed(Terms x) {
  thread_local std::vector<int32_t> memory;
  if (static_cast<int64_t>(memory.size()) < x.size()) memory.resize(static_cast<size_t>(x.size()));
  int32_t* target = memory.data();
  parallel_for(x.rows, rows_per_piece(x.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      std::memcpy(target + r * x.cols, x.data + r * x.stride, static_cast<size_t>(x.cols) * sizeof(int32_t));
    }
  });
  return {target, x.rows, x.cols};
}

template <typename Sum>
void gather_tiled(const isa::IntegerSpmmLoops<Sum>& loops, const isa::IntegerSpmmSlice<Sum>& slice, int64_t rows,
                  int64_t x_rows) {
  const int64_t tile_rows = kTileBytes / (slice.width * static_cast<int64_t>(sizeof(int32_t)));
  parallel_for(rows, kTiledRows, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end && !slice.add; ++r) {
      std::fill_n(slice.out + r * slice.out_stride, slice.width, Sum{0});
    }
    thread_local std::vector<int64_t> cursor;  // kept, so that a repeated call allocates nothing
    cursor.assign(static_cast<size_t>(end - begin + isa::kIntegerCursorPadding), 0);
    std::copy_n(slice.offsets + begin, end - begin, cursor.begin());
    for (int64_t tile = 0; tile < x_rows; tile += tile_rows) {
      loops.gather_tile(slice, begin, end, cursor.data(), std::min(x_rows, tile + tile_rows));
    }
  });
}

template <typename Sum>
void gather_product(const SparseView& a, Terms x, IntegerMatrixView<Sum> out, Into into) {
  assert(x.rows == a.cols && out.rows == a.rows && out.cols == x.cols);
  assert(a.values.empty());
  const isa::IntegerSpmmLoops<Sum>& loops = loops_for<Sum>();
  if (!tiling_pays(a, x)) {
    const int64_t entries = rows_per_piece(x.cols, kPieceWork);
    parallel_rows_by_entries(a.offsets, entries, [&](int64_t begin, int64_t end) {
      for (int64_t c = 0; c < x.cols; c += loops.max_width) {
        const int64_t width = std::min(loops.max_width, x.cols - c);
        loops.gather(slice_of(a, x.columns(c, width), out.columns(c, width), into), begin, end);
      }
    });
    return;
  }
  const int64_t tile_width = std::min(kTileWidth, loops.max_width);
  for (int64_t c = 0; c < x.cols; c += tile_width) {
    const int64_t width = std::min(tile_width, x.cols - c);
    Terms source = x.columns(c, width);
    if (source.stride != width) source = packed(source);
    gather_tiled(loops, slice_of(a, source, out.columns(c, width), into), out.rows, x.rows);
  }
}

}  // namespace

void spmm(const SparseView& a, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int32_t> out, Into into) {
  gather_product(a, x, out, into);
}

void spmm(const SparseView& a, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int64_t> out, Into into) {
  gather_product(a, x, out, into);
}

}  // namespace graphveil::kernels
