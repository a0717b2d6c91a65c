// Activations and their derivatives, accurate to about 1e-6 relative. Outputs may be the same view as an input.
#pragma once

#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

enum class Activation {
  Relu,
  Selu,       // scale 1.0507, alpha 1.67326 (Klambauer et al. 2017)
  Elu,        // alpha = 1
  LeakyRelu,  // slope kLeakySlope below zero
  Tanh,
  Sigmoid,
};

inline constexpr Real kLeakySlope = Real(0.2);
inline constexpr double kSeluScale = 1.0507009873554804934193349852946;
inline constexpr double kSeluAlpha = 1.6732632423543772848170429916717;

void activate(Activation kind, ConstMatrixView x, MatrixView y);
// dx = g f'(x), from the value y = f(x) alone: all of these derivatives are functions of the value.
void activate_backward(Activation kind, ConstMatrixView y, ConstMatrixView g, MatrixView dx);

// y = x where x > 0, else slopes x; slopes has one entry, or one per column.
void prelu(ConstMatrixView x, std::span<const Real> slopes, MatrixView y);
// Overwrites dx; adds to dslopes (as long as slopes). dx may be g, not x.
void prelu_backward(ConstMatrixView x, std::span<const Real> slopes, ConstMatrixView g, MatrixView dx,
                    std::span<Real> dslopes);

}  // namespace graphveil::kernels
