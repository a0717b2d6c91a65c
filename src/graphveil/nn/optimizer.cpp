#include "graphveil/nn/optimizer.h"

#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/adam.h"

namespace graphveil::nn {
namespace {

constexpr int64_t kGrain = 16384;

void check_step(const Parameters& parameters, ConstMatrixView gradient, double learning_rate) {
  require(gradient.rows == 1 && gradient.cols == parameters.size(), "gradient of {} x {} for {} parameters",
          gradient.rows, gradient.cols, parameters.size());
  require(std::isfinite(learning_rate) && learning_rate >= 0, "learning rate is {}, want 0 or more", learning_rate);
}

Matrix read_row(const State& state, const std::string& name) {
  const auto found = state.find(name);
  if (found == state.end() || found->second.shape.size() != 2) fail(ErrorKind::BadInput, "'{}' is missing", name);
  Matrix row = Matrix::uninitialized(1, found->second.elements());
  read_matrix(state, name, row);
  return row;
}

}  // namespace

void Optimizer::step(Parameters& parameters, std::span<const double> gradient, double learning_rate, double scale) {
  const auto count = static_cast<int64_t>(gradient.size());
  if (rounded_.size() != count) rounded_ = Matrix::uninitialized(1, count);
  parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) rounded_.data()[i] = static_cast<Real>(gradient[static_cast<size_t>(i)]);
  });
  step(parameters, ConstMatrixView(rounded_), learning_rate, scale);
}

Sgd::Sgd(const SgdOptions& options) : options_(options) {
  require(options.momentum >= 0 && options.momentum < 1, "momentum is {}, want 0 to below 1", options.momentum);
  require(options.weight_decay >= 0, "weight decay is {}, want 0 or more", options.weight_decay);
}

void Sgd::step(Parameters& parameters, ConstMatrixView gradient, double learning_rate, double scale) {
  check_step(parameters, gradient, learning_rate);
  const bool first = steps_++ == 0;
  if (options_.momentum > 0 && momentum_.size() != parameters.size()) momentum_ = Matrix(1, parameters.size());
  Real* w = parameters.values().data();
  Real* m = momentum_.data();
  const Real* g = gradient.data;
  const auto rate = static_cast<Real>(learning_rate);
  const auto factor = static_cast<Real>(scale);
  const auto decay = static_cast<Real>(options_.weight_decay);
  const auto mu = static_cast<Real>(options_.momentum);
  parallel_for(parameters.size(), kGrain, [&](int64_t begin, int64_t end) {
    if (mu == 0) {
      for (int64_t i = begin; i < end; ++i) w[i] -= rate * (factor * g[i] + decay * w[i]);
      return;
    }
    for (int64_t i = begin; i < end; ++i) {
      const Real d = factor * g[i] + decay * w[i];
      m[i] = first ? d : mu * m[i] + d;
      w[i] -= rate * (options_.nesterov ? d + mu * m[i] : m[i]);
    }
  });
}

void Sgd::save(State& state) const {
  state["optimizer.steps"] = to_tensor(steps_);
  if (momentum_.size() > 0) state["optimizer.momentum"] = to_tensor(momentum_);
}

void Sgd::load(const State& state) {
  steps_ = read_number(state, "optimizer.steps");
  if (options_.momentum > 0 && steps_ > 0) momentum_ = read_row(state, "optimizer.momentum");
}

Adam::Adam(const AdamOptions& options) : options_(options) {
  require(options.beta1 >= 0 && options.beta1 < 1 && options.beta2 >= 0 && options.beta2 < 1,
          "betas are {} and {}, want 0 to below 1", options.beta1, options.beta2);
  require(options.epsilon >= 0 && options.weight_decay >= 0, "epsilon {} and weight decay {}, want 0 or more",
          options.epsilon, options.weight_decay);
}

void Adam::step(Parameters& parameters, ConstMatrixView gradient, double learning_rate, double scale) {
  check_step(parameters, gradient, learning_rate);
  ++steps_;
  if (mean_.size() != parameters.size()) {
    mean_ = Matrix(1, parameters.size());
    square_ = Matrix(1, parameters.size());
  }
  const auto t = static_cast<double>(steps_);
  const auto real = [](double x) { return static_cast<Real>(x); };
  // rate m_hat / (sqrt(v_hat) + epsilon) with the corrections pulled out of the loop.
  const kernels::AdamNumbers numbers{
      .scale = real(scale),
      .decay = real(options_.decoupled ? 0 : options_.weight_decay),
      .shrink = real(options_.decoupled ? 1 - learning_rate * options_.weight_decay : 1),
      .beta1 = real(options_.beta1),
      .rest1 = real(1 - options_.beta1),
      .beta2 = real(options_.beta2),
      .rest2 = real(1 - options_.beta2),
      .rate = real(learning_rate / (1 - std::pow(options_.beta1, t))),
      .root = real(1 / std::sqrt(1 - std::pow(options_.beta2, t))),
      .epsilon = real(options_.epsilon),
  };
  kernels::adam_step(numbers, gradient, parameters.values(), mean_, square_);
}

void Adam::save(State& state) const {
  state["optimizer.steps"] = to_tensor(steps_);
  if (steps_ == 0) return;
  state["optimizer.mean"] = to_tensor(mean_);
  state["optimizer.square"] = to_tensor(square_);
}

void Adam::load(const State& state) {
  steps_ = read_number(state, "optimizer.steps");
  if (steps_ == 0) return;
  mean_ = read_row(state, "optimizer.mean");
  square_ = read_row(state, "optimizer.square");
}

}  // namespace graphveil::nn
