// The activations that need an exponential, compiled once per level.
#pragma once

#include "graphveil/kernels/isa/activation.h"
#include "graphveil/kernels/isa/exponential.h"

namespace graphveil::kernels::isa {
namespace {

template <typename F>
inline void map(const Real* x, Real* y, int64_t count, F f) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) store<kLanes>(y + i, f(load<kLanes>(x + i)));
  if (i < count) store_first(y + i, count - i, f(load_first(x + i, count - i, 0)));
}

void activation_exponential(const Real* x, Real* y, int64_t count) noexcept {
  map(x, y, count, [](Reals v) { return exponential(v); });
}

void activation_elu(const Real* x, Real* y, int64_t count, Real scale, Real scale_alpha) noexcept {
  map(x, y, count, [=](Reals v) {
    const Reals negative = v > Real(0) ? Reals{} : v;
    return v > Real(0) ? v * scale : exponential_minus_one(negative) * scale_alpha;
  });
}

// With m = e^(-2|x|) - 1, tanh |x| = -m / (2 + m): no cancellation near 0, and m -> -1 for large |x|.
void activation_tanh(const Real* x, Real* y, int64_t count) noexcept {
  map(x, y, count, [](Reals v) {
    const Reals m = exponential_minus_one(magnitude(v) * Real(-2));
    return with_sign_of(-m / (Real(2) + m), v);
  });
}

void activation_sigmoid(const Real* x, Real* y, int64_t count) noexcept {
  map(x, y, count, [](Reals v) { return Real(1) / (Real(1) + exponential(-v)); });
}

void activation_piecewise_backward(const Real* y, const Real* g, Real* dx, int64_t count, Real above, Real y_share,
                                   Real below) noexcept {
  const auto product = [=](Reals value, Reals gradient) {
    return gradient * (value > Real(0) ? splat_real(above) : value * y_share + below);
  };
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    store<kLanes>(dx + i, product(load<kLanes>(y + i), load<kLanes>(g + i)));
  }
  if (i < count) {
    const int64_t rest = count - i;
    store_first(dx + i, rest, product(load_first(y + i, rest, 0), load_first(g + i, rest, 0)));
  }
}

constexpr ActivationKernels kActivationTable{.exponential = activation_exponential,
                                             .elu = activation_elu,
                                             .tanh = activation_tanh,
                                             .sigmoid = activation_sigmoid,
                                             .piecewise_backward = activation_piecewise_backward};

}  // namespace
}  // namespace graphveil::kernels::isa
