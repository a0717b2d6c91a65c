#include "graphveil/method/mlp.h"

#include <utility>

#include "graphveil/account/calibrate.h"

namespace graphveil::method {

void MlpArchitecture::declare(Options& options) {
  options.integer("layers", layers, 1, 64, "Linear layers");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units");
  declare_activation(options, activation);
  options.real("dropout", dropout, 0, 0.99, "Dropout after each activation");
  options.real("init-scale", init_scale, 0, 1000, "The initial weights are multiplied by this");
}

void declare_fit(Options& options, FitOptions& fit) {
  options.integer("epochs", fit.epochs, 1, 1000000, "Passes over the training nodes");
  options.integer_or("batch-size", fit.batch_size, "full", 1, INT64_MAX, "Training nodes per step");
  options.real("learning-rate", fit.learning_rate, 0, 1e6, "Learning rate of Adam");
  options.alias("lr");
  options.real("weight-decay", fit.weight_decay, 0, 1e6, "Weight decay of Adam");
}

FitData fit_data(const Task& task) {
  FitData data{task.data.labels, task.split.train, {}};
  if (task.public_validation) data.public_validation = task.split.val;
  return data;
}

MlpNetwork::MlpNetwork(const graph::Dataset& data, const MlpArchitecture& architecture, bool batch_norm,
                       const Seed& seed)
    : rows_(data.features),
      random_(seed, "mlp weights"),
      stack_(parameters(), "mlp",
             {stack_widths(data.features.cols(), architecture.layers, architecture.hidden_dim, data.classes),
              architecture.activation, architecture.dropout, batch_norm},
             random_) {
  for (Real& weight : parameters().values().values()) weight *= static_cast<Real>(architecture.init_scale);
}

nn::Var MlpNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) { return stack_(rows_(tape, nodes)); }

void MlpNetwork::save(nn::State& state, const std::string& prefix) const {
  Network::save(state, prefix);
  stack_.save(state, prefix);
}

void MlpNetwork::load(const nn::State& state, const std::string& prefix) {
  Network::load(state, prefix);
  stack_.load(state, prefix);
}

namespace {

Released released(MlpNetwork& network, int64_t nodes) {
  Released out;
  network.save(out.model, "");
  out.probabilities = class_probabilities(network, nodes);
  return out;
}

}  // namespace

Description Mlp::describe() const {
  return {"mlp", "edge", "An MLP on the features; reads no edge", "baseline of GAP (Sajadmanesh et al. 2023)"};
}

void Mlp::declare(Options& options) {
  architecture_.declare(options);
  declare_fit(options, fit_);
}

std::vector<bound::Relation> Mlp::relations() const { return {bound::Relation::UndirectedEdge, bound::Relation::Edge}; }

account::Ledger Mlp::plan(double, bound::Relation, const PublicFacts&) const { return {}; }

Released Mlp::run(const Task& task, double, mechanism::Release*) const {
  MlpNetwork network(task.data, architecture_, true, task.seed);
  fit(network, fit_data(task), fit_, task.seed, "training");
  return released(network, task.data.nodes());
}

Matrix Mlp::infer(const nn::State& model, const Task& task, double, mechanism::Release*) const {
  MlpNetwork network(task.data, architecture_, true, task.seed);
  network.load(model, "");
  return class_probabilities(network, task.data.nodes());
}

Description MlpDp::describe() const {
  return {"mlp-dp", "node", "An MLP on the features, trained by DP-SGD; reads no edge",
          "baseline of GAP (Sajadmanesh et al. 2023); Abadi et al. 2016"};
}

MlpDp::MlpDp() : fit_(PrivateFitOptions::big_batches(400, 0.03)) {
  architecture_.layers = 1;
  architecture_.init_scale = 0;  // a linear softmax starts best where all classes are equal
}

void MlpDp::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  declare_feature_scaling(options, unit_rows_);
}

void MlpDp::use_paper_settings() {
  architecture_ = {};
  fit_ = {};
  unit_rows_ = false;
}

account::Ledger MlpDp::plan(double noise, bound::Relation, const PublicFacts& facts) const {
  return {fit_event("training", fit_, noise, facts.train_nodes)};
}

std::optional<Published> MlpDp::published(double epsilon, double delta, bound::Relation relation,
                                          const PublicFacts& facts) const {
  const auto by_renyi = [&](double noise) { return plan(noise, relation, facts); };
  return Published{account::calibrate(by_renyi, epsilon, delta, {.accountant = account::Accountant::Rdp}).noise,
                   {"the paper's program picks the epoch by private validation accuracy, which is not charged"}};
}

Released MlpDp::run(const Task& task, double noise, mechanism::Release* release) const {
  MlpNetwork network(task.data, architecture_, false, task.seed);
  fit_private(network, task.split.train, task.data.labels, fit_, noise, "training", task.seed, required(release));
  return released(network, task.data.nodes());
}

Matrix MlpDp::infer(const nn::State& model, const Task& task, double, mechanism::Release*) const {
  MlpNetwork network(task.data, architecture_, false, task.seed);
  network.load(model, "");
  return class_probabilities(network, task.data.nodes());
}

}  // namespace graphveil::method
