#include "graphveil/method/lap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/bound/out_degree.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/method/fit.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {
namespace {

constexpr double kRowClipNode = 3;  // rows that are mostly noise stay short
constexpr double kRowClipEdge = 0;  // labels of whole neighborhoods: every row counts

bool edge_level(bound::Relation relation) { return relation != bound::Relation::Node; }

// onehot(y_u) - 1/c for the senders, zero rows for all others.
Matrix centered_labels(const Task& task) {
  const int32_t classes = task.data.classes;
  Matrix rows(task.data.nodes(), classes);
  for (int32_t u : task.split.train) {
    for (Real& x : rows.row(u)) x = Real{-1} / static_cast<Real>(classes);
    rows(u, task.data.labels[u]) += 1;
  }
  return rows;
}

}  // namespace

void LapArchitecture::declare(Options& options) {
  options.integer("layers", layers, 1, 64, "Linear layers; 1 is a linear softmax");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units, with more than one layer");
  declare_activation(options, activation);
  options.real("prior", prior, 0, 1e6, "Weight of the public guess that neighbors are alike, where training starts");
}

LapNetwork::LapNetwork(const graph::Dataset& data, ConstMatrixView sums, const LapArchitecture& architecture,
                       const Seed& seed)
    : architecture_(architecture),
      rows_(data.features),
      sums_(sums),
      random_(seed, "lap weights"),
      own_(parameters(), "own", data.features.cols(), architecture.layers == 1 ? data.classes : architecture.hidden_dim,
           random_),
      neighbors_(parameters(), "neighbors", sums.cols,
                 architecture.layers == 1 ? data.classes : architecture.hidden_dim, random_, false),
      rest_(parameters(), "rest",
            {architecture.layers == 1 ? std::vector<int64_t>{}
                                      : stack_widths(architecture.hidden_dim, architecture.layers - 1,
                                                     architecture.hidden_dim, data.classes),
             architecture.activation, 0, false},
            random_) {
  if (architecture.layers > 1) return;
  // A linear softmax starts best where the features say nothing and the sums say what the prior does.
  std::ranges::fill(parameters().values().values(), Real{0});
  for (int32_t id = 0; id < parameters().count(); ++id) {
    if (parameters().info(id).name != "neighbors.weight") continue;
    for (int64_t k = 0; k < sums.cols; ++k) parameters().value(id)(k, k) = static_cast<Real>(architecture.prior);
  }
}

nn::Var LapNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  const nn::Var first = nn::add(own_(rows_(tape, nodes)), neighbors_(sums_(tape, nodes)));
  return architecture_.layers == 1 ? first : rest_(nn::activate(first, architecture_.activation));
}

Lap::Lap() : fit_(PrivateFitOptions::big_batches(100, 0.1)) {}

Description Lap::describe() const {
  return {"lap", "node", "Label aggregation perturbation: one noisy sum of neighbors' labels, then a linear softmax",
          "graphveil (docs/methods/lap.md)"};
}

void Lap::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.real("share", share_, 0.001, 0.999, "Share of the budget that the label sums get, at node level");
  options.real("weight-decay", weight_decay_, 0, 1e6, "Weight decay of Adam at edge level, where training is public");
  options.real_or("row-clip", row_clip_, "auto", 0, 1e6,
                  "Rows of the sums shorter than this times the noise's norm are not stretched to norm 1; auto: 3 at "
                  "node level, 0 at edge level");
  options.choice("weights", weights_,
                 {{"sqrt-degree", bound::DegreeWeights::SqrtDegree},
                  {"soft-cap", bound::DegreeWeights::SoftCap},
                  {"drop", bound::DegreeWeights::Drop}},
                 "How a node's influence is bounded at node level: labels times 1/sqrt(outdegree), or capped at "
                 "--max-degree, or edges beyond --max-degree dropped");
  options.integer("max-degree", max_degree_, 1, INT32_MAX, "Outgoing edges that count, for soft-cap and drop");
  declare_feature_scaling(options, unit_rows_);
}

std::vector<bound::Relation> Lap::relations() const {
  return {bound::Relation::Node, bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

// With full batches all is Gaussian, and 1/s^2 of the sums and T/s^2 of the training add up to 1/noise^2 in these
// shares.
double Lap::sum_noise(double noise, bound::Relation relation) const {
  return edge_level(relation) ? noise : noise / std::sqrt(share_);
}

double Lap::training_noise(double noise, int64_t train_nodes) const {
  const StepPlan steps = step_plan(fit_, train_nodes);
  const double per_step = (1 - share_) / (noise * noise * static_cast<double>(steps.steps));
  if (steps.rate >= 1) return 1 / std::sqrt(per_step);
  // What Poisson sampling makes of it in the limit of many steps: rate^2 (e^(1/s^2) - 1) each.
  return 1 / std::sqrt(std::log1p(per_step / (steps.rate * steps.rate)));
}

account::Ledger Lap::plan(double noise, bound::Relation relation, const PublicFacts& facts) const {
  account::Ledger ledger = inference_plan(noise, relation);
  if (!edge_level(relation)) {
    ledger.add(fit_event("training", fit_, training_noise(noise, facts.train_nodes), facts.train_nodes));
  }
  return ledger;
}

account::Ledger Lap::inference_plan(double noise, bound::Relation relation) const {
  return {account::Event("labels", account::Gaussian{sum_noise(noise, relation)})};
}

Matrix Lap::label_sums(const Task& task, double noise, mechanism::Release& release) const {
  const double classes = task.data.classes;
  const bound::NeighborSumOptions options{.relation = task.relation,
                                          .max_row_norm = std::sqrt(1 - 1 / classes),
                                          .weights = weights_,
                                          .max_out_degree = max_degree_};
  const bool drop = !edge_level(task.relation) && weights_ == bound::DegreeWeights::Drop;
  const graph::Graph graph = drop ? bound::bound_out_degree(task.data.graph, max_degree_, task.seed) : task.data.graph;
  const double multiplier = sum_noise(noise, task.relation);
  Matrix sums =
      release.gaussian("labels", bound::neighbor_sum(graph, centered_labels(task), options), multiplier).value();

  const double stddev = multiplier * bound::neighbor_sum_sensitivity(options);
  const double shortest =
      row_clip_.value_or(edge_level(task.relation) ? kRowClipEdge : kRowClipNode) * stddev * std::sqrt(classes);
  std::vector<Real> scales(static_cast<size_t>(sums.rows()));
  kernels::row_norms(sums, scales);
  for (Real& scale : scales) {
    const double length = std::max(static_cast<double>(scale), shortest);
    scale = length > 0 ? static_cast<Real>(1 / length) : 0;
  }
  kernels::scale_rows(sums, scales, sums);
  return sums;
}

Released Lap::run(const Task& task, double noise, mechanism::Release* release_or_null) const {
  mechanism::Release& release = required(release_or_null);
  const Matrix sums = label_sums(task, noise, release);
  LapNetwork network(task.data, sums, architecture_, task.seed);
  if (edge_level(task.relation)) {
    const auto train_nodes = static_cast<int64_t>(task.split.train.size());
    const FitOptions options{.epochs = step_plan(fit_, train_nodes).steps,
                             .learning_rate = fit_.learning_rate,
                             .weight_decay = weight_decay_};
    fit(network, fit_data(task), options, task.seed, "training");
  } else {
    fit_private(network, task.split.train, task.data.labels, fit_,
                training_noise(noise, static_cast<int64_t>(task.split.train.size())), "training", task.seed, release);
  }
  Released out;
  network.save(out.model, "");
  out.model["labels/1"] = nn::to_tensor(sums);
  out.probabilities = class_probabilities(network, task.data.nodes());
  return out;
}

Matrix Lap::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  const Matrix sums = label_sums(task, noise, required(release));
  LapNetwork network(task.data, sums, architecture_, task.seed);
  network.load(model, "");
  return class_probabilities(network, task.data.nodes());
}

}  // namespace graphveil::method
