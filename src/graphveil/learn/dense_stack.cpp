#include "graphveil/learn/dense_stack.h"

namespace graphveil::learn {

void declare_activation(Options& options, Activation& activation) {
  options.choice("activation", activation,
                 {{"selu", Activation::Selu},
                  {"relu", Activation::Relu},
                  {"elu", Activation::Elu},
                  {"leaky-relu", Activation::LeakyRelu},
                  {"tanh", Activation::Tanh}},
                 "Activation between layers");
}

namespace {

// A bias before batch normalization does nothing: its gradient is rounding, which Adam would blow up.
bool has_bias(const StackOptions& options, size_t layer) {
  const bool last = layer + 2 == options.widths.size();
  if (layer == 0 && !options.first_bias) return false;
  return last ? options.last_bias : !options.batch_norm;
}

}  // namespace

DenseStack::DenseStack(nn::Parameters& parameters, const std::string& name, const StackOptions& options,
                       RandomStream& random)
    : options_(options) {
  for (size_t i = 0; i + 1 < options.widths.size(); ++i) {
    if (i > 0 && options.batch_norm) {
      norms_.emplace_back(parameters, name + ".norm" + std::to_string(i), options.widths[i]);
    }
    layers_.emplace_back(parameters, name + "." + std::to_string(i), options.widths[i], options.widths[i + 1], random,
                         has_bias(options, i));
  }
}

nn::Var DenseStack::operator()(const nn::Input& x) {
  if (layers_.empty()) return x.dense();
  nn::Var out = layers_[0](x);
  for (size_t i = 1; i < layers_.size(); ++i) {
    out = options_.batch_norm ? norms_[i - 1](out, options_.activation) : nn::activate(out, options_.activation);
    if (options_.dropout > 0) out = nn::dropout(out, options_.dropout);
    out = layers_[i](out);
  }
  return out;
}

void DenseStack::save(nn::State& state, const std::string& prefix) const {
  for (const nn::BatchNorm& norm : norms_) norm.save(state, prefix);
}

void DenseStack::load(const nn::State& state, const std::string& prefix) {
  for (nn::BatchNorm& norm : norms_) norm.load(state, prefix);
}

std::vector<int64_t> stack_widths(int64_t input, int64_t layers, int64_t hidden, int64_t output) {
  std::vector<int64_t> widths{input};
  for (int64_t i = 1; i < layers; ++i) widths.push_back(hidden);
  if (layers > 0) widths.push_back(output);
  return widths;
}

}  // namespace graphveil::learn
