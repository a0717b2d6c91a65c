// Sums whose order depends on the shape alone: same bits for any number of threads. Accumulated in double. Of `shared`
// rows it is the sum over all ranks, with the bits of one process.
#pragma once

#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/base/shared_rows.h"
#include "graphveil/kernels/into.h"

namespace graphveil::kernels {

double sum(ConstMatrixView x);
double sum_of_squares(ConstMatrixView x);
double dot(ConstMatrixView x, ConstMatrixView y);  // of one shape
double sum(std::span<const Real> x, const SharedRows* shared = nullptr);
double sum_of_squares(std::span<const Real> x);
double dot(std::span<const Real> x, std::span<const Real> y);

// out[c] = sum over rows of x(r, c), or added to what out holds.
void column_sums(ConstMatrixView x, std::span<Real> out, Into into = Into::Overwrite,
                 const SharedRows* shared = nullptr);

// The largest |x|, 0 for an empty matrix; NaN if there is one.
Real max_abs(ConstMatrixView x);
bool all_finite(ConstMatrixView x);

}  // namespace graphveil::kernels
