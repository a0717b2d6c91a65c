// Optimisers with PyTorch's semantics. They read gradients and change values, so after noise they are
// post-processing: DP-SGD and DP-Adam are these, fed a noisy clipped sum over the expected batch size.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/state.h"

namespace graphveil::nn {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // One step with the gradient `scale` * gradient (1 x parameters.size()).
  virtual void step(Parameters& parameters, ConstMatrixView gradient, double learning_rate, double scale = 1) = 0;
  // A step with numbers as a mechanism releases them, rounded to Real.
  void step(Parameters& parameters, std::span<const double> gradient, double learning_rate, double scale = 1);
  // A step with the gradients that the parameters hold.
  void step(Parameters& parameters, double learning_rate) { step(parameters, parameters.gradients(), learning_rate); }
  virtual void save(State& state) const = 0;
  virtual void load(const State& state) = 0;

 private:
  Matrix rounded_;
};

struct SgdOptions {
  double momentum = 0;
  bool nesterov = false;
  double weight_decay = 0;
};

// d = g + weight_decay w;  m = momentum m + d (m = d at first);  w -= rate (nesterov: d + momentum m, else m).
class Sgd final : public Optimizer {
 public:
  using Optimizer::step;
  explicit Sgd(const SgdOptions& options = {});
  void step(Parameters& parameters, ConstMatrixView gradient, double learning_rate, double scale = 1) override;
  void save(State& state) const override;
  void load(const State& state) override;

 private:
  SgdOptions options_;
  int64_t steps_ = 0;
  Matrix momentum_;
};

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;  // AdamW: weights decay by themselves instead of through the gradient
};

// m and v are running means of d = g + weight_decay w and of d^2;
// w -= rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon).
class Adam final : public Optimizer {
 public:
  using Optimizer::step;
  explicit Adam(const AdamOptions& options = {});
  void step(Parameters& parameters, ConstMatrixView gradient, double learning_rate, double scale = 1) override;
  void save(State& state) const override;
  void load(const State& state) override;

 private:
  AdamOptions options_;
  int64_t steps_ = 0;
  Matrix mean_, square_;
};

}  // namespace graphveil::nn
