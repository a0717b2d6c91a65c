// Adam's update, compiled once per level.
#pragma once

#include "graphveil/kernels/isa/adam.h"

namespace graphveil::kernels::isa {
namespace {

inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }

void adam_step(const AdamNumbers& numbers, const Real* __restrict__ g, Real* __restrict__ w, Real* __restrict__ mean,
               Real* __restrict__ square, int64_t count) noexcept {
  const AdamNumbers a = numbers;
  for (int64_t i = 0; i < count; ++i) {
    const Real d = a.scale * g[i] + a.decay * w[i];
    mean[i] = a.beta1 * mean[i] + a.rest1 * d;
    square[i] = a.beta2 * square[i] + a.rest2 * d * d;
    w[i] = a.shrink * w[i] - a.rate * mean[i] / (square_root(square[i]) * a.root + a.epsilon);
  }
}

constexpr AdamKernels kAdamTable{.step = adam_step};

}  // namespace
}  // namespace graphveil::kernels::isa
