#include "graphveil/method/dpgnn/dpgnn.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/published_dpgnn.h"
#include "graphveil/method/dpgnn/published.h"

namespace graphveil::method {
namespace {

constexpr const char* kDpGnnPaper = "Daigavane et al. 2021";
constexpr const char* kDpGnnTraining = "training";
constexpr double kOwnWithoutLabels = 0.1;

}  // namespace

bound::BoundedGraph dpgnn_training_graph(const Task& task, GraphSetting setting, int64_t max_degree) {
  const bound::BoundedGraph bounded = task.relation == bound::Relation::Node
                                          ? bound::declared_degrees(task.data.graph, max_degree)
                                          : bound::bound_out_degree(task.data.graph, max_degree, task.seed);
  if (setting == GraphSetting::Transductive) return bounded;
  return bounded.within_parts(parts_of(task.split, task.data.nodes()));
}

GnnInf::GnnInf() {
  architecture_.encoder_layers = 1;
  architecture_.decoder_layers = 2;
}

Description GnnInf::describe() const {
  return {"gnn-inf", "none", "The GNN of dpgnn without noise: the accuracy that noise costs", kDpGnnPaper};
}

void GnnInf::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  declare_setting(options, setting_);
}

OptionValues GnnInf::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize GnnInf::network() const {
  return {architecture_.hidden_dim, architecture_.layers + architecture_.encoder_layers + architecture_.decoder_layers};
}

void GnnInf::use_paper_settings() {
  architecture_ = {.encoder_layers = 2, .decoder_layers = 2, .hidden_dim = 256, .activation = Activation::Relu};
  fit_ = {.epochs = 200, .learning_rate = 0.002};
}

Output GnnInf::run(const Task& task, Release& release) const {
  const graph::Graph graph = visible_graph(task.data.graph, task.split, setting_);
  GnnNetwork network(task.data, {graph}, architecture_, task.seed);
  Public<nn::State> model = fit(network, fit_data(task), fit_, task.seed, "training", PublicData::under(release));
  return {std::move(model), Holder<Matrix>(network.probabilities())};
}

Predictions GnnInf::infer(const nn::State& model, const Task& task, Release&) const {
  GnnNetwork network(task.data, {task.data.graph}, architecture_, task.seed);
  network.load(model, "");
  return Holder<Matrix>(network.probabilities());
}

// What was best on real graphs of a few thousand to a few ten thousand nodes. The sensitivity grows as 2K + 1 and the
// noise with the number of weights, so: one edge per node, averaged features, a linear classifier, full batches.
DpGnn::DpGnn() {
  architecture_.linear = true;
  architecture_.auto_own_share = 0.5;
  fit_.steps = 200;
  fit_.batch_size = std::nullopt;
  fit_.optimizer = OptimizerKind::Sgd;
  fit_.momentum = 0.9;
  fit_.learning_rate = 0.35;
  fit_.rate_over_noise = true;
  fit_.average_tail = true;
}

Description DpGnn::describe() const {
  return {"dpgnn", "node", "A GNN by DP-SGD on rooted subgraphs; predictions read neighbors in the clear", kDpGnnPaper};
}

void DpGnn::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.integer_or(
      "max-degree", max_degree_, "auto", 1, 100000,
      "K: under record, outgoing edges kept per node; under node, what you declare to be the largest degree "
      "of the graph. auto: 1 under record, --protect-degree under node");
  options.integer_or("inference-hops", inference_hops_, "auto", 1, 16,
                     "How often a gcn layer averages for predictions; auto: twice when there is one layer, else once");
  options.real_or(
      "inference-own", inference_own_, "auto", 0, 1,
      "Share of a node's own row in each of these averages; auto: that of 0, 0.1, 0.2, 0.33 and 0.5 which is "
      "right about most labeled training nodes. Predictions are the holder's, so that is free; it is not part "
      "of the model");
  declare_setting(options, setting_);
  scaling_.declare_unit_rows(options);
}

OptionValues DpGnn::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize DpGnn::network() const {
  return {architecture_.hidden_dim, architecture_.layers + architecture_.encoder_layers + architecture_.decoder_layers};
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
  inference_own_ = 0;
  scaling_ = {};
}

Averaging DpGnn::averaging() const {
  const bool one_gcn_layer = architecture_.kind == GnnArchitectureKind::Gcn && architecture_.layers == 1;
  const int64_t rounds = inference_hops_.value_or(one_gcn_layer ? 2 : 1);
  return {rounds, inference_own_.value_or(one_gcn_layer ? kOwnWithoutLabels : 0)};
}

// Nothing of this is released: predictions read neighbors' raw rows anyway.
Matrix DpGnn::predicted(GnnNetwork& network, const Task& task) const {
  std::vector<int32_t> labeled;
  std::ranges::copy_if(task.split.train, std::back_inserter(labeled),
                       [&](int32_t v) { return task.data.labels[v] != graph::kUnlabeled; });
  if (inference_own_ || architecture_.kind != GnnArchitectureKind::Gcn || labeled.empty()) {
    return network.probabilities(averaging());
  }
  Matrix best;
  int64_t most = -1;
  for (const double own : {kOwnWithoutLabels, 0.0, 0.2, 0.33, 0.5}) {
    Matrix probabilities = network.probabilities({averaging().rounds, own});
    const int64_t right = std::ranges::count_if(labeled, [&](int32_t v) {
      const auto row = probabilities.row(v);
      return std::ranges::max_element(row) - row.begin() == task.data.labels[v];
    });
    if (right > most) {
      most = right;
      best = std::move(probabilities);
    }
  }
  return best;
}

int64_t DpGnn::max_degree(bound::Relation relation, int64_t protect_degree) const {
  return max_degree_.value_or(relation == bound::Relation::Node ? protect_degree : 1);
}

bound::SampleDraw DpGnn::reach(bound::Relation relation, int64_t protect_degree) const {
  return bound::rooted_draw(1, max_degree(relation, protect_degree), architecture_.layers);
}

std::vector<std::string> DpGnn::assumptions(bound::Relation relation) const {
  if (relation != bound::Relation::Node) return {};
  return {"no node has more edges, in or out, than --max-degree declares, and neighboring graphs keep to that too"};
}

Plan DpGnn::plan(double noise, const Setting& setting) const {
  architecture_.check();
  require(averaging().plain() || architecture_.kind == GnnArchitectureKind::Gcn,
          "--inference-hops is {} and --inference-own is {}; only gcn can average other than once and plainly",
          averaging().rounds, averaging().own);
  return {fit_line(kDpGnnTraining, fit_, noise, setting.facts.train_nodes,
                   reach(setting.relation, setting.protect_degree), bound::source::Reach::ManyHops)};
}

std::optional<Published> DpGnn::published(double epsilon, double delta, const Setting& setting) const {
  if (setting.relation != bound::Relation::Record) return std::nullopt;
  const int64_t train_nodes = setting.facts.train_nodes;
  const StepPlan steps = step_plan(fit_, train_nodes);
  const bool full = steps.rate >= 1;
  const account::DpGnnSetting accounted{.training_nodes = train_nodes,
                                        .batch_size = full ? train_nodes : *fit_.batch_size,
                                        .max_degree = max_degree(setting.relation, setting.protect_degree),
                                        .layers = architecture_.layers,
                                        .steps = steps.steps};
  const bound::SampleDraw touched = reach(setting.relation, setting.protect_degree);
  // The formula speaks of noise over the clip norm; the knob of full batches is noise over the whole sensitivity.
  const double clip_norms = full ? static_cast<double>(touched.deletions + touched.insertions) : 1;
  const double noise =
      account::smallest_noise(
          [&](double multiplier) { return account::published_dpgnn_epsilon(accounted, multiplier, delta); }, epsilon,
          delta)
          .noise;
  const double knob = noise / clip_norms;
  const int64_t groups = architecture_.groups();
  return Published{knob, dpgnn_published_reasons(groups),
                   Plan{dpgnn_published_line(kDpGnnTraining, fit_, knob, train_nodes, touched, groups)}};
}

Output DpGnn::run(const Task& task, Release& release) const {
  const graph::Graph visible = visible_graph(task.data.graph, task.split, setting_);
  const int64_t degree = max_degree(task.relation, task.protect_degree);
  const bound::BoundedGraph bounded =
      task.as_published ? bound::bound_out_degree(dpgnn_published_graph(visible, task.split.train, degree, task.seed),
                                                  degree, task.seed)
                        : dpgnn_training_graph(task, setting_, degree);
  const int64_t trained_degree = task.relation == bound::Relation::Node ? 0 : degree;
  GnnNetwork network(task.data, {visible, &bounded, trained_degree, averaging()}, architecture_, task.seed);
  const PrivateFitData data{task.split.train, task.data.labels, &bounded, architecture_.layers};
  Public<nn::State> model = task.as_published
                                ? fit_as_published(network, data, fit_, kDpGnnTraining, task.seed, release)
                                : fit_private(network, data, fit_, kDpGnnTraining, task.seed, release);
  return {std::move(model), Holder<Matrix>(predicted(network, task))};
}

Predictions DpGnn::infer(const nn::State& model, const Task& task, Release&) const {
  const int64_t degree = task.relation == bound::Relation::Node ? 0 : max_degree(task.relation, task.protect_degree);
  GnnNetwork network(task.data, {task.data.graph, nullptr, degree, averaging()}, architecture_, task.seed);
  network.load(model, "");
  return Holder<Matrix>(predicted(network, task));
}

}  // namespace graphveil::method
