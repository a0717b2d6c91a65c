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

}  // namespace graphveil::nn
