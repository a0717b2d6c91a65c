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

// Where the entries of some rows in some columns begin and end. Indices rise within a row, so they are one stretch of
// it.
struct Stretches {
  std::vector<int64_t> begins, ends;  // one more row, so that the last one knows what comes next

  // For rows [first, last) of the matrix.
  void find(const SparseView& a, int64_t first, int64_t last, Columns within) {
    const auto count = static_cast<size_t>(std::min(last + 1, a.rows) - first);
    begins.resize(count + 1);
    ends.resize(count + 1);
    for (size_t i = 0; i < count; ++i) {
      const int64_t row = first + static_cast<int64_t>(i);
      begins[i] = within.begin <= 0 ? a.offsets[row] : place(a, row, within.begin);
      ends[i] = within.end >= a.cols ? a.offsets[row + 1] : place(a, row, within.end);
    }
    begins[count] = ends[count] = a.offsets[a.rows];
  }

 private:
  static int64_t place(const SparseView& a, int64_t row, int64_t column) {
    const std::span<const int32_t> entries = a.row(row);
    return a.offsets[row] + (std::ranges::lower_bound(entries, column) - entries.begin());
  }
};

// The calling thread's, which keeps the memory: a repeated call allocates nothing.
Stretches& own_stretches() {
  thread_local Stretches stretches;
  return stretches;
}

// In rows from `first` on.
template <typename Sum>
isa::IntegerSpmmSlice<Sum> slice_of(const SparseView& a, const Stretches& stretches, Terms x,
                                    IntegerMatrixView<Sum> out, int64_t first, Into into) {
  return {.begins = stretches.begins.data(),
          .ends = stretches.ends.data(),
          .indices = a.indices.data(),
          .last_entry = a.entries() - 1,
          .x = x.data,
          .x_stride = x.stride,
          .out = out.data + first * out.stride,
          .out_stride = out.stride,
          .width = x.cols,
          .add = into == Into::Add};
}

bool tiling_pays(const SparseView& a, Terms x) {
  const int64_t slice_bytes = x.rows * std::min(x.cols, kTileWidth) * static_cast<int64_t>(sizeof(int32_t));
  return slice_bytes > kOuterCacheBytes && mean_entries(a) >= 4 * (slice_bytes / kTileBytes);
}

// Columns of these rows brought together, in memory that the calling thread keeps.
Terms packed(Terms x, Columns rows) {
  thread_local std::vector<int32_t> memory;
  if (static_cast<int64_t>(memory.size()) < x.size()) memory.resize(static_cast<size_t>(x.size()));
  int32_t* target = memory.data();
  parallel_for(rows.end - rows.begin, rows_per_piece(x.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = rows.begin + begin; r < rows.begin + end; ++r) {
      std::memcpy(target + r * x.cols, x.data + r * x.stride, static_cast<size_t>(x.cols) * sizeof(int32_t));
    }
  });
  return {target, x.rows, x.cols};
}

template <typename Sum>
void gather_tiled(const isa::IntegerSpmmLoops<Sum>& loops, const SparseView& a, Columns within, Terms x,
                  IntegerMatrixView<Sum> out, Into into) {
  const int64_t tile_rows = kTileBytes / (x.cols * static_cast<int64_t>(sizeof(int32_t)));
  parallel_for(out.rows, kTiledRows, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end && into == Into::Overwrite; ++r) std::ranges::fill(out.row(r), Sum{0});
    Stretches& stretches = own_stretches();
    stretches.find(a, begin, end, within);
    thread_local std::vector<int64_t> cursor;  // kept, so that a repeated call allocates nothing
    cursor.assign(static_cast<size_t>(end - begin + isa::kIntegerCursorPadding), 0);
    std::copy_n(stretches.begins.begin(), end - begin, cursor.begin());
    const auto slice = slice_of(a, stretches, x, out, begin, into);
    for (int64_t tile = within.begin; tile < within.end; tile += tile_rows) {
      loops.gather_tile(slice, end - begin, cursor.data(), std::min(within.end, tile + tile_rows));
    }
  });
}

template <typename Sum>
void gather_product(const SparseView& a, Columns within, Terms x, IntegerMatrixView<Sum> out, Into into) {
  assert(x.rows == a.cols && out.rows == a.rows && out.cols == x.cols);
  assert(a.values.empty() && within.begin >= 0 && within.begin <= within.end && within.end <= a.cols);
  const isa::IntegerSpmmLoops<Sum>& loops = loops_for<Sum>();
  if (!tiling_pays(a, x)) {
    const int64_t entries = rows_per_piece(x.cols, kPieceWork);
    parallel_rows_by_entries(a.offsets, entries, [&](int64_t begin, int64_t end) {
      Stretches& stretches = own_stretches();
      stretches.find(a, begin, end, within);
      for (int64_t c = 0; c < x.cols; c += loops.max_width) {
        const int64_t width = std::min(loops.max_width, x.cols - c);
        loops.gather(slice_of(a, stretches, x.columns(c, width), out.columns(c, width), begin, into), end - begin);
      }
    });
    return;
  }
  const int64_t tile_width = std::min(kTileWidth, loops.max_width);
  for (int64_t c = 0; c < x.cols; c += tile_width) {
    const int64_t width = std::min(tile_width, x.cols - c);
    Terms source = x.columns(c, width);
    if (source.stride != width) source = packed(source, within);
    gather_tiled(loops, a, within, source, out.columns(c, width), into);
  }
}

}  // namespace

void spmm(const SparseView& a, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int32_t> out, Into into) {
  gather_product(a, {0, a.cols}, x, out, into);
}

void spmm(const SparseView& a, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int64_t> out, Into into) {
  gather_product(a, {0, a.cols}, x, out, into);
}

void spmm(const SparseView& a, Columns within, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int64_t> out,
          Into into) {
  gather_product(a, within, x, out, into);
}

}  // namespace graphveil::kernels
