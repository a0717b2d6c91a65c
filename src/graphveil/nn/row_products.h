// Products whose rows keep to themselves, for per-sample steps.
//
// Row r of a result is the same bits wherever it lies and whatever rows lie around it: each entry is one sum in the
// order of the depth. A library's product cuts its sums by the shape of the whole, so that one sample's rows, more or
// fewer because a record is blank, would round every other sample's gradient anew.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/into.h"

namespace graphveil::nn {

// c = a op(b), or c += that. c overlaps no input.
void multiply_rows(ConstMatrixView a, kernels::Transpose transpose_b, ConstMatrixView b, MatrixView c,
                   kernels::Into into = kernels::Into::Overwrite);

// c = x[rows] w, plus `bias` in every row unless that is empty.
void multiply_picked_rows(ConstMatrixView x, std::span<const int32_t> rows, ConstMatrixView w,
                          std::span<const Real> bias, MatrixView c);

}  // namespace graphveil::nn
