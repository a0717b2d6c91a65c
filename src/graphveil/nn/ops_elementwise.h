// Operations entry by entry, and activations.
#pragma once

#include "graphveil/kernels/activation.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

using kernels::Activation;

Var add(Var x, Var y);       // of one shape
Var multiply(Var x, Var y);  // of one shape, entry by entry
Var scale(Var x, Real alpha);

// Each entry is zeroed with this probability (to within 2^-16) and the rest scaled to keep the mean;
// the identity outside training steps.
Var dropout(Var x, double probability);

Var activate(Var x, Activation kind);
inline Var relu(Var x) { return activate(x, Activation::Relu); }
inline Var selu(Var x) { return activate(x, Activation::Selu); }
inline Var elu(Var x) { return activate(x, Activation::Elu); }
inline Var leaky_relu(Var x) { return activate(x, Activation::LeakyRelu); }
inline Var tanh(Var x) { return activate(x, Activation::Tanh); }
inline Var sigmoid(Var x) { return activate(x, Activation::Sigmoid); }

}  // namespace graphveil::nn
