// Softmax over rows and over segments, with cross-entropy. Outputs may be the same view as an input.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// Each row of y is softmax of the row of x.
void softmax(ConstMatrixView x, MatrixView y);
// dx = y (g - <y, g>) row by row.
void softmax_backward(ConstMatrixView y, ConstMatrixView g, MatrixView dx);

void log_softmax(ConstMatrixView x, MatrixView y);
// y are log-probabilities: dx = g - exp(y) sum(g) row by row.
void log_softmax_backward(ConstMatrixView y, ConstMatrixView g, MatrixView dx);

// losses[r] = -log softmax(x_r)[labels[r]]; probabilities (same shape as x) keeps softmax(x) for the way back.
// A label of -1 means "none": loss 0.
void cross_entropy(ConstMatrixView x, std::span<const int32_t> labels, std::span<Real> losses,
                   MatrixView probabilities);
// dx_r = weights[r] (probabilities_r - onehot(labels[r])), zero where the label is -1.
void cross_entropy_backward(ConstMatrixView probabilities, std::span<const int32_t> labels,
                            std::span<const Real> weights, MatrixView dx);

// Softmax down each column within segments of rows: segment s is rows [offsets[s], offsets[s + 1]). With the
// offsets of a sparse matrix and one row per stored entry (one column per head) this is the edge softmax.
void segment_softmax(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView y);
void segment_softmax_backward(std::span<const int64_t> offsets, ConstMatrixView y, ConstMatrixView g, MatrixView dx);

}  // namespace graphveil::kernels
