#include "graphveil/kernels/gemm.h"

#include <algorithm>
#include <cassert>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/narrow_gemm.h"
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

// Shares out the rows of c, or its columns when there are more of those.
void multiply(const Product& p) {
  if (p.c.rows >= p.c.cols) {
    parallel_for(p.c.rows, piece_length(p.c.cols * p.depth), [&](int64_t begin, int64_t end) {
      Product part = p;
      part.c = p.c.rows_at(begin, end - begin);
      part.a = p.transpose_a == Transpose::No ? p.a.rows_at(begin, end - begin) : p.a.columns(begin, end - begin);
      multiply_serially(part);
    });
  } else {
    parallel_for(p.c.cols, piece_length(p.c.rows * p.depth), [&](int64_t begin, int64_t end) {
      Product part = p;
      part.c = p.c.columns(begin, end - begin);
      part.b = p.transpose_b == Transpose::No ? p.b.columns(begin, end - begin) : p.b.rows_at(begin, end - begin);
      multiply_serially(part);
    });
  }
}

// Many rows, few columns: b is packed once, padded to whole registers, and the rows of c are shared out.
void multiply_narrow(const isa::NarrowGemmKernels& kernels, const Product& p) {
  const int64_t width = (p.c.cols + kernels.lanes - 1) / kernels.lanes * kernels.lanes;
  struct Packed;
  const MatrixView packed = scratch<Packed>(p.depth, width);
  for (int64_t k = 0; k < p.depth; ++k) {
    std::fill_n(packed.data + k * width + p.c.cols, width - p.c.cols, Real(0));
    for (int64_t j = 0; j < p.c.cols; ++j) packed(k, j) = p.transpose_b == Transpose::No ? p.b(k, j) : p.b(j, k);
  }
  const isa::NarrowProduct product{.a = p.a.data,
                                   .a_stride = p.a.stride,
                                   .b = packed.data,
                                   .c = p.c.data,
                                   .c_stride = p.c.stride,
                                   .depth = p.depth,
                                   .cols = p.c.cols,
                                   .alpha = p.alpha,
                                   .beta = p.beta};
  // A multiple of every block of rows the kernels use.
  const int64_t grain = std::max<int64_t>(48, rows_per_piece(p.depth * width, 1 << 20) / 48 * 48);
  parallel_for(p.c.rows, grain, [&](int64_t begin, int64_t end) { kernels.multiply(product, begin, end); });
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
    multiply_serially(part);
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

}  // namespace

void gemm(Transpose transpose_a, Transpose transpose_b, Real alpha, ConstMatrixView a, ConstMatrixView b, Real beta,
          MatrixView c) {
  const int64_t depth = transpose_a == Transpose::No ? a.cols : a.rows;
  assert(c.rows == (transpose_a == Transpose::No ? a.rows : a.cols));
  assert(c.cols == (transpose_b == Transpose::No ? b.cols : b.rows));
  assert(depth == (transpose_b == Transpose::No ? b.rows : b.cols));
  if (c.size() == 0) return;
  if (depth == 0 || alpha == 0) return scale_output(beta, c);

  const Product product{transpose_a, transpose_b, alpha, a, b, beta, c, depth};
  constexpr int64_t kPiece = 4096;
  if (depth >= 2 * kPiece && c.size() <= depth) return multiply_deep(product, kPiece);
  const isa::NarrowGemmKernels& narrow = GRAPHVEIL_AT_LEVEL(isa::kNarrowGemm);
  const bool few_columns = c.cols <= narrow.max_width && c.rows >= 8 * c.cols && depth <= kPiece;
  if (transpose_a == Transpose::No && few_columns) return multiply_narrow(narrow, product);
  multiply(product);
}

}  // namespace graphveil::kernels
