#include "graphveil/nn/row_products.h"

#include <algorithm>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/narrow_gemm.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/scratch.h"

namespace graphveil::nn {
namespace {

using kernels::Into;
using kernels::Transpose;
namespace isa = kernels::isa;

// The columns of op(b) in slabs as wide as the kernel takes, each padded to whole registers.
class PackedColumns {
 public:
  PackedColumns(Transpose transpose, ConstMatrixView b, int64_t depth, int64_t cols)
      : kernels_(GRAPHVEIL_AT_LEVEL(isa::kNarrowGemm)), depth_(depth), cols_(cols) {
    const int64_t slabs = (cols + kernels_.max_width - 1) / kernels_.max_width;
    memory_ = kernels::scratch<PackedColumns>(slabs * depth, kernels_.max_width);
    parallel_for(slabs, kernels::rows_per_piece(depth * kernels_.max_width, 65536), [&](int64_t begin, int64_t end) {
      for (int64_t s = begin; s < end; ++s) pack(transpose, b, s * kernels_.max_width);
    });
  }

  // Rows [begin, end) of c = a op(b), or c += that. Depends on how many rows there are in no bit of them.
  void multiply(ConstMatrixView a, MatrixView c, Into into, int64_t begin, int64_t end) const {
    for (int64_t first = 0; first < cols_; first += kernels_.max_width) {
      const isa::NarrowProduct product{.a = a.data,
                                       .a_stride = a.stride,
                                       .b = slab(first),
                                       .c = c.data + first,
                                       .c_stride = c.stride,
                                       .depth = depth_,
                                       .cols = std::min(kernels_.max_width, cols_ - first),
                                       .alpha = 1,
                                       .beta = into == Into::Add ? Real(1) : Real(0)};
      kernels_.multiply(product, begin, end);
    }
  }

  int64_t rows_at_once() const {
    constexpr int64_t kKernelRows = 48;  // a multiple of every block of rows the kernels use
    return std::max(kKernelRows, kernels::rows_per_piece(depth_ * cols_, 1 << 20) / kKernelRows * kKernelRows);
  }

 private:
  Real* slab(int64_t first) const { return memory_.data + first * depth_; }
  void pack(Transpose transpose, ConstMatrixView b, int64_t first) {
    const int64_t count = std::min(kernels_.max_width, cols_ - first);
    const int64_t width = (count + kernels_.lanes - 1) / kernels_.lanes * kernels_.lanes;
    Real* out = slab(first);
    for (int64_t k = 0; k < depth_; ++k, out += width) {
      for (int64_t j = 0; j < count; ++j) out[j] = transpose == Transpose::No ? b(k, first + j) : b(first + j, k);
      std::fill(out + count, out + width, Real(0));
    }
  }

  const isa::NarrowGemmKernels& kernels_;
  int64_t depth_, cols_;
  MatrixView memory_;
};

}  // namespace

void multiply_rows(ConstMatrixView a, Transpose transpose_b, ConstMatrixView b, MatrixView c, Into into) {
  if (c.size() == 0) return;
  const PackedColumns columns(transpose_b, b, a.cols, c.cols);
  parallel_for(c.rows, columns.rows_at_once(),
               [&](int64_t begin, int64_t end) { columns.multiply(a, c, into, begin, end); });
}

void multiply_picked_rows(ConstMatrixView x, std::span<const int32_t> rows, ConstMatrixView w,
                          std::span<const Real> bias, MatrixView c) {
  if (c.size() == 0) return;
  constexpr int64_t kPanel = 480;  // stays in the second-level cache together with its share of the result
  const PackedColumns columns(Transpose::No, w, x.cols, c.cols);
  parallel_for(c.rows, kPanel, [&](int64_t begin, int64_t end) {
    struct Panel;
    const MatrixView panel = kernels::scratch<Panel>(end - begin, x.cols);
    kernels::gather_rows(x, rows.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)), panel);
    const MatrixView part = c.rows_at(begin, end - begin);
    columns.multiply(panel, part, Into::Overwrite, 0, end - begin);
    if (!bias.empty()) kernels::add_row(part, bias, part);
  });
}

}  // namespace graphveil::nn
