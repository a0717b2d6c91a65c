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

MlpNetwork::MlpNetwork(const graph::Dataset& data, const MlpArchitecture& architecture, bool batch_norm,
                       const Seed& seed, bool first_bias)
    : rows_(data.features),
      random_(seed, "mlp weights"),
      stack_(parameters(), "mlp",
             {stack_widths(data.features.cols(), architecture.layers, architecture.hidden_dim, data.classes),
              architecture.activation, architecture.dropout, batch_norm, first_bias},
             random_) {
  for (Real& weight : parameters().values().values()) weight *= static_cast<Real>(architecture.init_scale);
}

nn::Var MlpNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) { return mlp_scores(tape, nodes, {}); }

void MlpNetwork::save(nn::State& state, const std::string& prefix) const {
  Network::save(state, prefix);
  stack_.save(state, prefix);
}

void MlpNetwork::load(const nn::State& state, const std::string& prefix) {
  Network::load(state, prefix);
  stack_.load(state, prefix);
}

Description Mlp::describe() const {
  return {"mlp", "edge", "An MLP on the features; reads no edge", "baseline of GAP (Sajadmanesh et al. 2023)"};
}

void Mlp::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
}

OptionValues Mlp::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize Mlp::network() const { return {architecture_.hidden_dim, architecture_.layers}; }

std::vector<bound::Relation> Mlp::relations() const { return {bound::Relation::UndirectedEdge, bound::Relation::Edge}; }

std::vector<Tunable> Mlp::tunables(bound::Relation) const {
  return {{"learning-rate", {"0.003", "0.01", "0.03"}},
          {"weight-decay", {"0", "0.0001", "0.001", "0.01"}},
          {"epochs", {"50", "100", "200"}},
          {"dropout", {"0", "0.25", "0.5"}},
          {"hidden-dim", {"16", "64", "256"}},
          {"layers", {"1", "2", "3"}}};
}

Output Mlp::run(const Task& task, Release& release) const {
  MlpNetwork network(task.data, architecture_, true, task.seed);
  Public<nn::State> model = fit(network, fit_data(task), fit_, task.seed, "training", PublicData::under(release));
  return {std::move(model), predictions_for(class_probabilities(network, task.data.nodes()), release)};
}

Predictions Mlp::infer(const nn::State& model, const Task& task, Release& release) const {
  MlpNetwork network(task.data, architecture_, true, task.seed);
  network.load(model, "");
  return predictions_for(class_probabilities(network, task.data.nodes()), release);
}

Description MlpDp::describe() const {
  return {"mlp-dp", "node", "An MLP on the features, trained by DP-SGD; reads no edge",
          "baseline of GAP (Sajadmanesh et al. 2023); Abadi et al. 2016"};
}

MlpDp::MlpDp() : fit_(PrivateFitOptions::linear_softmax()) {
  architecture_.layers = 1;
  architecture_.init_scale = 0;  // a linear softmax starts best where all classes are equal
}

void MlpDp::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  scaling_.declare(options);
}

OptionValues MlpDp::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize MlpDp::network() const { return {architecture_.hidden_dim, architecture_.layers}; }

double MlpDp::trained_numbers(const std::string&, const Setting& setting) const {
  return stack_numbers(setting.facts.features, architecture_.layers, architecture_.hidden_dim, setting.facts.classes);
}

std::optional<Work> MlpDp::work(const Plan& plan, const Setting& setting, const GraphSize& graph) const {
  const Reader reader =
      Reader::stack(graph.row_entries, architecture_.layers, architecture_.hidden_dim, setting.facts.classes);
  Work work;
  work.add_training(trained_samples(plan.line("training"), setting.facts.train_nodes), reader);
  work.add_prediction(static_cast<double>(setting.facts.nodes), reader);
  work.node_numbers = 2.0 * setting.facts.classes;  // scores and probabilities
  work.feature_copies = 2;                          // scaled rows, and those of a batch
  return work;
}

void MlpDp::use_paper_settings() {
  architecture_ = {};
  fit_ = {};
  scaling_ = {};
}

Plan MlpDp::plan(double noise, const Setting& setting) const {
  return {fit_line("training", fit_, noise, setting.facts.train_nodes)};
}

std::optional<Published> MlpDp::published(double epsilon, double delta, const Setting& setting) const {
  const auto by_renyi = [&](double noise) { return plan(noise, setting).ledger(); };
  return Published{account::calibrate(by_renyi, epsilon, delta, {.accountant = account::Accountant::Rdp}).noise,
                   {"the paper's program picks the epoch by private validation accuracy, which is not charged"}};
}

std::vector<Tunable> MlpDp::tunables(bound::Relation) const {
  return {{"learning-rate", {"0.02", "0.05", "0.1"}}, {"max-grad-norm", {"0.25", "0.5", "1"}}};
}

Output MlpDp::run(const Task& task, Release& release) const {
  MlpNetwork network(task.data, architecture_, false, task.seed, scaling_.bias_input == 0);
  Public<nn::State> model = fit_private(network, private_fit_data(task), fit_, "training", task.seed, release);
  return {std::move(model), predictions_for(class_probabilities(network, task.data.nodes()), release)};
}

Predictions MlpDp::infer(const nn::State& model, const Task& task, Release& release) const {
  MlpNetwork network(task.data, architecture_, false, task.seed, scaling_.bias_input == 0);
  network.load(model, "");
  return predictions_for(class_probabilities(network, task.data.nodes()), release);
}

}  // namespace graphveil::method
