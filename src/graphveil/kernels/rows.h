// Operations on whole rows. Unless it says otherwise, an output may be the same view as an input.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/kernels/into.h"

namespace graphveil::kernels {

// norms[r] = ‖x_r‖₂.
void row_norms(ConstMatrixView x, std::span<Real> norms);

// out_r = x_r / ‖x_r‖, a zero row stays zero. Fills norms (one per row). The norm of a result row is at most
// 1 + 1e-6 whatever the scale of x: a row whose squares would over- or underflow is scaled first.
void normalize_rows(ConstMatrixView x, MatrixView out, std::span<Real> norms);
// Takes the results y and norms of normalize_rows and the gradient g in y, and gives dx_r = (g_r - y_r <y_r, g_r>) /
// norm_r; zero for a zero row.
void normalize_rows_backward(ConstMatrixView y, std::span<const Real> norms, ConstMatrixView g, MatrixView dx);

// out_r = scales[r] x_r.
void scale_rows(ConstMatrixView x, std::span<const Real> scales, MatrixView out);
// dots[r] = <x_r, y_r>.
void row_dots(ConstMatrixView x, ConstMatrixView y, std::span<Real> dots);
// out_r = x_r + v.
void add_row(ConstMatrixView x, std::span<const Real> v, MatrixView out);
// best[r] = the first column of the largest entry of row r; x has at least one column.
void row_argmax(ConstMatrixView x, std::span<int32_t> best);

// out_i = x_rows[i]; no overlap.
void gather_rows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView out);
// out_rows[i] += x_i; rows may repeat, the sums run in the order of i. No overlap.
void scatter_add_rows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView out);

}  // namespace graphveil::kernels
