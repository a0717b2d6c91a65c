// DP-SGD's clipped sum the slow and obvious way: one sample at a time, its whole gradient, its norm, its factor.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "graphveil/nn/tape.h"

namespace graphveil::reference {

struct NaiveClipping {
  std::vector<double> norms;  // of each sample's whole gradient
  std::vector<double> sum;    // of min(1, max_norm / norm) gradient
};

// loss(tape, s) is the loss of sample s alone, in a plain step.
inline NaiveClipping naive_clipping(nn::Parameters& parameters, int64_t samples, double max_norm,
                                    const std::function<nn::Var(nn::Tape&, int64_t)>& loss) {
  nn::Tape tape(Seed::from_number(0));
  NaiveClipping result;
  result.sum.assign(static_cast<size_t>(parameters.size()), 0.0);
  for (int64_t s = 0; s < samples; ++s) {
    tape.start();
    parameters.zero_gradients();
    tape.backward(loss(tape, s));
    double square = 0;
    for (const Real g : parameters.gradients().values()) square += double{g} * g;
    const double norm = std::sqrt(square);
    const double factor = norm > max_norm ? max_norm / norm : 1;
    result.norms.push_back(norm);
    for (size_t i = 0; i < result.sum.size(); ++i) result.sum[i] += factor * parameters.gradients().values()[i];
  }
  return result;
}

}  // namespace graphveil::reference
