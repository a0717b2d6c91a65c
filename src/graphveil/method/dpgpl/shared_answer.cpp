#include "graphveil/method/dpgpl/shared_answer.h"

#include <algorithm>

#include "graphveil/base/error.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::method {

AnswerLayer::AnswerLayer(const BackboneShape& shape, int32_t classes)
    : weight_(parameters_.add("weight", shape.hidden, classes)), bias_(parameters_.add("bias", 1, classes)) {}

nn::Var AnswerLayer::operator()(nn::Var embeddings) {
  nn::Tape& tape = *embeddings.tape;
  return nn::linear(embeddings, tape.parameter(parameters_, weight_), tape.parameter(parameters_, bias_));
}

void AnswerLayer::draw(const Seed& seed) {
  RandomStream random(seed, "answer");
  const MatrixView weight = parameters_.value(weight_);
  nn::fill_glorot(weight, weight.rows, weight.cols, random);
}

LinearAnswer AnswerLayer::value() const {
  const ConstMatrixView weight = parameters_.value(weight_), bias = parameters_.value(bias_);
  LinearAnswer out{Matrix::uninitialized(weight.rows, weight.cols), Matrix::uninitialized(bias.rows, bias.cols)};
  kernels::copy(weight, out.weight);
  kernels::copy(bias, out.bias);
  return out;
}

void AnswerLayer::set(const LinearAnswer& answer) {
  kernels::copy(answer.weight, parameters_.value(weight_));
  kernels::copy(answer.bias, parameters_.value(bias_));
}

std::vector<int32_t> few_of_each_class(const Task& task, const std::optional<int64_t>& shots) {
  std::vector<int32_t> records = task.split.train, out;
  std::sort(records.begin(), records.end());
  std::vector<int64_t> taken(static_cast<size_t>(task.data.classes), 0);
  for (const int32_t u : records) {
    const int32_t label = task.data.labels[u];
    if (label == graph::kUnlabeled || (shots && taken[static_cast<size_t>(label)] >= *shots)) continue;
    ++taken[static_cast<size_t>(label)];
    out.push_back(u);
  }
  require(!out.empty(), "no private record has a label");
  return out;
}

std::vector<int32_t> labels_of(const Task& task, const std::vector<int32_t>& records) {
  std::vector<int32_t> labels;
  for (const int32_t u : records) labels.push_back(task.data.labels[u]);
  return labels;
}

PromptGraph private_graph(const Task& task, const PublicBackbone& backbone, const Backbone& network) {
  return {backbone.rows(task.data.features), task.data.graph, network, backbone.standard(1)};
}

LinearAnswer shared_answer(const Task& task, const PublicBackbone& backbone, const PromptOptions& options,
                           const std::optional<int64_t>& shots) {
  const std::vector<int32_t> records = few_of_each_class(task, shots), labels = labels_of(task, records);
  const PromptGraph graph = private_graph(task, backbone, backbone.network());
  const Matrix embeddings = backbone.network().embed(graph.rows, graph.edges);
  AnswerLayer answer(backbone.network().shape(), task.data.classes);
  adam_steps(answer.parameters(), options.epochs, options, task.seed, [&](nn::Tape& tape) {
    return nn::cross_entropy(answer(graph.standard(nn::gather_rows(tape.input(embeddings), records))), labels);
  });
  return answer.value();
}

std::optional<LinearAnswer> answer_for(const Task& task, const PublicBackbone& backbone, const PromptOptions& options,
                                       const std::optional<int64_t>& shots) {
  if (options.answer == AnswerOf::Own) return std::nullopt;
  return shared_answer(task, backbone, options, shots);
}

}  // namespace graphveil::method
