#include "graphveil/nn/layers_dense.h"

#include "graphveil/base/error.h"

namespace graphveil::nn {

Input Input::dropped(double probability) const {
  if (gathered_ && probability > 0) fail(ErrorKind::Unsupported, "picked rows of dense features have no dropout");
  Input result = *this;
  if (dense_) {
    result.dense_ = dropout(*dense_, probability);
  } else {
    result.sparse_dropout_ = probability;
  }
  return result;
}

Var Input::times(Var weight) const {
  if (dense_) return matmul(*dense_, weight);
  if (gathered_) return gathered_matmul(*tape_, *gathered_, weight);
  return sparse_matmul(*tape_, sparse_, weight, sparse_dropout_);
}

Var Input::times(Var weight, Var bias) const {
  if (dense_) return linear(*dense_, weight, bias);
  if (gathered_) return gathered_linear(*tape_, *gathered_, weight, bias);
  return add_bias(times(weight), bias);
}

Var Input::dense() const {
  if (!dense_) fail(ErrorKind::Unsupported, "this layer needs rows of its own, and was given picked features");
  return *dense_;
}

Linear::Linear(Parameters& parameters, const std::string& name, int64_t in, int64_t out, RandomStream& random,
               bool bias)
    : parameters_(&parameters), weight_(parameters.add(name + ".weight", in, out)) {
  fill_fan_in_uniform(parameters.value(weight_), in, random);
  if (!bias) return;
  bias_ = parameters.add(name + ".bias", 1, out);
  fill_fan_in_uniform(parameters.value(*bias_), in, random);
}

Var Linear::operator()(const Input& x) const {
  if (!bias_) return product(x);
  const Var weight = x.tape().parameter(*parameters_, weight_);
  return x.times(weight, x.tape().parameter(*parameters_, *bias_));
}

Var Linear::product(const Input& x) const { return x.times(x.tape().parameter(*parameters_, weight_)); }

Var Linear::biased(Var x) const { return bias_ ? add_bias(x, x.tape->parameter(*parameters_, *bias_)) : x; }

Mlp::Mlp(Parameters& parameters, const std::string& name, const MlpOptions& options, RandomStream& random)
    : options_(options) {
  require(options.widths.size() >= 2, "an MLP has {} widths, want an input and an output", options.widths.size());
  for (size_t l = 0; l + 1 < options.widths.size(); ++l) {
    parameters.next_group();
    layers_.emplace_back(parameters, name + "." + std::to_string(l), options.widths[l], options.widths[l + 1], random);
  }
  parameters.next_group();
}

Var Mlp::operator()(const Input& x) const {
  Var h = layers_[0](x.dropped(options_.input_dropout));
  for (size_t l = 1; l < layers_.size(); ++l) {
    h = layers_[l](dropout(activate(h, options_.activation), options_.dropout));
  }
  return options_.activate_last ? activate(h, options_.activation) : h;
}

}  // namespace graphveil::nn
