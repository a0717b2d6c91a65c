#include "graphveil/learn/student.h"

#include <numeric>

#include "graphveil/base/progress.h"
#include "graphveil/learn/edge_pairs.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_shape.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::learn {

void StudentArchitecture::declare(Options& options) {
  options.integer("layers", layers, 1, 64, "Message-passing layers of the student");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units of the student");
  options.real("dropout", dropout, 0, 0.99, "Dropout after each activation of the student");
}

StudentNetwork::StudentNetwork(const graph::Dataset& data, int32_t classes, const StudentArchitecture& architecture,
                               const Seed& seed)
    : dropout_(architecture.dropout),
      rows_(data.features),
      all_(static_cast<size_t>(data.nodes())),
      edges_(data.graph.in_view(), {.weights = nn::EdgeWeights::InverseDegree}) {
  std::iota(all_.begin(), all_.end(), 0);
  RandomStream random(seed, "student weights");
  int64_t width = data.features.cols();
  for (int64_t i = 1; i <= architecture.layers; ++i) {
    const int64_t out = i == architecture.layers ? classes : architecture.hidden_dim;
    layers_.emplace_back(parameters(), "sage" + std::to_string(i), width, out, nn::Aggregator::Mean, random);
    if (i < architecture.layers && architecture.norm)
      norms_.emplace_back(parameters(), "norm" + std::to_string(i), out);
    width = out;
  }
}

nn::Var StudentNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  nn::Var x = layers_[0](rows_(tape, all_), edges_);
  for (size_t i = 1; i < layers_.size(); ++i) {
    x = nn::relu(norms_.empty() ? x : norms_[i - 1](x));
    if (dropout_ > 0) x = nn::dropout(x, dropout_);
    x = layers_[i](x, edges_);
  }
  return nn::gather_rows(x, nodes);
}

void StudentNetwork::save(nn::State& state, const std::string& prefix) const {
  Network::save(state, prefix);
  for (const nn::BatchNorm& norm : norms_) norm.save(state, prefix);
}

void StudentNetwork::load(const nn::State& state, const std::string& prefix) {
  Network::load(state, prefix);
  for (nn::BatchNorm& norm : norms_) norm.load(state, prefix);
}

void pretrain(Student& student, const mechanism::Public<graph::Dataset>& public_data,
              const StudentArchitecture& architecture, int64_t epochs, double learning_rate, const Seed& seed) {
  const graph::Dataset& data = public_data.value();
  if (data.graph.edges() == 0) return;
  Student teller(public_data, static_cast<int32_t>(architecture.hidden_dim), architecture, seed);
  std::vector<int32_t> all(static_cast<size_t>(data.nodes()));
  std::iota(all.begin(), all.end(), 0);
  EdgePairs pairs(data.graph, seed);
  nn::Tape tape(seed);
  nn::Adam adam;
  Progress progress("pre-training", epochs);
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    pairs.draw(epoch);
    tape.start();
    const nn::Var loss = pairs.loss(teller.scores(tape, all));
    teller.parameters().zero_gradients();
    tape.backward(loss);
    adam.step(teller.parameters(), learning_rate);
    progress.advance();
  }
  nn::State learned, state;
  teller.save(learned, "");
  student.save(state, "");
  const std::string last = "sage" + std::to_string(architecture.layers) + ".";
  for (const auto& [name, tensor] : learned) {
    if (!name.starts_with(last)) state[name] = tensor;
  }
  student.load(state, "");
}

}  // namespace graphveil::learn
