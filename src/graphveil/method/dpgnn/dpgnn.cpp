#include "graphveil/method/dpgnn/dpgnn.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/method/dpgnn/presets.h"
#include "graphveil/method/dpgnn/published.h"

namespace graphveil::method {
namespace {

constexpr const char* kDpGnnTraining = "training";
constexpr const char* kLinearPreset = "linear";
constexpr int64_t kKeptEdges = 1;     // of each node, under record; more cost more than they tell
constexpr int64_t kMostSteps = 3000;  // where the authors' code stops in any case
// Below so many training nodes the noise on a graph network's weights weighs more than what neighbors tell.
constexpr int64_t kFewRecords = 20000;
constexpr const char* kWantsRecords =
    "a graph network wants tens of thousands of records or a large epsilon. On cora, under record, this method's "
    "default "
    "has 45%, 72% and 79% at epsilon 1, 4 and 8; mlp-dp, which reads no edge, 59%, 70% and 72% "
    "(docs/methods/dpgnn.md). train auto never takes dpgnn";

// The paper's lambda as noise over the clip norm of one subgraph.
double clip_norms(double lambda, const account::DpGnnSetting& paper) {
  return 2 * lambda * static_cast<double>(account::dpgnn_occurrences(paper.max_degree, paper.layers));
}

}  // namespace

bound::BoundedGraph dpgnn_training_graph(const Task& task, GraphSetting setting, int64_t max_degree) {
  const bound::BoundedGraph bounded = task.relation == bound::Relation::Node
                                          ? bound::declared_degrees(task.data.graph, max_degree)
                                          : bound::bound_out_degree(task.data.graph, max_degree, task.seed);
  if (setting == GraphSetting::Transductive) return bounded;
  return bounded.within_parts(parts_of(task.split, task.data.nodes()));
}

DpGnn::DpGnn() { use_network(false); }

// What was best on real graphs of a few thousand to a few ten thousand nodes. The sensitivity grows as 2K + 1 and the
// noise with the number of weights, so few edges, no encoder and full batches.
void DpGnn::use_network(bool linear) {
  architecture_ = {};
  architecture_.linear = linear;
  architecture_.decoder_layers = linear ? 0 : 1;
  architecture_.auto_own_share = 0.5;
  fit_ = {};
  fit_.steps = 200;
  fit_.batch_size = std::nullopt;
  fit_.optimizer = OptimizerKind::Sgd;
  fit_.momentum = 0.9;
  fit_.learning_rate = linear ? 0.35 : 0.07;
  fit_.rate_over_noise = true;
  fit_.average_tail = true;
}

Description DpGnn::describe() const {
  return {"dpgnn", "node", "A GNN by DP-SGD on rooted subgraphs; predictions read neighbors in the clear",
          "Daigavane et al. 2021"};
}

void DpGnn::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.integer_or(
      "max-degree", max_degree_, "auto", 1, 100000,
      "K: under record, outgoing edges kept per node; under node, what you declare to be the largest degree "
      "of the graph. auto: 1 under record, --protect-degree under node");
  options.real_or(
      "lambda", lambda_, "none", 1e-3, 1e6,
      "The paper's noise multiplier, the noise over 2 C (1 + K + ... + K^r): with --steps auto there are as "
      "many steps as its bound then allows at --epsilon, at most 3000, whatever --epochs says");
  inference_.declare(options);
  declare_setting(options, setting_);
  scaling_.declare_unit_rows(options);
}

OptionValues DpGnn::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize DpGnn::network() const {
  return {architecture_.hidden_dim, architecture_.layers + architecture_.encoder_layers + architecture_.decoder_layers};
}

std::string DpGnn::variant() const {
  std::string parts;
  const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : "; ") + part; };
  if (architecture_.one_weight()) add("a linear classifier of averaged rows for a network of hidden layers");
  if (max_degree_.value_or(kKeptEdges) == 1) add("one kept edge per node under record");
  if (architecture_.kept_own() > 0) {
    add(fmt::format("{:g} of a node's own row kept in every average of training", architecture_.kept_own()));
  }
  const Averaging averaging = inference_.averaging(architecture_);
  if (!averaging.plain()) add(fmt::format("{} averages over the graph for predictions", averaging.rounds));
  return parts;
}

void DpGnn::use_paper_settings() { use_preset("paper"); }

std::vector<Preset> DpGnn::presets() const {
  std::vector<Preset> presets = presets_of(dpgnn_rows());
  presets.push_back({kLinearPreset, "one weight and one kept edge per node: averaged rows, a linear classifier"});
  return presets;
}

void DpGnn::use_preset(const std::string& name) {
  if (name == kLinearPreset) return use_network(true);
  const DpGnnRow& row = row_named(dpgnn_rows(), name);
  architecture_ = row.architecture();
  fit_ = {};
  fit_.batch_size = row.batch_size;
  fit_.learning_rate = row.learning_rate;
  fit_.optimizer = row.optimizer;
  lambda_ = row.lambda;
  max_degree_ = row.max_degree;
  inference_ = {.hops = 1, .own = 0};
  setting_ = row.setting;
  scaling_ = {};
}

int64_t DpGnn::max_degree(bound::Relation relation, int64_t protect_degree) const {
  return max_degree_.value_or(relation == bound::Relation::Node ? protect_degree : kKeptEdges);
}

bound::SampleDraw DpGnn::reach(bound::Relation relation, int64_t protect_degree) const {
  return bound::rooted_draw(1, max_degree(relation, protect_degree), architecture_.layers);
}

std::vector<std::string> DpGnn::assumptions(bound::Relation relation) const {
  if (relation != bound::Relation::Node) return {};
  return {"no node has more edges, in or out, than --max-degree declares, and neighboring graphs keep to that too"};
}

std::vector<std::string> DpGnn::outlook(const Plan&, const Setting& setting) const {
  if (architecture_.one_weight() || setting.facts.train_nodes >= kFewRecords) return {};
  return {kWantsRecords};
}

account::DpGnnSetting DpGnn::accounted(const Setting& setting) const {
  const int64_t train_nodes = setting.facts.train_nodes;
  return {.training_nodes = train_nodes,
          .batch_size = std::min(fit_.batch_size.value_or(train_nodes), train_nodes),
          .max_degree = max_degree(setting.relation, setting.protect_degree),
          .layers = architecture_.layers};
}

PrivateFitOptions DpGnn::planned_fit(const Setting& setting) const {
  PrivateFitOptions planned = fit_;
  if (!steps_by_lambda()) return planned;
  const account::DpGnnSetting paper = accounted(setting);
  planned.steps =
      account::published_dpgnn_steps(paper, clip_norms(*lambda_, paper), setting.epsilon, setting.delta, kMostSteps);
  require(*planned.steps >= 1, "--lambda is {}, at which the paper's bound allows no step at epsilon {}; want more",
          *lambda_, setting.epsilon);
  return planned;
}

Plan DpGnn::plan(double noise, const Setting& setting) const {
  architecture_.check();
  inference_.check(architecture_);
  return {fit_line(kDpGnnTraining, planned_fit(setting), noise, setting.facts.train_nodes,
                   reach(setting.relation, setting.protect_degree), bound::source::Reach::ManyHops)};
}

std::optional<Published> DpGnn::published(double epsilon, double delta, const Setting& setting) const {
  if (setting.relation != bound::Relation::Record) return std::nullopt;
  Setting wanted = setting;
  wanted.epsilon = epsilon;
  wanted.delta = delta;
  const int64_t train_nodes = setting.facts.train_nodes;
  const PrivateFitOptions planned = planned_fit(wanted);
  const StepPlan steps = step_plan(planned, train_nodes);
  account::DpGnnSetting paper = accounted(setting);
  paper.steps = steps.steps;
  const bound::SampleDraw touched = reach(setting.relation, setting.protect_degree);
  const auto epsilon_of = [&](double multiplier) { return account::published_dpgnn_epsilon(paper, multiplier, delta); };
  const double noise =
      steps_by_lambda() ? clip_norms(*lambda_, paper) : account::smallest_noise(epsilon_of, epsilon, delta).noise;
  // The formula speaks of noise over the clip norm; the knob of full batches is noise over the whole sensitivity.
  const double knob = steps.rate >= 1 ? noise / static_cast<double>(touched.deletions + touched.insertions) : noise;
  const int64_t groups = architecture_.groups();
  return Published{knob, dpgnn_published_reasons(groups),
                   Plan{dpgnn_published_line(kDpGnnTraining, planned, knob, train_nodes, touched, groups)},
                   steps_by_lambda() ? std::optional(epsilon_of(noise)) : std::nullopt};
}

Output DpGnn::run(const Task& task, Release& release) const {
  const graph::Graph visible = visible_graph(task.data.graph, task.split, setting_);
  const int64_t degree = max_degree(task.relation, task.protect_degree);
  const bound::BoundedGraph bounded =
      task.as_published ? bound::bound_out_degree(dpgnn_published_graph(visible, task.split.train, degree, task.seed),
                                                  degree, task.seed)
                        : dpgnn_training_graph(task, setting_, degree);
  const int64_t trained_degree = task.relation == bound::Relation::Node ? 0 : degree;
  GnnNetwork network(task.data, {visible, &bounded, trained_degree, inference_.averaging(architecture_)}, architecture_,
                     task.seed);
  const PrivateFitData data{task.split.train,     task.data.labels, &bounded,
                            architecture_.layers, nullptr,          task.class_weights};
  Public<nn::State> model = task.as_published
                                ? fit_as_published(network, data, fit_, kDpGnnTraining, task.seed, release)
                                : fit_private(network, data, fit_, kDpGnnTraining, task.seed, release);
  return {std::move(model), Holder<Matrix>(inference_.predicted(network, architecture_, task))};
}

Predictions DpGnn::infer(const nn::State& model, const Task& task, Release&) const {
  const int64_t degree = task.relation == bound::Relation::Node ? 0 : max_degree(task.relation, task.protect_degree);
  GnnNetwork network(task.data, {task.data.graph, nullptr, degree, inference_.averaging(architecture_)}, architecture_,
                     task.seed);
  network.load(model, "");
  return Holder<Matrix>(inference_.predicted(network, architecture_, task));
}

}  // namespace graphveil::method
