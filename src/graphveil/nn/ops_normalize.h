// Rows scaled to norm or mass one, and batch normalization.
#pragma once

#include <optional>

#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// x_r / |x_r|; a zero row stays zero.
Var normalize_rows(Var x);
Var softmax(Var x);      // row by row
Var log_softmax(Var x);  // row by row

// The running statistics of one batch normalization, kept between steps. 1 x columns each.
struct BatchNormState {
  Matrix mean;
  Matrix variance;
  explicit BatchNormState(int64_t columns);
};

// Columns shifted and scaled to mean 0 and variance 1 over the rows, then times gamma plus beta (1 x columns).
// Training steps use the batch's own statistics and move the running ones by `momentum` (the running variance is
// the unbiased one); evaluation uses the running ones: as PyTorch does. It mixes rows, so DP-SGD refuses it. With an
// activation the result is that of activate(batch_norm(...)), in fewer passes over the rows.
Var batch_norm(Var x, Var gamma, Var beta, BatchNormState& state, std::optional<Activation> activation = std::nullopt,
               Real momentum = Real(0.1), Real epsilon = Real(1e-5));

}  // namespace graphveil::nn
