#include "graphveil/method/sage/sage.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/published_gap.h"
#include "graphveil/bound/edge_cells.h"

namespace graphveil::method {
namespace {

// How much less the number of edges may cost than the edges themselves.
constexpr double kDensityNoise = 20;

constexpr const char* kPlainLayers = "rows of message-passing layers are not scaled to norm 1";

constexpr const char* kDensity = "density";
constexpr const char* kEdges = "edges";
constexpr const char* kSageTraining = "training";
constexpr const char* kSageAggregation = "aggregation";

}  // namespace

double edge_share(double noisy_count, double pairs) {
  return std::min(0.5, std::max(noisy_count, 1.0) / std::max(pairs, 1.0));
}

Description SageEdge::describe() const {
  if (private_) {
    return {"sage-edp", "edge", "GraphSAGE on a graph perturbed by asymmetric randomized response",
            "Wu et al. 2022; Imola et al. 2022; baseline of GAP"};
  }
  return {"sage-inf", "none", "GraphSAGE without noise", "Hamilton et al. 2017"};
}

void SageEdge::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
}

OptionValues SageEdge::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"hidden-dim", size.width}});
}

NetworkSize SageEdge::network() const {
  return {architecture_.hidden_dim, architecture_.layers + architecture_.pre_layers + architecture_.post_layers};
}

std::string SageEdge::variant() const { return architecture_.unit_layers ? "" : kPlainLayers; }

void SageEdge::use_paper_settings() {
  architecture_ = {.unit_layers = true};
  fit_ = {};
}

std::vector<bound::Relation> SageEdge::relations() const {
  if (!private_) return {};
  return {bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

Plan SageEdge::inference_plan(double noise, const Setting&) const {
  if (!private_) return {};
  // Without noise the reports are the edges.
  const double log_odds = noise > 0 ? 1 / noise : 0;
  return {{account::Event(kDensity, account::DiscreteLaplace{kDensityNoise * noise}), bound::edge_count_bound()},
          {account::Event(kEdges, account::RandomizedResponse{log_odds, 2}), bound::edge_cells_bound()}};
}

graph::Graph SageEdge::visible_graph(const Task& task, Release& release) const {
  if (!private_) return task.data.graph;
  const int64_t nodes = task.data.nodes();
  const auto count = static_cast<double>(
      release.discrete_laplace(kDensity, bound::edge_count(task.data.graph, task.relation)).value());
  const double density = edge_share(count, bound::possible_edges(nodes, task.relation));

  // Thin the reports so that about as many edges come out as went in: t (a d + (1 - a)(1 - d)) = d.
  const double lie = mechanism::flip_probability(mechanism::noise_scale(release.line(kEdges)), 2);
  const double thinning = std::min(1.0, density / ((1 - lie) * density + lie * (1 - density)));
  const std::vector<int64_t> cells =
      release
          .randomized_set(kEdges, bound::edge_cells(task.data.graph, task.relation), bound::pair_cells(nodes), thinning)
          .value();
  return bound::graph_of_cells(nodes, task.relation, cells);
}

// All training comes after the release of the edges.
std::vector<Tunable> SageEdge::tunables(bound::Relation) const {
  return {{"learning-rate", {"0.003", "0.01", "0.03"}},
          {"weight-decay", {"0", "0.0001", "0.001"}},
          {"epochs", {"50", "100", "200"}},
          {"hidden-dim", {"16", "64"}},
          {"layers", {"1", "2", "3", "4", "5"}}};
}

Output SageEdge::run(const Task& task, Release& release) const {
  const graph::Graph graph = visible_graph(task, release);
  SageNetwork network(task.data, graph, architecture_, task.seed);
  Public<nn::State> model = fit(network, fit_data(task), fit_, task.seed, kSageTraining, PublicData::under(release));
  return {std::move(model), predictions_for(class_probabilities(network, task.data.nodes()), release)};
}

Predictions SageEdge::infer(const nn::State& model, const Task& task, Release& release) const {
  const graph::Graph graph = visible_graph(task, release);
  SageNetwork network(task.data, graph, architecture_, task.seed);
  network.load(model, "");
  return predictions_for(class_probabilities(network, task.data.nodes()), release);
}

SageNode::SageNode() {
  architecture_.layers = 1;
  fit_ = PrivateFitOptions::big_batches(60, 0.01);
}

Description SageNode::describe() const {
  return {"sage-ndp", "node", "One-layer GraphSAGE by DP-SGD, with one noisy aggregation for predictions",
          "Daigavane et al. 2021; baseline of GAP"};
}

void SageNode::declare(Options& options) {
  declare_setting(options, setting_);
  options.integer("pre-layers", architecture_.pre_layers, 1, 64, "Linear layers before message passing");
  options.integer("post-layers", architecture_.post_layers, 1, 64, "Linear layers after message passing");
  options.integer("hidden-dim", architecture_.hidden_dim, 1, 65536, "Hidden units");
  declare_activation(options, architecture_.activation);
  architecture_.declare_unit_layers(options);
  fit_.declare(options);
  options.integer("max-degree", max_degree_, 1, 100000,
                  "Under record, outgoing edges kept per node; under node --protect-degree takes its place");
  options.real_or("aggregation-noise", aggregation_noise_, "by-sensitivity", 1e-3, 1e3,
                  "Noise of the one aggregation for predictions, as a multiple of the training's; by-sensitivity: as "
                  "large, over its own sensitivity, as that of a step over 2 (K + 1) clipped gradients");
  options.choice("published-clip", published_clip_,
                 {{"rows", PublishedClip::Rows}, {"samples", PublishedClip::Samples}},
                 "With --accounting published, whose gradients are clipped: each row's of a batch's subgraph, as the "
                 "paper's program does, or each training node's with its neighbors, as its text says");
}

OptionValues SageNode::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize SageNode::network() const {
  return {architecture_.hidden_dim, architecture_.pre_layers + architecture_.post_layers};
}

double SageNode::trained_numbers(const std::string&, const Setting& setting) const {
  return stack_numbers(setting.facts.features, architecture_.pre_layers, architecture_.hidden_dim,
                       architecture_.hidden_dim);
}

std::string SageNode::variant() const {
  std::string words = architecture_.unit_layers ? "" : kPlainLayers;
  if (aggregation_noise_) {
    words += words.empty() ? "" : "; ";
    words += "the aggregation has noise of its own, not that of the training over the sensitivities";
  }
  return words;
}

void SageNode::use_paper_settings() {
  architecture_ = {.layers = 1, .unit_layers = true};
  fit_ = {};
  max_degree_ = 100;
  aggregation_noise_.reset();
}

double SageNode::aggregation_noise(const Setting& setting) const {
  const auto degree = static_cast<double>(out_degree(setting.relation, setting.protect_degree));
  return aggregation_noise_.value_or(1 / (2 * (degree + 1)));
}

int64_t SageNode::out_degree(bound::Relation relation, int64_t protect_degree) const {
  return relation == bound::Relation::Node ? protect_degree : max_degree_;
}

bound::NeighborSumOptions SageNode::sum_options(bound::Relation relation, int64_t protect_degree) const {
  return {.relation = relation,
          .protect_degree = protect_degree,
          .weights = bound::DegreeWeights::Drop,
          .max_out_degree = max_degree_};
}

Plan SageNode::plan(double noise, const Setting& setting) const {
  const int64_t degree = out_degree(setting.relation, setting.protect_degree);
  Plan plan{fit_line(kSageTraining, fit_, noise, setting.facts.train_nodes, bound::rooted_draw(1, degree, 1),
                     bound::source::Reach::OneHop)};
  plan.add(inference_plan(noise, setting));
  return plan;
}

Plan SageNode::inference_plan(double noise, const Setting& setting) const {
  return {{account::Event(kSageAggregation, account::Gaussian{aggregation_noise(setting) * noise}),
           bound::neighbor_sum_bound(sum_options(setting.relation, setting.protect_degree))}};
}

std::optional<Published> SageNode::published(double epsilon, double delta, const Setting& setting) const {
  if (setting.relation != bound::Relation::Record) return std::nullopt;
  const int64_t train_nodes = setting.facts.train_nodes;
  const StepPlan steps = step_plan(fit_, train_nodes);
  const account::DpGnnSetting accounted{.training_nodes = train_nodes,
                                        .batch_size = std::min(train_nodes, fit_.batch_size.value_or(train_nodes)),
                                        .max_degree = max_degree_,
                                        .layers = 1,
                                        .steps = steps.steps};
  const auto cost = [&](double noise) {
    return account::published_sage_node_epsilon(accounted, noise, aggregation_noise(setting) * noise, delta);
  };
  return Published{account::smallest_noise(cost, epsilon, delta).noise, sage_published_reasons(published_clip_)};
}

bound::BoundedGraph SageNode::bounded(const Task& task, const graph::Graph& visible) const {
  if (task.relation == bound::Relation::Node) return bound::for_protected_degree(visible, task.protect_degree);
  return bound::bound_out_degree(visible, max_degree_, task.seed);
}

void SageNode::aggregate(SageNodeNetwork& network, const Task& task, const bound::BoundedGraph& graph,
                         Release& release) const {
  const bound::NeighborSumOptions options = sum_options(task.relation, task.protect_degree);
  network.use_aggregation(release
                              .gaussian(kSageAggregation, bound::neighbor_sum(graph.graph(), network.messages(),
                                                                              options, release.grid(kSageAggregation)))
                              .value());
}

std::vector<Tunable> SageNode::tunables(bound::Relation) const {
  return {{"learning-rate", {"0.003", "0.01", "0.03"}}, {"max-grad-norm", {"0.3", "1", "3"}}};
}

std::vector<Tunable> SageNode::unpaid_tunables(bound::Relation) const {
  return {{"max-degree", {"100", "200", "300", "400"}}};
}

Output SageNode::run(const Task& task, Release& release) const {
  const bound::BoundedGraph graph = bounded(task, visible_graph(task.data.graph, task.split, setting_));
  SageNodeNetwork network(task.data, graph, architecture_, task.seed);
  const PrivateFitData data{task.split.train, task.data.labels, &graph, 1, nullptr, task.class_weights};
  Public<nn::State> model = task.as_published && published_clip_ == PublishedClip::Rows
                                ? fit_rows_as_published(network, data, fit_, kSageTraining, task.seed, release)
                                : fit_private(network, data, fit_, kSageTraining, task.seed, release);
  aggregate(network, task, graph, release);
  nn::State sums{{"aggregation/1", nn::to_tensor(network.aggregation())}};
  return {std::move(model), predictions_for(class_probabilities(network, task.data.nodes()), release),
          Holder<nn::State>(std::move(sums))};
}

Predictions SageNode::infer(const nn::State& model, const Task& task, Release& release) const {
  const bound::BoundedGraph graph = bounded(task, task.data.graph);
  SageNodeNetwork network(task.data, graph, architecture_, task.seed);
  network.load(model, "");
  aggregate(network, task, graph, release);
  return predictions_for(class_probabilities(network, task.data.nodes()), release);
}

}  // namespace graphveil::method
