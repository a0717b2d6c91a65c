#include "graphveil/kernels/spmm.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/spmm.h"
#include "graphveil/kernels/piece_sums.h"
#include "graphveil/kernels/scratch.h"
#include "graphveil/kernels/tiling.h"

namespace graphveil::kernels {
namespace {

// Rows of an x of so many bytes come soon enough without asking.
constexpr int64_t kSmallBytes = 512 * 1024;

isa::SpmmSlice slice_of(const SparseView& a, const int32_t* rows, ConstMatrixView x, MatrixView out, bool add) {
  return {.offsets = a.offsets.data(),
          .indices = a.indices.data(),
          .narrow = a.narrow_indices.empty() ? nullptr : a.narrow_indices.data(),
          .values = a.values.empty() ? nullptr : a.values.data(),
          .rows = rows,
          .last_entry = x.rows * x.stride * static_cast<int64_t>(sizeof(Real)) > kSmallBytes ? a.entries() - 1 : -1,
          .x = x.data,
          .x_stride = x.stride,
          .out = out.data,
          .out_stride = out.stride,
          .width = x.cols,
          .add = add};
}

void zero_rows(MatrixView out) {
  for (int64_t r = 0; r < out.rows; ++r) std::fill_n(out.data + r * out.stride, out.cols, Real(0));
}

// Whether x is too big for the outer cache while each tile of it is still used a few times per output row.
bool tiling_pays(const SparseView& a, ConstMatrixView x) {
  const int64_t slice_bytes = x.rows * std::min(x.cols, kTileWidth) * static_cast<int64_t>(sizeof(Real));
  return slice_bytes > kOuterCacheBytes && mean_entries(a) >= 4 * (slice_bytes / kTileBytes);
}

// Walks x tile by tile, so that the rows gathered come from the inner cache. The indices of a row rise, so its
// entries for one tile are consecutive and a cursor per row is all the bookkeeping. (Were they not rising, the
// last tile, which has no limit, would still take what is left.) Sums run in the order of the entries, as in the
// plain sweep: same bits.
void gather_tiled(const isa::SpmmKernels& kernels, const isa::SpmmSlice& slice, int64_t rows, int64_t x_rows) {
  const int64_t tile_rows = kTileBytes / (slice.width * static_cast<int64_t>(sizeof(Real)));
  parallel_for(rows, kTiledRows, [&](int64_t begin, int64_t end) {
    if (!slice.add) zero_rows({slice.out + begin * slice.out_stride, end - begin, slice.width, slice.out_stride});
    thread_local std::vector<int64_t> cursor;  // kept, so that a repeated call allocates nothing
    cursor.assign(static_cast<size_t>(end - begin + isa::kCursorPadding), 0);
    for (int64_t i = begin; i < end; ++i) cursor[i - begin] = slice.offsets[slice.rows ? slice.rows[i] : i];
    for (int64_t tile = 0; tile < x_rows; tile += tile_rows) {
      const bool last = tile + tile_rows >= x_rows;
      kernels.gather_tile(slice, begin, end, cursor.data(), last ? x_rows : tile + tile_rows);
    }
  });
}

void gather_product(const SparseView& a, const int32_t* rows, ConstMatrixView x, MatrixView out, Into into) {
  const isa::SpmmKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSpmm);
  const bool add = into == Into::Add;
  if (!tiling_pays(a, x)) {
    parallel_for(out.rows, rows_per_piece(mean_entries(a) * x.cols, 65536), [&](int64_t begin, int64_t end) {
      for (int64_t c = 0; c < x.cols; c += kernels.max_width) {
        const int64_t width = std::min(kernels.max_width, x.cols - c);
        kernels.gather(slice_of(a, rows, x.columns(c, width), out.columns(c, width), add), begin, end);
      }
    });
    return;
  }
  const int64_t tile_width = std::min(kTileWidth, kernels.max_width);
  for (int64_t c = 0; c < x.cols; c += tile_width) {
    const int64_t width = std::min(tile_width, x.cols - c);
    ConstMatrixView source = x.columns(c, width);
    if (source.stride != width) {
      // Rows far apart would fall on few cache sets: bring the slice together first.
      struct Packed;
      const MatrixView packed = scratch<Packed>(x.rows, width);
      copy(source, packed);
      source = packed;
    }
    gather_tiled(kernels, slice_of(a, rows, source, out.columns(c, width), add), out.rows, x.rows);
  }
}

// Aᵀ x, or A[rows]ᵀ x, by scattering. The columns are what is shared out: every output entry then belongs to one
// piece, and is summed in the order of the rows.
void scatter_columns(const SparseView& a, const int32_t* rows, ConstMatrixView x, MatrixView out, Into into) {
  const isa::SpmmKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSpmm);
  // A wider slice reads the matrix less often, but its part of the output should stay in the outer cache.
  const bool wide_fits = out.rows * 32 * static_cast<int64_t>(sizeof(Real)) <= kOuterCacheBytes;
  const int64_t width = std::min<int64_t>(kernels.max_width, x.cols >= 64 && wide_fits ? 32 : 16);
  const auto scatter_slices = [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; c += width) {
      const int64_t count = std::min(width, end - c);
      const MatrixView target = out.columns(c, count);
      if (into == Into::Overwrite) zero_rows(target);
      kernels.scatter(slice_of(a, rows, x.columns(c, count), target, true), 0, x.rows);
    }
  };
  const bool small = mean_entries(a) * x.rows * x.cols < 65536;  // not worth waking threads
  parallel_for(x.cols, small ? x.cols : width, scatter_slices);
}

// Into so many pieces rows are cut where a thread each adds them up.
constexpr int64_t kScatterPieces = 4;

// The same for few columns: pieces of rows, a private sum for each, added up in their order.
void scatter_row_pieces(const SparseView& a, const int32_t* rows, ConstMatrixView x, MatrixView out, Into into) {
  const isa::SpmmKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSpmm);
  const int64_t grain = (x.rows + kScatterPieces - 1) / kScatterPieces;
  struct Partial;
  const MatrixView partial = scratch<Partial>(kScatterPieces * out.rows, out.cols);
  parallel_for(x.rows, grain, [&](int64_t begin, int64_t end) {
    const MatrixView target = partial.rows_at(begin / grain * out.rows, out.rows);
    zero_rows(target);
    kernels.scatter(slice_of(a, rows, x, target, true), begin, end);
  });
  const int64_t pieces = (x.rows + grain - 1) / grain;
  parallel_for(out.rows, rows_per_piece(out.cols * pieces), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t c = 0; c < out.cols; ++c) {
        Real total = into == Into::Add ? out(r, c) : Real(0);
        for (int64_t p = 0; p < pieces; ++p) total += partial(p * out.rows + r, c);
        out(r, c) = total;
      }
    }
  });
}

// Whether private sums pay: they are small beside the work, and the columns make a single piece.
bool by_row_pieces(int64_t entries, MatrixView out) {
  return out.cols <= 16 && entries > 8 * out.rows && entries > 32768;
}

// The same with the rows of all ranks, in their order.
void scatter_shared(const SparseView& a, const int32_t* rows, ConstMatrixView x, MatrixView out, Into into,
                    const SharedRows& shared, const WholeSparse* whole) {
  const int64_t all_entries = whole != nullptr ? whole->entries : shared.sum(a.entries());
  const int64_t all_rows = whole != nullptr ? whole->rows : shared.sum(a.rows);
  const int64_t mean = all_entries / std::max<int64_t>(1, all_rows) + 1;
  const bool one_by_one = whole != nullptr && whole->transposed;
  std::vector<Real> sums(static_cast<size_t>(out.size()));
  const MatrixView total(sums.data(), out.rows, out.cols);
  if (into == Into::Add) copy(out, total);
  if (!one_by_one && by_row_pieces(mean * shared.all(), out)) {
    const isa::SpmmKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSpmm);
    const int64_t grain = (shared.all() + kScatterPieces - 1) / kScatterPieces;
    sum_pieces(x.rows, grain, std::span(sums), &shared, [&](int64_t begin, int64_t count, Real* piece, bool) {
      kernels.scatter(slice_of(a, rows, x, {piece, out.rows, out.cols}, true), begin, begin + count);
    });
  } else {
    shared.in_turn(std::span(sums), [&] {
      if (x.rows > 0) scatter_columns(a, rows, x, total, Into::Add);
    });
  }
  copy(total, out);
}

void scatter_product(const SparseView& a, const int32_t* rows, ConstMatrixView x, MatrixView out, Into into,
                     const SharedRows* shared, const WholeSparse* whole = nullptr) {
  if (out.size() == 0) return;
  if (shared != nullptr) return scatter_shared(a, rows, x, out, into, *shared, whole);
  by_row_pieces(mean_entries(a) * x.rows, out) ? scatter_row_pieces(a, rows, x, out, into)
                                               : scatter_columns(a, rows, x, out, into);
}

[[maybe_unused]] bool rows_within(std::span<const int32_t> rows, int64_t count) {
  return std::all_of(rows.begin(), rows.end(), [&](int32_t r) { return r >= 0 && r < count; });
}

}  // namespace

void spmm(const SparseView& a, ConstMatrixView x, MatrixView out, Into into) {
  assert(x.rows == a.cols && out.rows == a.rows && out.cols == x.cols);
  gather_product(a, nullptr, x, out, into);
}

void spmm_rows(const SparseView& a, std::span<const int32_t> rows, ConstMatrixView x, MatrixView out, Into into) {
  assert(x.rows == a.cols && out.rows == static_cast<int64_t>(rows.size()) && out.cols == x.cols);
  assert(rows_within(rows, a.rows));
  gather_product(a, rows.data(), x, out, into);
}

void spmm_transposed(const SparseView& a, ConstMatrixView x, MatrixView out, Into into, const SharedRows* shared) {
  assert(x.rows == a.rows && out.rows == a.cols && out.cols == x.cols);
  scatter_product(a, nullptr, x, out, into, shared);
}

void spmm_rows_transposed(const SparseView& a, std::span<const int32_t> rows, ConstMatrixView x, MatrixView out,
                          Into into, const SharedRows* shared, const WholeSparse* whole) {
  assert(x.rows == static_cast<int64_t>(rows.size()) && out.rows == a.cols && out.cols == x.cols);
  assert(rows_within(rows, a.rows));
  scatter_product(a, rows.data(), x, out, into, shared, whole);
}

void sampled_product(const SparseView& a, ConstMatrixView left, ConstMatrixView right, std::span<Real> out) {
  assert(left.rows == a.rows && right.rows == a.cols && left.cols == right.cols);
  assert(static_cast<int64_t>(out.size()) == a.entries());
  parallel_for(a.rows, rows_per_piece(mean_entries(a) * left.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const Real* x = left.data + r * left.stride;
      for (int64_t e = a.offsets[r]; e < a.offsets[r + 1]; ++e) {
        const Real* y = right.data + a.indices[e] * right.stride;
        Real sum = 0;
        for (int64_t c = 0; c < left.cols; ++c) sum += x[c] * y[c];
        out[e] = sum;
      }
    }
  });
}

namespace {

// Where the entries of A go in Aᵀ: a counting sort by column that keeps the order of the entries. The entries are cut
// in a few pieces of rows; each counts its columns, and so knows where its own entries go.
class TransposePlan {
 public:
  explicit TransposePlan(const SparseView& a) : a_(a), grain_(std::max<int64_t>(1, (a.rows + kPieces - 1) / kPieces)) {
    for (auto& counts : next_) counts.assign(static_cast<size_t>(a.cols), 0);
    parallel_for(a.rows, grain_, [&](int64_t begin, int64_t end) {
      std::vector<int64_t>& counts = next_[begin / grain_];
      for (int64_t e = a.offsets[begin]; e < a.offsets[end]; ++e) ++counts[a.indices[e]];
    });
    // Counts become first places: by column, and within a column by piece.
    offsets_.assign(static_cast<size_t>(a.cols) + 1, 0);
    int64_t place = 0;
    for (int64_t c = 0; c < a.cols; ++c) {
      offsets_[c] = place;
      for (auto& counts : next_) place += std::exchange(counts[c], place);
    }
    offsets_[a.cols] = place;
  }
  // move(e, row, place): entry e of A, in `row`, becomes entry `place` of Aᵀ. Call once.
  template <typename Move>
  void run(Move move) {
    parallel_for(a_.rows, grain_, [&](int64_t begin, int64_t end) {
      std::vector<int64_t>& next = next_[begin / grain_];
      for (int64_t r = begin; r < end; ++r) {
        for (int64_t e = a_.offsets[r]; e < a_.offsets[r + 1]; ++e) move(e, r, next[a_.indices[e]]++);
      }
    });
  }
  std::vector<int64_t> take_offsets() { return std::move(offsets_); }

 private:
  static constexpr int64_t kPieces = 4;
  const SparseView& a_;
  int64_t grain_;
  std::array<std::vector<int64_t>, kPieces> next_;
  std::vector<int64_t> offsets_;
};

}  // namespace

SparseMatrix transpose(const SparseView& a) {
  TransposePlan plan(a);
  std::vector<int32_t> indices(a.indices.size());
  std::vector<Real> values(a.values.size());
  plan.run([&](int64_t e, int64_t row, int64_t place) {
    indices[place] = static_cast<int32_t>(row);
    if (!values.empty()) values[place] = a.values[e];
  });
  return {.rows = a.cols,
          .cols = a.rows,
          .offsets = plan.take_offsets(),
          .indices = std::move(indices),
          .values = std::move(values)};
}

}  // namespace graphveil::kernels
