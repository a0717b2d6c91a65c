// Losses: 1 x 1 values to differentiate.
#pragma once

#include <span>

#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// Sum over the rows, or mean over those that count. DP-SGD wants the sum: a mean would divide by the number of
// sampled records, which is private.
enum class Reduction { Mean, Sum };

inline constexpr int32_t kNoLabel = -1;

// In a per-sample step row r is sample r's. A row labeled kNoLabel adds exactly nothing to loss and gradient.

// Minus log softmax(x_r)[labels[r]] over rows of logits. Rows labeled kNoLabel do not count. With `class_weights`, one
// positive number for each class, row r counts that of its label times: in the sum, and in the mean, which is then
// divided by the weights of the rows that count. `labels` and `class_weights` must outlive the step. `terms`, where it
// is given, is as long as the rows and gets what each of them adds to the sum.
Var cross_entropy(Var logits, std::span<const int32_t> labels, Reduction reduction = Reduction::Mean,
                  std::span<const Real> class_weights = {}, std::span<Real> terms = {});
// log(1 + exp(-x_r)) where labels[r] is 1, log(1 + exp(x_r)) where it is 0: binary cross-entropy of scores, x being one
// column.
Var logistic_loss(Var scores, std::span<const int32_t> labels, Reduction reduction = Reduction::Mean);
// weight / 2 times the sum of squares: PyTorch's weight decay as a loss. Not for DP-SGD, where weight decay
// belongs to the optimiser.
Var l2_penalty(Var x, Real weight);
// The sum of all entries.
Var sum(Var x);

}  // namespace graphveil::nn
