#include "graphveil/kernels/gemm.h"

#include <cassert>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"

#ifndef GRAPHVEIL_DOUBLE
#include <oneapi/dnnl/dnnl.h>
#endif

namespace graphveil::kernels {
namespace {

void scale_output(Real beta, MatrixView c) {
  for (int64_t r = 0; r < c.rows; ++r) {
    for (Real& value : c.row(r)) value = beta == 0 ? Real(0) : beta * value;
  }
}

#ifdef GRAPHVEIL_DOUBLE
void product(Transpose ta, Transpose tb, Real alpha, ConstMatrixView a, ConstMatrixView b, Real beta, MatrixView c,
             int64_t depth) {
  parallel_for(c.rows, rows_per_piece(c.cols * depth), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t j = 0; j < c.cols; ++j) {
        Real sum = 0;
        for (int64_t p = 0; p < depth; ++p) {
          sum += (ta == Transpose::No ? a(i, p) : a(p, i)) * (tb == Transpose::No ? b(p, j) : b(j, p));
        }
        c(i, j) = alpha * sum + (beta == 0 ? Real(0) : beta * c(i, j));
      }
    }
  });
}
#else
void product(Transpose ta, Transpose tb, Real alpha, ConstMatrixView a, ConstMatrixView b, Real beta, MatrixView c,
             int64_t depth) {
  const char transa = ta == Transpose::No ? 'N' : 'T';
  const char transb = tb == Transpose::No ? 'N' : 'T';
  [[maybe_unused]] const auto status = dnnl_sgemm(transa, transb, c.rows, c.cols, depth, alpha, a.data, a.stride,
                                                  b.data, b.stride, beta, c.data, c.stride);
  assert(status == dnnl_success);
}
#endif

}  // namespace

void gemm(Transpose transpose_a, Transpose transpose_b, Real alpha, ConstMatrixView a, ConstMatrixView b, Real beta,
          MatrixView c) {
  const int64_t depth = transpose_a == Transpose::No ? a.cols : a.rows;
  assert(c.rows == (transpose_a == Transpose::No ? a.rows : a.cols));
  assert(c.cols == (transpose_b == Transpose::No ? b.cols : b.rows));
  assert(depth == (transpose_b == Transpose::No ? b.rows : b.cols));
  if (c.size() == 0) return;
  if (depth == 0 || alpha == 0) return scale_output(beta, c);
  product(transpose_a, transpose_b, alpha, a, b, beta, c, depth);
}

}  // namespace graphveil::kernels
