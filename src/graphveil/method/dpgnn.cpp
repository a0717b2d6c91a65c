#include "graphveil/method/dpgnn.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/published_dpgnn.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/method/dpgnn_published.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {
namespace {

constexpr const char* kPaper = "Daigavane et al. 2021";

void declare_setting(Options& options, GnnSetting& setting) {
  options.choice("setting", setting, {{"transductive", GnnSetting::Transductive}, {"inductive", GnnSetting::Inductive}},
                 "inductive: edges between training, validation and test nodes are removed");
}

// The part of the split that each node is in; nodes in none share one of their own.
std::vector<int32_t> parts_of(const graph::Split& split, int64_t nodes) {
  std::vector<int32_t> part(static_cast<size_t>(nodes), 0);
  for (const int32_t v : split.train) part[v] = 1;
  for (const int32_t v : split.val) part[v] = 2;
  for (const int32_t v : split.test) part[v] = 3;
  return part;
}

graph::Graph visible_graph(const graph::Graph& graph, const graph::Split& split, GnnSetting setting) {
  if (setting == GnnSetting::Transductive) return graph;
  return graph::edges_within_parts(graph, parts_of(split, graph.nodes()));
}

}  // namespace

graph::Graph dpgnn_training_graph(const graph::Graph& graph, const graph::Split& split, GnnSetting setting,
                                  int64_t max_out_degree, const Seed& seed) {
  return visible_graph(bound::bound_out_degree(graph, max_out_degree, seed), split, setting);
}

bound::SampleDraw dpgnn_reach(int64_t max_out_degree, int64_t layers) {
  const int64_t samples = account::dpgnn_occurrences(max_out_degree, layers);
  return {.deletions = samples, .insertions = samples - 1};
}

GnnInf::GnnInf() {
  architecture_.encoder_layers = 1;
  architecture_.decoder_layers = 2;
}

Description GnnInf::describe() const {
  return {"gnn-inf", "none", "The GNN of dpgnn without noise: the accuracy that noise costs", kPaper};
}

void GnnInf::declare(Options& options) {
  architecture_.declare(options);
  declare_fit(options, fit_);
  declare_setting(options, setting_);
}

void GnnInf::use_paper_settings() {
  architecture_ = {.encoder_layers = 2, .decoder_layers = 2, .hidden_dim = 256, .activation = Activation::Relu};
  fit_ = {.epochs = 200, .learning_rate = 0.002};
}

Released GnnInf::run(const Task& task, double, mechanism::Release*) const {
  const graph::Graph graph = visible_graph(task.data.graph, task.split, setting_);
  GnnNetwork network(task.data, {graph}, architecture_, task.seed);
  fit(network, fit_data(task), fit_, task.seed, "training");
  Released out;
  network.save(out.model, "");
  out.probabilities = network.probabilities();
  return out;
}

Matrix GnnInf::infer(const nn::State& model, const Task& task, double, mechanism::Release*) const {
  GnnNetwork network(task.data, {task.data.graph}, architecture_, task.seed);
  network.load(model, "");
  return network.probabilities();
}

// What was best on real graphs of a few thousand to a few ten thousand nodes. The sensitivity grows as 2K + 1 and the
// noise with the number of weights, so: one edge per node, averaged features, a linear classifier, full batches.
DpGnn::DpGnn() {
  architecture_.linear = true;
  fit_.steps = 200;
  fit_.batch_size = std::nullopt;
  fit_.optimizer = OptimizerKind::Sgd;
  fit_.momentum = 0.9;
  fit_.learning_rate = 0.025;
  fit_.average_tail = true;
}

Description DpGnn::describe() const {
  return {"dpgnn", "node", "A GNN by DP-SGD on rooted subgraphs; predictions read neighbors in the clear", kPaper};
}

void DpGnn::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.integer("max-degree", max_degree_, 1, 100000, "Outgoing edges kept per node, K");
  options.integer_or("inference-hops", inference_hops_, "auto", 1, 16,
                     "How often a gcn layer averages for predictions; auto: twice when there is one layer, else once");
  options.real_or("inference-own", inference_own_, "auto", 0, 1,
                  "Share of a node's own row in each of these averages; auto: --own-share");
  declare_setting(options, setting_);
  options.boolean(
      "rate-over-noise", rate_over_noise_,
      "Divide the learning rate of sgd by the noise that one entry of the mean gradient gets (the result is "
      "at most 12): the less noise, the longer the steps");
  scaling_.declare_unit_rows(options);
}

// Table 9, DP-GCN (Adam) on ogbn-arxiv. The number of iterations is not given.
void DpGnn::use_paper_settings() {
  architecture_ = {.encoder_layers = 1, .decoder_layers = 2, .hidden_dim = 256};
  fit_ = {};
  fit_.steps = 3000;
  fit_.batch_size = 10000;
  fit_.learning_rate = 0.003;
  max_degree_ = 7;
  inference_hops_ = 1;
  inference_own_.reset();
  scaling_ = {};
  rate_over_noise_ = false;
}

Averaging DpGnn::averaging() const {
  const bool one_gcn_layer = architecture_.kind == GnnArchitectureKind::Gcn && architecture_.layers == 1;
  const int64_t rounds = inference_hops_.value_or(one_gcn_layer ? 2 : 1);
  return {rounds, inference_own_.value_or(architecture_.own_share)};
}

// From public numbers alone.
PrivateFitOptions DpGnn::fit_with_rate(double noise, int64_t train_nodes) const {
  PrivateFitOptions fit = fit_;
  if (fit_.optimizer != OptimizerKind::Sgd || !rate_over_noise_) return fit;
  // With momentum 0.9 longer steps on averaged rows of norm 1 do not settle.
  constexpr double kLongest = 12;
  const StepPlan steps = step_plan(fit_, train_nodes);
  const bool full = steps.rate >= 1;
  const double touched = full ? static_cast<double>(reach().deletions + reach().insertions) : 1;
  const double noise_per_entry = noise * touched * fit_.max_grad_norm / (steps.rate * static_cast<double>(train_nodes));
  fit.learning_rate = std::min(kLongest, fit_.learning_rate / noise_per_entry);
  return fit;
}

account::Ledger DpGnn::plan(double noise, bound::Relation, const PublicFacts& facts) const {
  architecture_.check();
  require(averaging().plain() || architecture_.kind == GnnArchitectureKind::Gcn,
          "--inference-hops is {} and --inference-own is {}; only gcn can average other than once and plainly",
          averaging().rounds, averaging().own);
  return {fit_event("training", fit_, noise, facts.train_nodes, reach())};
}

std::optional<Published> DpGnn::published(double epsilon, double delta, bound::Relation,
                                          const PublicFacts& facts) const {
  const StepPlan steps = step_plan(fit_, facts.train_nodes);
  const bool full = steps.rate >= 1;
  const account::DpGnnSetting setting{.training_nodes = facts.train_nodes,
                                      .batch_size = full ? facts.train_nodes : *fit_.batch_size,
                                      .max_degree = max_degree_,
                                      .layers = architecture_.layers,
                                      .steps = steps.steps};
  // The formula speaks of noise over the clip norm; the knob of full batches is noise over the whole sensitivity.
  const double clip_norms = full ? static_cast<double>(reach().deletions + reach().insertions) : 1;
  const double noise =
      account::smallest_noise(
          [&](double multiplier) { return account::published_dpgnn_epsilon(setting, multiplier, delta); }, epsilon,
          delta)
          .noise;
  const double knob = noise / clip_norms;
  const int64_t groups = architecture_.groups();
  return Published{knob, dpgnn_published_reasons(groups),
                   account::Ledger{dpgnn_published_event("training", fit_, knob, facts.train_nodes, reach(), groups)}};
}

Released DpGnn::run(const Task& task, double noise, mechanism::Release* release_or_null) const {
  mechanism::Release& release = required(release_or_null);
  const graph::Graph visible = visible_graph(task.data.graph, task.split, setting_);
  const graph::Graph bounded =
      task.as_published ? dpgnn_published_graph(visible, task.split.train, max_degree_, task.seed)
                        : dpgnn_training_graph(task.data.graph, task.split, setting_, max_degree_, task.seed);
  GnnNetwork network(task.data, {visible, &bounded, max_degree_, averaging()}, architecture_, task.seed);
  const PrivateFitOptions fit = fit_with_rate(noise, static_cast<int64_t>(task.split.train.size()));
  const auto train = task.as_published ? fit_as_published : fit_private;
  train(network, task.split.train, task.data.labels, fit, noise, "training", task.seed, release, reach());
  Released out;
  network.save(out.model, "");
  out.probabilities = network.probabilities();
  return out;
}

Matrix DpGnn::infer(const nn::State& model, const Task& task, double, mechanism::Release*) const {
  GnnNetwork network(task.data, {task.data.graph, nullptr, max_degree_, averaging()}, architecture_, task.seed);
  network.load(model, "");
  return network.probabilities();
}

}  // namespace graphveil::method
