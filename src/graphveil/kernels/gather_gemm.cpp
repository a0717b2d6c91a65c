#include "graphveil/kernels/gather_gemm.h"

#include <algorithm>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/scratch.h"

namespace graphveil::kernels {
namespace {

// Rows of one panel: it stays in the second-level cache together with its share of the result.
constexpr int64_t kPanel = 512;
// Panels whose products are added up by one thread.
constexpr int64_t kPanelsPerPiece = 4;

ConstMatrixView gathered(ConstMatrixView x, std::span<const int32_t> rows) {
  struct Panel;
  const MatrixView panel = scratch<Panel>(static_cast<int64_t>(rows.size()), x.cols);
  gather_rows(x, rows, panel);
  return panel;
}

}  // namespace

void gather_matmul(ConstMatrixView x, std::span<const int32_t> rows, ConstMatrixView w, std::span<const Real> bias,
                   MatrixView out) {
  parallel_for(out.rows, kPanel, [&](int64_t begin, int64_t end) {
    const auto panel = rows.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
    const MatrixView part = out.rows_at(begin, end - begin);
    matmul(gathered(x, panel), w, part);
    if (!bias.empty()) add_row(part, bias, part);
  });
}

void gather_matmul_transposed(ConstMatrixView x, std::span<const int32_t> rows, ConstMatrixView g, MatrixView out,
                              Into into) {
  // Pieces of fixed length, whose products are added in their order.
  constexpr int64_t kPiece = kPanel * kPanelsPerPiece;
  const auto total = static_cast<int64_t>(rows.size());
  const int64_t pieces = (total + kPiece - 1) / kPiece;
  if (into == Into::Overwrite) fill(out, 0);
  if (pieces == 0 || out.size() == 0) return;
  struct Partial;
  const MatrixView partial = scratch<Partial>(pieces * out.rows, out.cols);
  parallel_for(total, kPiece, [&](int64_t begin, int64_t end) {
    const MatrixView sum = partial.rows_at(begin / kPiece * out.rows, out.rows);
    for (int64_t at = begin; at < end; at += kPanel) {
      const int64_t count = std::min(kPanel, end - at);
      const auto panel = rows.subspan(static_cast<size_t>(at), static_cast<size_t>(count));
      gemm(Transpose::Yes, Transpose::No, 1, gathered(x, panel), g.rows_at(at, count), at == begin ? 0 : 1, sum);
    }
  });
  parallel_for(out.rows, rows_per_piece(out.cols * pieces), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const std::span<Real> sum = out.row(r);
      for (int64_t i = 0; i < pieces; ++i) {
        const std::span<const Real> part = ConstMatrixView(partial).row(i * out.rows + r);
        for (size_t j = 0; j < sum.size(); ++j) sum[j] += part[j];
      }
    }
  });
}

}  // namespace graphveil::kernels
