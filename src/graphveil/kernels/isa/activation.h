// What the levels of the activations share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

// Each: y[i] = f(x[i]) for i in [0, count); y may be x.
struct ActivationKernels {
  void (*exponential)(const Real* x, Real* y, int64_t count) noexcept;
  // scale x above zero, scale_alpha (e^x - 1) below: ELU and SELU.
  void (*elu)(const Real* x, Real* y, int64_t count, Real scale, Real scale_alpha) noexcept;
  void (*tanh)(const Real* x, Real* y, int64_t count) noexcept;
  void (*sigmoid)(const Real* x, Real* y, int64_t count) noexcept;
  // dx[i] = g[i] times (`above` where y[i] > 0, else y_share y[i] + below): the derivatives of ReLU, leaky ReLU, ELU
  // and SELU. dx may be g or y.
  void (*piecewise_backward)(const Real* y, const Real* g, Real* dx, int64_t count, Real above, Real y_share,
                             Real below) noexcept;
};

extern const ActivationKernels kActivationGeneric;
extern const ActivationKernels kActivationAvx2;
extern const ActivationKernels kActivationAvx512;

}  // namespace graphveil::kernels::isa
