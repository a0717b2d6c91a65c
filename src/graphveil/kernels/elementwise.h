// Element-by-element arithmetic on matrices of one shape. An output may be the same view as an input.
#pragma once

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

void fill(MatrixView out, Real value);
void copy(ConstMatrixView x, MatrixView out);
void scale(Real alpha, ConstMatrixView x, MatrixView out);            // out = alpha x
void axpy(Real alpha, ConstMatrixView x, MatrixView y);               // y += alpha x
void add(ConstMatrixView x, ConstMatrixView y, MatrixView out);       // out = x + y
void subtract(ConstMatrixView x, ConstMatrixView y, MatrixView out);  // out = x - y
void multiply(ConstMatrixView x, ConstMatrixView y, MatrixView out);  // out = x y, entry by entry

}  // namespace graphveil::kernels
