#include "graphveil/kernels/gemm.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/narrow_gemm.h"
#include "graphveil/kernels/piece_sums.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/scratch.h"

#ifndef GRAPHVEIL_DOUBLE
#include <oneapi/dnnl/dnnl.h>
#endif

namespace graphveil::kernels {
namespace {

// c = alpha op(a) op(b) + beta c; depth is the length of the sums.
struct Product {
  Transpose transpose_a, transpose_b;
  Real alpha;
  ConstMatrixView a, b;
  Real beta;
  MatrixView c;
  int64_t depth;
};

constexpr int64_t kPiece = 4096;
constexpr int64_t kMostScalars = 32768;  // of the smaller matrix of a small product
// Our own loops sum so many terms at a time, and then those sums: less is lost to rounding than in one long sum.
constexpr int64_t kChain = 128;

const isa::NarrowGemmKernels& small_kernels() { return GRAPHVEIL_AT_LEVEL(isa::kNarrowGemm); }

// Whether our own loops take it: b and c then stay in the second-level cache. The library is as fast there, but spends
// some 30 ms on its first product in a process, and a microsecond on every one.
bool is_small(const Product& p) {
  if (p.depth > kPiece) return false;
  if (p.transpose_a == Transpose::No) return rows_keep_apart(p.depth, p.c.cols);
  return p.transpose_b == Transpose::No && p.c.size() <= kMostScalars;
}

void scale_output(Real beta, MatrixView c) {
  for (int64_t r = 0; r < c.rows; ++r) {
    for (Real& value : c.row(r)) value = beta == 0 ? Real(0) : beta * value;
  }
}

// On the calling thread alone.
#ifdef GRAPHVEIL_DOUBLE
void multiply_serially(const Product& p) {  // the gradient tests' version: plain loops
  for (int64_t i = 0; i < p.c.rows; ++i) {
    for (int64_t j = 0; j < p.c.cols; ++j) {
      Real sum = 0;
      for (int64_t k = 0; k < p.depth; ++k) {
        sum += (p.transpose_a == Transpose::No ? p.a(i, k) : p.a(k, i)) *
               (p.transpose_b == Transpose::No ? p.b(k, j) : p.b(j, k));
      }
      p.c(i, j) = p.alpha * sum + (p.beta == 0 ? Real(0) : p.beta * p.c(i, j));
    }
  }
}
#else
void multiply_serially(const Product& p) {
  // With several threads the library would cut the sums by their number.
  const OneThreadScope one_thread;
  const char transpose_a = p.transpose_a == Transpose::No ? 'N' : 'T';
  const char transpose_b = p.transpose_b == Transpose::No ? 'N' : 'T';
  [[maybe_unused]] const dnnl_status_t status =
      dnnl_sgemm(transpose_a, transpose_b, p.c.rows, p.c.cols, p.depth, p.alpha, p.a.data, p.a.stride, p.b.data,
                 p.b.stride, p.beta, p.c.data, p.c.stride);
  assert(status == dnnl_success);
}
#endif

// Rows (or columns) of c that make a piece worth a thread and amortize the packing inside the library.
int64_t piece_length(int64_t work_per_unit) { return (rows_per_piece(work_per_unit, 4 << 20) + 63) / 64 * 64; }

void multiply_by_rows(const Product& p) {
  parallel_for(p.c.rows, piece_length(p.c.cols * p.depth), [&](int64_t begin, int64_t end) {
    Product part = p;
    part.c = p.c.rows_at(begin, end - begin);
    part.a = p.transpose_a == Transpose::No ? p.a.rows_at(begin, end - begin) : p.a.columns(begin, end - begin);
    multiply_serially(part);
  });
}

// Shares out the rows of c, or its columns when there are more of those.
void multiply(const Product& p) {
  if (p.c.rows >= p.c.cols) {
    multiply_by_rows(p);
  } else {
    parallel_for(p.c.cols, piece_length(p.c.rows * p.depth), [&](int64_t begin, int64_t end) {
      Product part = p;
      part.c = p.c.columns(begin, end - begin);
      part.b = p.transpose_b == Transpose::No ? p.b.columns(begin, end - begin) : p.b.rows_at(begin, end - begin);
      multiply_serially(part);
    });
  }
}

// b in slabs of as many columns as the kernel takes, each padded to whole registers; the rows of c are shared out.
void multiply_small(const Product& p, std::span<const Real> bias = {}) {
  const isa::NarrowGemmKernels& kernels = small_kernels();
  const int64_t slabs = (p.c.cols + kernels.max_width - 1) / kernels.max_width;
  struct Packed;
  const MatrixView packed = scratch<Packed>(slabs * p.depth, kernels.max_width);
  for (int64_t first = 0; first < p.c.cols; first += kernels.max_width) {
    const int64_t count = std::min(kernels.max_width, p.c.cols - first);
    const int64_t width = (count + kernels.lanes - 1) / kernels.lanes * kernels.lanes;
    Real* out = packed.data + first * p.depth;
    for (int64_t k = 0; k < p.depth; ++k, out += width) {
      for (int64_t j = 0; j < count; ++j) {
        out[j] = p.transpose_b == Transpose::No ? p.b(k, first + j) : p.b(first + j, k);
      }
      std::fill(out + count, out + width, Real(0));
    }
  }
  // A multiple of every block of rows the kernels use.
  const int64_t grain = std::max<int64_t>(48, rows_per_piece(p.depth * p.c.cols, 1 << 20) / 48 * 48);
  parallel_for(p.c.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t first = 0; first < p.c.cols; first += kernels.max_width) {
      const int64_t count = std::min(kernels.max_width, p.c.cols - first);
      const int64_t width = (count + kernels.lanes - 1) / kernels.lanes * kernels.lanes;
      for (int64_t k = 0; k < p.depth; k += kChain) {
        const bool last = k + kChain >= p.depth;
        kernels.multiply({.a = p.a.data + k,
                          .a_stride = p.a.stride,
                          .b = packed.data + first * p.depth + k * width,
                          .c = p.c.data + first,
                          .c_stride = p.c.stride,
                          .depth = last ? p.depth - k : kChain,
                          .cols = count,
                          .alpha = p.alpha,
                          .beta = k == 0 ? p.beta : Real(1),
                          .bias = last && !bias.empty() ? bias.data() + first : nullptr},
                         begin, end);
      }
    }
  });
}

// Whether the longer side of c fills registers better: then cᵀ = bᵀ a, every entry summed in the same order.
bool swaps(const Product& p) { return p.c.cols < p.c.rows && p.c.cols % small_kernels().lanes != 0; }

Product swapped_into(const Product& p, MatrixView c) {
  return {Transpose::Yes, Transpose::No, p.alpha, p.b, p.a, 0, c, p.depth};
}

// c = swappedᵀ + beta c.
void add_swapped(const Product& p, ConstMatrixView swapped) {
  for (int64_t r = 0; r < p.c.rows; ++r) {
    for (int64_t c = 0; c < p.c.cols; ++c) {
      p.c(r, c) = swapped(c, r) + (p.beta == 0 ? Real(0) : p.beta * p.c(r, c));
    }
  }
}

// aᵀ b: the rows of c are shared out.
void multiply_outer(const Product& p) {
  if (swaps(p)) {
    struct Swapped;
    const MatrixView swapped = scratch<Swapped>(p.c.cols, p.c.rows);
    multiply_outer(swapped_into(p, swapped));
    return add_swapped(p, swapped);
  }
  const int64_t grain = (rows_per_piece(p.depth * p.c.cols, 1 << 20) + 7) / 8 * 8;
  parallel_for(p.c.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t k = 0; k < p.depth; k += kChain) {
      small_kernels().outer({.a = p.a.data + k * p.a.stride,
                             .a_stride = p.a.stride,
                             .b = p.b.data + k * p.b.stride,
                             .b_stride = p.b.stride,
                             .c = p.c.data,
                             .c_stride = p.c.stride,
                             .depth = std::min(kChain, p.depth - k),
                             .cols = p.c.cols,
                             .alpha = p.alpha,
                             .beta = k == 0 ? p.beta : Real(1)},
                            begin, end);
    }
  });
}

void multiply_any(const Product& p) {
  if (!is_small(p)) return multiply(p);
  p.transpose_a == Transpose::No ? multiply_small(p) : multiply_outer(p);
}

// Long sums into a small c, as in the gradient of a weight: the depth is cut in pieces of fixed length, whose products
// are added in their order.
void multiply_deep(const Product& p, int64_t piece) {
  const int64_t pieces = (p.depth + piece - 1) / piece;
  struct Partial;
  const MatrixView partial = scratch<Partial>(pieces * p.c.rows, p.c.cols);
  parallel_for(p.depth, piece, [&](int64_t begin, int64_t end) {
    const int64_t count = end - begin;
    Product part = p;
    part.a = p.transpose_a == Transpose::No ? p.a.columns(begin, count) : p.a.rows_at(begin, count);
    part.b = p.transpose_b == Transpose::No ? p.b.rows_at(begin, count) : p.b.columns(begin, count);
    part.c = partial.rows_at(begin / piece * p.c.rows, p.c.rows);
    part.beta = 0;
    part.depth = count;
    multiply_any(part);  // a loop within this one's piece: on this thread alone
  });
  parallel_for(p.c.rows, rows_per_piece(p.c.cols * pieces), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      Real* c = p.c.data + r * p.c.stride;
      for (int64_t j = 0; j < p.c.cols; ++j) c[j] = p.beta == 0 ? Real(0) : p.beta * c[j];
      for (int64_t i = 0; i < pieces; ++i) {
        const Real* part = partial.data + (i * p.c.rows + r) * p.c.cols;
        for (int64_t j = 0; j < p.c.cols; ++j) c[j] += part[j];
      }
    }
  });
}

bool is_deep(int64_t depth, int64_t c_size) { return depth >= 2 * kPiece && c_size <= depth; }

// c = a op(b), of which ranks have rows each. Where a row's bits follow from the shape of the whole, every rank makes
// all of them.
void multiply_shared(const Product& p, const SharedRows& shared) {
  const int64_t cols = p.c.cols;
  const bool by_rows = shared.all() >= cols && !shared.cut_within(piece_length(cols * p.depth));
  if (!is_deep(p.depth, shared.all() * cols) && (is_small(p) || by_rows)) {
    return is_small(p) ? multiply_small(p) : multiply_by_rows(p);
  }
  const Matrix a = shared.gathered(p.a);
  Matrix c = p.beta == 0 ? Matrix(shared.all(), cols) : shared.gathered(p.c);
  gemm(p.transpose_a, p.transpose_b, p.alpha, a, p.b, p.beta, c);
  for (int64_t r = 0; r < p.c.rows; ++r) std::ranges::copy(c.row(shared.first() + r), p.c.row(r).begin());
}

// These rows of a and b alone.
Product part_of_depth(const Product& p, int64_t begin, int64_t count, Real* c, Real beta) {
  Product part = p;
  part.a = p.a.rows_at(begin, count);
  part.b = p.b.rows_at(begin, count);
  part.c = {c, p.c.rows, p.c.cols};
  part.beta = beta;
  part.depth = count;
  return part;
}

// multiply_deep where ranks have rows of a and b each.
void multiply_deep_shared(const Product& p, const SharedRows& shared) {
  scale_output(p.beta, p.c);
  const bool small = p.c.size() <= kMostScalars, swap = small && swaps(p);
  std::vector<Real> totals(static_cast<size_t>(p.c.size()));
  const MatrixView c(totals.data(), swap ? p.c.cols : p.c.rows, swap ? p.c.rows : p.c.cols);
  Product whole = swap ? swapped_into(p, c) : p;
  whole.c = c;
  const auto both = [&](auto visit) {
    for (int64_t r = 0; r < p.c.rows; ++r) {
      for (int64_t j = 0; j < p.c.cols; ++j) visit(p.c(r, j), swap ? c(j, r) : c(r, j));
    }
  };
  both([](Real& own, Real& total) { total = own; });
  sum_pieces(p.depth, kPiece, std::span(totals), &shared, [&](int64_t begin, int64_t count, Real* sums, bool fresh) {
    const Product part = part_of_depth(whole, begin, count, sums, fresh ? 0 : 1);
    small ? multiply_outer(part) : multiply(part);
  });
  both([](Real& own, Real& total) { own = total; });
}

// c = aᵀ b, where ranks have rows of a and b each. A sum that is made in one piece every rank makes of all rows.
void outer_shared(const Product& p, const SharedRows& shared) {
  const int64_t goes_on = p.c.size() <= kMostScalars ? kChain : kPiece;
  if (is_deep(shared.all(), p.c.size()) && !shared.cut_within(goes_on)) return multiply_deep_shared(p, shared);
  const Matrix a = shared.gathered(p.a), b = shared.gathered(p.b);
  gemm(p.transpose_a, p.transpose_b, p.alpha, a, b, p.beta, p.c);
}

}  // namespace

int64_t rows_per_cut(int64_t rows) {
  if (rows < 2 * kPiece) return 1;
  return rows < 8 * kPiece ? kChain : kPiece;
}

bool rows_keep_apart(int64_t depth, int64_t cols) { return depth <= kPiece && depth * cols <= kMostScalars; }

void gemm(Transpose transpose_a, Transpose transpose_b, Real alpha, ConstMatrixView a, ConstMatrixView b, Real beta,
          MatrixView c, const SharedRows* shared) {
  const int64_t depth = transpose_a == Transpose::No ? a.cols : a.rows;
  assert(c.rows == (transpose_a == Transpose::No ? a.rows : a.cols));
  assert(c.cols == (transpose_b == Transpose::No ? b.cols : b.rows));
  assert(depth == (transpose_b == Transpose::No ? b.rows : b.cols));
  const Product product{transpose_a, transpose_b, alpha, a, b, beta, c, depth};
  if (shared != nullptr) {
    return transpose_a == Transpose::No ? multiply_shared(product, *shared) : outer_shared(product, *shared);
  }
  if (c.size() == 0) return;
  if (depth == 0 || alpha == 0) return scale_output(beta, c);
  is_deep(depth, c.size()) ? multiply_deep(product, kPiece) : multiply_any(product);
}

void linear(ConstMatrixView a, ConstMatrixView b, std::span<const Real> bias, MatrixView c, const SharedRows* shared) {
  assert(static_cast<int64_t>(bias.size()) == c.cols && a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  const Product product{Transpose::No, Transpose::No, 1, a, b, 0, c, a.cols};
  if (c.size() > 0 && a.cols > 0 && is_small(product)) return multiply_small(product, bias);
  matmul(a, b, c, shared);
  add_row(c, bias, c);
}

}  // namespace graphveil::kernels
