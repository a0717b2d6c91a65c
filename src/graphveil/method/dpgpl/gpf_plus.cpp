#include "graphveil/method/dpgpl/gpf_plus.h"

#include "graphveil/kernels/elementwise.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::method {

GpfPlusLayers::GpfPlusLayers(nn::Parameters& parameters, int64_t tokens, const BackboneShape& shape, int32_t classes,
                             const Seed& seed)
    : parameters_(&parameters),
      vectors_(parameters.add("vectors", tokens, shape.inputs)),
      attention_(parameters.add("attention", shape.inputs, tokens)),
      weight_(parameters.add("answer.weight", shape.hidden, classes)),
      bias_(parameters.add("answer.bias", 1, classes)) {
  RandomStream random(seed, "prompt");
  nn::fill_glorot(parameters.value(vectors_), shape.inputs, shape.inputs, random);
  nn::fill_glorot(parameters.value(attention_), shape.inputs, tokens, random);
  // The answer starts at zero: what it says at first is that every class is as likely.
}

nn::Var GpfPlusLayers::prompted(nn::Var x) const {
  const nn::Var shares = nn::softmax(nn::matmul(x, x.tape->parameter(*parameters_, attention_)));
  return nn::add(x, nn::matmul(shares, x.tape->parameter(*parameters_, vectors_)));
}

nn::Var GpfPlusLayers::answer(nn::Var embeddings) const {
  nn::Tape& tape = *embeddings.tape;
  return nn::linear(embeddings, tape.parameter(*parameters_, weight_), tape.parameter(*parameters_, bias_));
}

void GpfPlusLayers::set_answer(const LinearAnswer& answer) {
  kernels::copy(answer.weight, parameters_->value(weight_));
  kernels::copy(answer.bias, parameters_->value(bias_));
}

GpfPlus::GpfPlus(const PromptOptions& options, const Backbone& backbone, int32_t classes, const Seed& seed)
    : options_(options),
      backbone_(backbone),
      layers_(parameters_, options.token_count(), backbone.shape(), classes, seed) {}

nn::Var GpfPlus::scores(nn::Tape& tape, const PromptGraph& graph, std::span<const int32_t> nodes) {
  const nn::Var embeddings = backbone_(layers_.prompted(tape.input(graph.rows)), graph.edges);
  const nn::Var read = graph.standard(nn::gather_rows(embeddings, nodes));
  return kept_ ? nn::linear(read, tape.constant(kept_->weight), tape.constant(kept_->bias)) : layers_.answer(read);
}

void GpfPlus::tune(const PromptGraph& graph, std::span<const int32_t> nodes, std::span<const int32_t> labels,
                   const Seed& seed) {
  adam_steps(parameters_, options_.epochs, options_, seed,
             [&](nn::Tape& tape) { return nn::cross_entropy(scores(tape, graph, nodes), labels); });
  // Weight decay has moved what no gradient did.
  if (kept_) layers_.set_answer(*kept_);
}

void GpfPlus::keep_answer(const LinearAnswer& answer) {
  layers_.set_answer(answer);
  kept_ = LinearAnswer{answer.weight.clone(), answer.bias.clone()};
}

}  // namespace graphveil::method
