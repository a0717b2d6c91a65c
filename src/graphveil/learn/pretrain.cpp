#include "graphveil/learn/pretrain.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/learn/pretrain_dgi.h"
#include "graphveil/learn/pretrain_edge.h"
#include "graphveil/learn/pretrain_graphmae.h"
#include "graphveil/learn/pretrain_simgrace.h"
#include "graphveil/nn/optimizer.h"

namespace graphveil::learn {
namespace {

const std::vector<std::pair<std::string, PretrainKind>> kTasks = {{"dgi", PretrainKind::Dgi},
                                                                  {"graphmae", PretrainKind::GraphMae},
                                                                  {"edge", PretrainKind::Edge},
                                                                  {"simgrace", PretrainKind::SimGrace}};

constexpr double kRunaway = 1000;  // so many times the first loss: nothing is learned any more

std::unique_ptr<PretrainTask> make_task(PretrainKind kind, Backbone& backbone, const PretrainGraph& graph,
                                        const Seed& seed) {
  switch (kind) {
    case PretrainKind::Dgi: return std::make_unique<Dgi>(backbone, graph, seed);
    case PretrainKind::GraphMae: return std::make_unique<GraphMae>(backbone, graph, seed);
    case PretrainKind::Edge: return std::make_unique<EdgePrediction>(backbone, graph, seed);
    case PretrainKind::SimGrace: return std::make_unique<SimGrace>(backbone, graph, seed);
  }
  fail(ErrorKind::Internal, "unknown pre-training task");
}

PretrainKind read_task(const nn::State& state, const std::string& name) {
  const std::vector<uint8_t> bytes = nn::read_bytes(state, name);
  const std::string text(bytes.begin(), bytes.end());
  for (const auto& [word, kind] : kTasks) {
    if (word == text) return kind;
  }
  fail(ErrorKind::BadInput, "'{}' is not dgi, graphmae, edge or simgrace", name);
}

}  // namespace

std::string to_string(PretrainKind kind) {
  for (const auto& [word, value] : kTasks) {
    if (value == kind) return word;
  }
  fail(ErrorKind::Internal, "unknown pre-training task");
}

void PretrainOptions::declare(Options& options) {
  options.choice<BackboneKind>(
      "arch", architecture,
      {{"gcn", BackboneKind::Gcn}, {"gat", BackboneKind::Gat}, {"transformer", BackboneKind::Transformer}},
      "Layers of the backbone");
  options.choice<PretrainKind>("task", task, kTasks, "What the backbone learns from, without labels");
  options.integer("svd", svd, 1, 4096, "Width that features are brought to, by a basis fitted on public data");
  options.integer("hidden-dim", hidden, 1, 4096, "Width of the layers and of the embeddings");
  options.integer("layers", layers, 1, 64, "Layers of the backbone");
  options.integer("heads", heads, 1, 4096, "Attention heads of gat and transformer, within the width");
  options.integer("epochs", epochs, 1, 1000000, "Passes over the public graph");
  options.real("learning-rate", learning_rate, 0, 1e6, "Learning rate of Adam");
  options.alias("lr");
}

Pretrained pretrain(const mechanism::Public<graph::Dataset>& public_data, const PretrainOptions& options,
                    const Seed& seed) {
  const graph::Dataset& data = public_data.value();
  require(data.nodes() >= 2, "the public graph has {} nodes, want at least 2", data.nodes());
  RandomStream random(seed, "backbone");
  Pretrained result{options, FeatureBasis(data.features, options.svd, seed), Backbone(options.shape(), random)};
  const Matrix x = result.basis(data.features);
  const nn::Edges edges(data.graph.in_view(), edge_options(options.architecture));
  const auto task = make_task(options.task, result.backbone, {data.graph, x, edges}, seed);

  std::vector<nn::Parameters*> trained = task->trained();
  trained.push_back(&result.backbone.parameters());
  std::vector<nn::Adam> optimizers(trained.size());
  nn::Tape tape(seed);
  Progress progress("pre-training", options.epochs);
  for (int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    tape.start();
    const nn::Var loss = task->loss(tape, epoch);
    const double value = loss.value()(0, 0);
    result.losses.push_back(value);
    // NaN fails it too.
    if (!(value <= kRunaway * (1 + result.losses.front()))) {
      fail(ErrorKind::NotConverged, "the loss of epoch {} is {}; try a lower learning rate than {}", epoch + 1, value,
           options.learning_rate);
    }
    for (nn::Parameters* parameters : trained) parameters->zero_gradients();
    tape.backward(loss);
    for (size_t i = 0; i < trained.size(); ++i) optimizers[i].step(*trained[i], options.learning_rate);
    progress.advance();
  }
  result.backbone.freeze();
  return result;
}

FeatureBasis Pretrained::basis_for(const graph::Features& public_features, const Seed& seed) const {
  return public_features.cols() == basis.inputs() ? basis.clone() : FeatureBasis(public_features, basis.dim(), seed);
}

void Pretrained::save(nn::State& state, const std::string& prefix) const {
  const std::string task = to_string(options.task);
  Matrix rate(1, 1);
  rate(0, 0) = static_cast<Real>(options.learning_rate);
  state[prefix + "task"] = nn::to_tensor(std::span(reinterpret_cast<const uint8_t*>(task.data()), task.size()));
  state[prefix + "epochs"] = nn::to_tensor(options.epochs);
  state[prefix + "learning_rate"] = nn::to_tensor(rate);
  basis.save(state, prefix + "basis.");
  backbone.save(state, prefix + "backbone.");
}

Pretrained Pretrained::loaded(const nn::State& state, const std::string& prefix) {
  Pretrained result{{}, FeatureBasis::loaded(state, prefix + "basis."), Backbone::loaded(state, prefix + "backbone.")};
  const BackboneShape& shape = result.backbone.shape();
  if (shape.inputs != result.basis.dim()) {
    fail(ErrorKind::BadInput, "the backbone reads {} features, its basis makes {}", shape.inputs, result.basis.dim());
  }
  Matrix rate(1, 1);
  nn::read_matrix(state, prefix + "learning_rate", rate);
  result.options = {shape.kind,  read_task(state, prefix + "task"),         shape.inputs, shape.hidden, shape.layers,
                    shape.heads, nn::read_number(state, prefix + "epochs"), rate(0, 0)};
  if (result.options.epochs < 1 || !std::isfinite(result.options.learning_rate)) {
    fail(ErrorKind::BadInput, "'{}epochs' is {}, '{}learning_rate' {}: not what training was asked for", prefix,
         result.options.epochs, prefix, result.options.learning_rate);
  }

  nn::State known;
  result.save(known, prefix);
  for (const auto& [name, tensor] : state) {
    if (name.starts_with(prefix) && !known.contains(name)) fail(ErrorKind::BadInput, "'{}' is not expected", name);
  }
  return result;
}

}  // namespace graphveil::learn
