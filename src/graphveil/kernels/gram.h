// Inner products of columns, in double. Same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// out (x.cols x x.cols) = xᵀ x, both triangles.
void gram(ConstMatrixView x, DoubleView out);

// <x_c, y_c> for every column c; x and y have one shape.
std::vector<double> column_dots(ConstMatrixView x, ConstMatrixView y);

// Replaces the columns of x by orthonormal ones that span the same space, column j by a combination of columns 0 .. j.
// A column that depends on those before it (up to rounding) becomes zero. Returns how many did not.
int64_t orthonormalize_columns(MatrixView x);

}  // namespace graphveil::kernels
