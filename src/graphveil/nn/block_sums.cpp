#include "graphveil/nn/block_sums.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/isa/columns.h"
#include "graphveil/kernels/isa/grid_scatter.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/scratch.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/nn/buffer.h"

namespace graphveil::nn {
namespace {

using kernels::Transpose;

// Blocks of rows that follow each other.
class Blocks {
 public:
  explicit Blocks(const WeightedRows& rows) : rows_(rows) {}
  int64_t count() const { return static_cast<int64_t>(rows_.block_ends.size()); }
  int64_t first_row(int64_t block) const {
    const int64_t sample = block == 0 ? 0 : rows_.block_ends[static_cast<size_t>(block) - 1];
    return rows_.samples.offsets()[static_cast<size_t>(sample)];
  }
  int64_t rows_per_sum(int64_t block) const { return rows_.rows_per_sum[static_cast<size_t>(block)]; }
  // The row of the operation that stands at `place` when rows are ordered by sample.
  int64_t row_at(int64_t place) const {
    return rows_.samples.contiguous() ? place : rows_.samples.order()[static_cast<size_t>(place)];
  }
  bool counts(int64_t place) const { return rows_.factors[static_cast<size_t>(row_at(place))] != 0; }

 private:
  const WeightedRows& rows_;
};

// total += x rounded to the grid; big = 1.5 2^52 grid, so that adding it leaves no bit below the grid.
void add_rounded(const Real* x, int64_t count, double big, double* total) {
  GRAPHVEIL_AT_LEVEL(kernels::isa::kColumns).add_rounded(x, count, big, total);
}
void add_rounded_doubles(const double* x, int64_t count, double big, double* total) {
  for (int64_t i = 0; i < count; ++i) total[i] += (x[i] + big) - big;
}
// total += x, not rounded.
void add_plain(const Real* x, int64_t count, double* total) {
  GRAPHVEIL_AT_LEVEL(kernels::isa::kColumns).add_sums({x, count}, 1, count, total);
}

double rounding_number(double grid) { return 0x1.8p52 * grid; }

// Sums that threads keep apart: the first goes straight into the total, the others into memory of their own. What they
// hold are multiples of the grid, so how many there are changes no bit.
class PartialSums {
 public:
  PartialSums(const GridSum& sum, int64_t parts) : sum_(sum), size_(sum.rows * sum.cols), parts_(parts) {
    thread_local std::vector<double> memory;
    if (parts > 1) memory.assign(static_cast<size_t>((parts - 1) * size_), 0.0);
    memory_ = memory.data();
  }
  static constexpr int64_t kJoinedAtOnce = 4096;
  double* of(int64_t part) const { return part == 0 ? sum_.data : memory_ + (part - 1) * size_; }
  void join() const {
    parallel_for(size_, kJoinedAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t p = 1; p < parts_; ++p) {
        const double* part = of(p);
        for (int64_t i = begin; i < end; ++i) sum_.data[i] += part[i];
      }
    });
  }

 private:
  const GridSum& sum_;
  int64_t size_, parts_;
  double* memory_;
};

// Into how many stretches of blocks to cut the work, when there are `pieces` of the sum to share out already: enough
// for all threads to be done at about the same time. Whatever their number, the bits are the same.
int64_t stretches(int64_t blocks, int64_t pieces, int64_t least = 8) {
  const int threads = thread_count();
  if (threads == 1) return 1;
  const int64_t wanted = std::max<int64_t>(least, 2 * threads);
  return pieces >= wanted ? 1 : std::clamp<int64_t>(blocks / 4, 1, (wanted + pieces - 1) / pieces);
}

// Memory of a block's sum in double.
double* block_memory(int64_t size) {
  thread_local std::vector<double> memory;
  memory.assign(static_cast<size_t>(size), 0.0);
  return memory.data();
}

// Calls part(begin, end, first, out) to write into `out` the float sum over the rows [begin, end) of rows [first,
// first + out.rows) of the gradient, and adds up what it writes.
template <typename Part>
void add_blocks(const Blocks& blocks, const GridSum& sum, Part&& part) {
  constexpr int64_t kPieceSize = 16384;
  const int64_t piece_rows = (kPieceSize / sum.cols + 15) / 16 * 16 + (kPieceSize < sum.cols ? 16 : 0);
  const int64_t pieces = (sum.rows + piece_rows - 1) / piece_rows;
  const int64_t parts = stretches(blocks.count(), pieces);
  const PartialSums partial(sum, parts);
  const double big = rounding_number(sum.grid);
  parallel_for(pieces * parts, 1, [&](int64_t item, int64_t) {
    const int64_t first = item / parts * piece_rows;
    const int64_t count = std::min(piece_rows, sum.rows - first);
    const int64_t size = count * sum.cols;
    double* total = partial.of(item % parts) + first * sum.cols;
    struct BlockSum;
    const MatrixView out = kernels::scratch<BlockSum>(count, sum.cols);
    const int64_t end_block = blocks.count() * (item % parts + 1) / parts;
    for (int64_t b = blocks.count() * (item % parts) / parts; b < end_block; ++b) {
      const int64_t begin = blocks.first_row(b), end = blocks.first_row(b + 1), at_once = blocks.rows_per_sum(b);
      if (begin == end) continue;
      if (end - begin <= at_once) {
        part(begin, end, first, out);
        add_rounded(out.data, size, big, total);
        continue;
      }
      double* whole = block_memory(size);
      for (int64_t at = begin; at < end; at += at_once) {
        part(at, std::min(end, at + at_once), first, out);
        add_plain(out.data, size, whole);
      }
      add_rounded_doubles(whole, size, big, total);
    }
  });
  partial.join();
}

// The rows of m by sample: m itself where they are already, else a copy.
ConstMatrixView by_sample(ConstMatrixView m, const SampleRows& samples, Buffer& copy) {
  if (samples.contiguous()) return m;
  const MatrixView out = copy.resize(m.rows, m.cols);
  kernels::gather_rows(m, samples.order(), out);
  return out;
}

// One block of a sparse A, with only the columns that it touches.
class TouchedColumns {
 public:
  // Rows at places [begin, end).
  void assign(const SparseView& a, const RowList& picked, const Blocks& blocks, int64_t begin, int64_t end) {
    if (static_cast<int64_t>(place_.size()) < a.cols) place_.resize(static_cast<size_t>(a.cols), -1);
    columns_.clear();
    indices_.clear();
    values_.clear();
    offsets_.assign(1, 0);
    for (int64_t at = begin; at < end; ++at) {
      if (blocks.counts(at)) add_row(a, picked ? (*picked)[static_cast<size_t>(blocks.row_at(at))] : blocks.row_at(at));
      offsets_.push_back(static_cast<int64_t>(indices_.size()));
    }
    for (const int32_t column : columns_) place_[static_cast<size_t>(column)] = -1;
    has_values_ = !a.values.empty();
  }
  std::span<const int32_t> columns() const { return columns_; }
  // By touched column: its entries among the rows [begin, end) of those assigned, in their order.
  SparseView by_column(int64_t begin, int64_t end) {
    const int64_t first = offsets_[static_cast<size_t>(begin)], last = offsets_[static_cast<size_t>(end)];
    starts_.assign(columns_.size() + 1, 0);
    for (int64_t e = first; e < last; ++e) ++starts_[static_cast<size_t>(indices_[static_cast<size_t>(e)]) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    next_.assign(starts_.begin(), starts_.end() - 1);
    rows_.resize(static_cast<size_t>(last - first));
    row_values_.resize(has_values_ ? rows_.size() : 0);
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t e = offsets_[static_cast<size_t>(r)]; e < offsets_[static_cast<size_t>(r) + 1]; ++e) {
        const auto entry = static_cast<size_t>(e);
        const auto place = static_cast<size_t>(next_[static_cast<size_t>(indices_[entry])]++);
        rows_[place] = static_cast<int32_t>(r - begin);
        if (has_values_) row_values_[place] = values_[entry];
      }
    }
    return {static_cast<int64_t>(columns_.size()), end - begin, starts_, rows_, row_values_};
  }

 private:
  void add_row(const SparseView& a, int64_t row) {
    const auto begin = static_cast<size_t>(a.offsets[static_cast<size_t>(row)]);
    const auto end = static_cast<size_t>(a.offsets[static_cast<size_t>(row) + 1]);
    for (size_t e = begin; e < end; ++e) {
      int32_t& place = place_[static_cast<size_t>(a.indices[e])];
      if (place < 0) {
        place = static_cast<int32_t>(columns_.size());
        columns_.push_back(a.indices[e]);
      }
      indices_.push_back(place);
      if (!a.values.empty()) values_.push_back(a.values[e]);
    }
  }

  std::vector<int32_t> place_;  // of a column among those touched; -1 between uses
  std::vector<int32_t> columns_, indices_;
  std::vector<int64_t> offsets_;
  std::vector<Real> values_;
  bool has_values_ = false;
  std::vector<int64_t> starts_, next_;  // of by_column
  std::vector<int32_t> rows_;
  std::vector<Real> row_values_;
};

// The rows of a block, at places [begin, end), into columns [first, first + g.cols) of the sum.
void add_sparse_block(const SparseView& a, const RowList& picked, ConstMatrixView g, const Blocks& blocks,
                      int64_t block, int64_t first, double big, int64_t stride, double* total) {
  thread_local TouchedColumns touched;
  const int64_t begin = blocks.first_row(block), end = blocks.first_row(block + 1);
  const int64_t at_once = blocks.rows_per_sum(block);
  touched.assign(a, picked, blocks, begin, end);
  const auto columns = static_cast<int64_t>(touched.columns().size());
  if (columns == 0) return;
  struct Touched;
  const MatrixView out = kernels::scratch<Touched>(columns, g.cols);
  const auto product = [&](int64_t from, int64_t to) {
    kernels::spmm(touched.by_column(from - begin, to - begin), g.rows_at(from, to - from), out);
  };
  const auto place = [&](int64_t c) { return total + touched.columns()[static_cast<size_t>(c)] * stride + first; };
  if (end - begin <= at_once) {
    product(begin, end);
    for (int64_t c = 0; c < columns; ++c) add_rounded(out.row(c).data(), g.cols, big, place(c));
    return;
  }
  double* whole = block_memory(out.size());
  for (int64_t at = begin; at < end; at += at_once) {
    product(at, std::min(end, at + at_once));
    add_plain(out.data, out.size(), whole);
  }
  for (int64_t c = 0; c < columns; ++c) add_rounded_doubles(whole + c * g.cols, g.cols, big, place(c));
}

}  // namespace

namespace {

// Few columns on both sides: a block's sum fits the cache in double, where no row has to be summed apart.
bool narrow(const GridSum& sum) { return sum.cols <= 32 && sum.rows * sum.cols <= 1024; }

void add_narrow_sums(ConstMatrixView a, ConstMatrixView g, const Blocks& blocks, const GridSum& sum) {
  const int64_t parts = stretches(blocks.count(), 1), stride = (sum.cols + 7) / 8 * 8;
  const PartialSums partial(sum, parts);
  const double big = rounding_number(sum.grid);
  parallel_for(parts, 1, [&](int64_t part, int64_t) {
    for (int64_t b = blocks.count() * part / parts; b < blocks.count() * (part + 1) / parts; ++b) {
      double* whole = block_memory(sum.rows * stride);
      GRAPHVEIL_AT_LEVEL(kernels::isa::kGridScatter)
          .outer({a.data, a.stride, a.cols, g.data, g.stride, g.cols, whole, stride}, blocks.first_row(b),
                 blocks.first_row(b + 1));
      for (int64_t r = 0; r < sum.rows; ++r) {
        add_rounded_doubles(whole + r * stride, sum.cols, big, partial.of(part) + r * sum.cols);
      }
    }
  });
  partial.join();
}

}  // namespace

void add_outer_sums(ConstMatrixView a, ConstMatrixView g, const WeightedRows& rows, const GridSum& sum) {
  thread_local Buffer a_memory, g_memory;
  const ConstMatrixView as = by_sample(a, rows.samples, a_memory), gs = by_sample(g, rows.samples, g_memory);
  if (narrow(sum)) return add_narrow_sums(as, gs, Blocks(rows), sum);
  add_blocks(Blocks(rows), sum, [&](int64_t begin, int64_t end, int64_t first, MatrixView out) {
    kernels::gemm(Transpose::Yes, Transpose::No, 1, as.rows_at(begin, end - begin).columns(first, out.rows),
                  gs.rows_at(begin, end - begin), 0, out);
  });
}

void add_outer_sums(ConstMatrixView a, std::span<const int32_t> picked, ConstMatrixView g, const WeightedRows& rows,
                    const GridSum& sum) {
  thread_local Buffer g_memory;
  const ConstMatrixView gs = by_sample(g, rows.samples, g_memory);
  const Blocks blocks(rows);
  add_blocks(blocks, sum, [&](int64_t begin, int64_t end, int64_t first, MatrixView out) {
    struct Panel;
    const MatrixView panel = kernels::scratch<Panel>(end - begin, out.rows);
    for (int64_t at = begin; at < end; ++at) {
      Real* row = panel.row(at - begin).data();
      if (blocks.counts(at)) {
        std::copy_n(a.row(picked[static_cast<size_t>(blocks.row_at(at))]).data() + first, out.rows, row);
      } else {
        std::fill_n(row, out.rows, Real(0));
      }
    }
    kernels::gemm(Transpose::Yes, Transpose::No, 1, panel, gs.rows_at(begin, end - begin), 0, out);
  });
}

void add_outer_sums(const SparseView& a, const RowList& picked, ConstMatrixView g, const WeightedRows& rows,
                    const GridSum& sum) {
  thread_local Buffer g_memory;
  const ConstMatrixView gs = by_sample(g, rows.samples, g_memory);
  const Blocks blocks(rows);
  const double big = rounding_number(sum.grid);
  // A row alone makes products that are exact in double and rounded to the grid one by one: no block, and no float sum.
  const bool alone = rows.samples.one_row_each();
  // Columns of g that one thread takes: few that GridScatter holds in registers, or all that one sweep over a block can
  // take, as each slice sorts the block's entries anew.
  const int64_t slices = std::max<int64_t>(1, alone ? sum.cols / 16 : (sum.cols + 127) / 128);
  const int64_t parts = stretches(blocks.count(), slices, alone ? 8 : 4);
  const PartialSums partial(sum, parts);
  parallel_for(slices * parts, 1, [&](int64_t item, int64_t) {
    const int64_t slice = item / parts, part = item % parts;
    const int64_t first = sum.cols * slice / slices, count = sum.cols * (slice + 1) / slices - first;
    const int64_t first_block = blocks.count() * part / parts, end_block = blocks.count() * (part + 1) / parts;
    if (alone) {
      const ConstMatrixView slice_of_g = gs.columns(first, count);
      GRAPHVEIL_AT_LEVEL(kernels::isa::kGridScatter)
          .add({a.offsets.data(), a.indices.data(), a.values.empty() ? nullptr : a.values.data(),
                picked ? picked->data() : nullptr, rows.factors.data(), slice_of_g.data, slice_of_g.stride, count, big,
                partial.of(part) + first, sum.cols},
               blocks.first_row(first_block), blocks.first_row(end_block));
      return;
    }
    for (int64_t b = first_block; b < end_block; ++b) {
      add_sparse_block(a, picked, gs.columns(first, count), blocks, b, first, big, sum.cols, partial.of(part));
    }
  });
  partial.join();
}

void add_row_sums(ConstMatrixView c, const WeightedRows& rows, const GridSum& sum) {
  thread_local Buffer c_memory, block_sum;
  const ConstMatrixView cs = by_sample(c, rows.samples, c_memory);
  // Column sums run in double, so a block needs no cuts.
  const Blocks blocks(rows);
  const double big = rounding_number(sum.grid);
  const std::span<Real> block = block_sum.resize(sum.cols);
  for (int64_t b = 0; b < blocks.count(); ++b) {
    const int64_t begin = blocks.first_row(b), end = blocks.first_row(b + 1);
    if (begin == end) continue;
    kernels::column_sums(cs.rows_at(begin, end - begin), block);
    add_rounded(block.data(), sum.cols, big, sum.data);
  }
}

}  // namespace graphveil::nn
