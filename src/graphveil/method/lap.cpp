#include "graphveil/method/lap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/method/fit.h"

namespace graphveil::method {
namespace {

constexpr int64_t kRounds = 3;      // at edge level
constexpr double kRowClipNode = 3;  // rows that are mostly noise stay short
constexpr double kRowClipEdge = 2;
constexpr double kRowScale = 0.5;  // of a row that is mostly signal, beside features of norm 1
constexpr double kGuessSharpness =
    16;  // how surely a node without a label guesses it from the first round, at node level
constexpr int64_t kRowGrain = 4096;

bool edge_level(bound::Relation relation) { return relation != bound::Relation::Node; }

int64_t width(const LapArchitecture& architecture, const graph::Dataset& data) {
  return architecture.layers == 1 ? data.classes : architecture.hidden_dim;
}

// onehot(y_u) - 1/c for the training nodes; the others guess, or send nothing when there is no guess yet.
Matrix messages(const Task& task, const Matrix* guesses) {
  const int32_t classes = task.data.classes;
  const Real mean = Real{1} / static_cast<Real>(classes);
  Matrix rows(task.data.nodes(), classes);
  if (guesses != nullptr) {
    for (int64_t i = 0; i < rows.size(); ++i) rows.data()[i] = guesses->data()[i] - mean;
  }
  for (int32_t u : task.split.train) {
    std::ranges::fill(rows.row(u), -mean);
    rows(u, task.data.labels[u]) += 1;
  }
  return rows;
}

// Column `first` onward of `out` = rows of `sums`, those longer than `shortest` scaled to length kRowScale and the
// others alike.
void put_scaled(const Matrix& sums, double shortest, int64_t first, Matrix& out) {
  std::vector<Real> norms(static_cast<size_t>(sums.rows()));
  kernels::row_norms(sums, norms);
  parallel_for(sums.rows(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const double length = std::max(static_cast<double>(norms[v]), shortest);
      const Real scale = length > 0 ? static_cast<Real>(kRowScale / length) : 0;
      for (int64_t k = 0; k < sums.cols(); ++k) out(v, first + k) = scale * sums(v, k);
    }
  });
}

// Softmax of the prior's scores: what a node guesses before anything is trained.
Matrix guesses_of(const Matrix& inputs, int64_t classes) {
  Matrix scores(inputs.rows(), classes), guesses = Matrix::uninitialized(inputs.rows(), classes);
  for (int64_t v = 0; v < inputs.rows(); ++v) {
    for (int64_t i = 0; i < inputs.cols(); ++i) {
      scores(v, i % classes) += static_cast<Real>(kGuessSharpness) * inputs(v, i);
    }
  }
  kernels::softmax(scores, guesses);
  return guesses;
}

// `mean` becomes the mean of `count` matrices, of which `next` is the last.
void add_to_mean(Matrix& mean, const Matrix& next, int64_t count) {
  for (int64_t i = 0; i < mean.size(); ++i) {
    mean.data()[i] += (next.data()[i] - mean.data()[i]) / static_cast<Real>(count);
  }
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
      own_(parameters(), "own", data.features.cols(), width(architecture, data), random_, architecture.first_bias),
      neighbors_(parameters(), "neighbors", sums.cols, width(architecture, data), random_, false),
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
    MatrixView weight = parameters().value(id);
    for (int64_t k = 0; k < sums.cols; ++k) weight(k, k % data.classes) = static_cast<Real>(architecture.prior);
  }
}

nn::Var LapNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  const nn::Var first = nn::add(own_(rows_(tape, nodes)), neighbors_(sums_(tape, nodes)));
  return architecture_.layers == 1 ? first : rest_(nn::activate(first, architecture_.activation));
}

Lap::Lap() : fit_(PrivateFitOptions::big_batches(100, 0.1)) { fit_.max_grad_norm = 0.3; }

Description Lap::describe() const {
  return {"lap", "node", "Label aggregation perturbation: a noisy sum of neighbors' labels, then a linear softmax",
          "graphveil (docs/methods/lap.md)"};
}

void Lap::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  options.real("share", share_, 0.001, 0.999, "Share of the budget that the label sums get, at node level");
  options.integer_or("rounds", rounds_, "auto", 1, 64,
                     "Releases of the sums, which share their budget; from the second on nodes without a label send a "
                     "guess. auto: 1 at node level, 3 at edge level");
  options.boolean("own-edges", own_edges_,
                  "At node level, let each node also sum the released rows over its own outgoing edges, which are part "
                  "of its record");
  options.real_or("row-clip", row_clip_, "auto", 0, 1e6,
                  "Rows of the sums shorter than this times the noise's norm are not stretched; auto: 3 at node level, "
                  "2 at edge level");
  options.real("weight-decay", weight_decay_, 0, 1e6, "Weight decay of Adam at edge level, where training is public");
  options.choice("weights", weights_,
                 {{"sqrt-degree", bound::DegreeWeights::SqrtDegree},
                  {"soft-cap", bound::DegreeWeights::SoftCap},
                  {"drop", bound::DegreeWeights::Drop}},
                 "How a node's influence is bounded at node level: labels times 1/sqrt(outdegree), or capped at "
                 "--max-degree, or edges beyond --max-degree dropped");
  options.integer("max-degree", max_degree_, 1, INT32_MAX, "Outgoing edges that count, for soft-cap and drop");
  scaling_.declare(options);
}

std::vector<bound::Relation> Lap::relations() const {
  return {bound::Relation::Node, bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

std::vector<std::string> Lap::remarks(bound::Relation relation) const {
  if (edge_level(relation) || !own_edges_) return {};
  return {
      "the prediction about a node reads that node's own list of outgoing edges, which is part of its record, and "
      "released "
      "rows; it reads no other node's edges or rows"};
}

int64_t Lap::rounds(bound::Relation relation) const { return rounds_.value_or(edge_level(relation) ? kRounds : 1); }

LapArchitecture Lap::architecture() const {
  LapArchitecture architecture = architecture_;
  architecture.first_bias = scaling_.bias_input == 0;
  return architecture;
}

// With full batches all is Gaussian, and R/s^2 of the sums and T/s^2 of the training add up to 1/noise^2 in these
// shares.
double Lap::sum_noise(double noise, bound::Relation relation) const {
  const double all = edge_level(relation) ? noise : noise / std::sqrt(share_);
  return all * std::sqrt(static_cast<double>(rounds(relation)));
}

double Lap::training_noise(double noise, int64_t train_nodes) const {
  return noise_for_share(fit_, train_nodes, noise, 1 - share_);
}

account::Ledger Lap::plan(double noise, bound::Relation relation, const PublicFacts& facts) const {
  account::Ledger ledger = inference_plan(noise, relation);
  if (!edge_level(relation)) {
    ledger.add(fit_event("training", fit_, training_noise(noise, facts.train_nodes), facts.train_nodes));
  }
  return ledger;
}

account::Ledger Lap::inference_plan(double noise, bound::Relation relation) const {
  return {account::Event("labels", account::Gaussian{sum_noise(noise, relation)}, {}, rounds(relation))};
}

bound::NeighborSumOptions Lap::sum_options(const Task& task) const {
  return {.relation = task.relation,
          .max_row_norm = std::sqrt(1 - 1 / static_cast<double>(task.data.classes)),
          .weights = weights_,
          .max_out_degree = max_degree_};
}

// Block 1: the node's row of the release. Block 2, under `node`: S_v = (sum of the released rows over v's own edges)
// / sqrt(outdeg v), without what v itself sent there, so that it carries as much noise as one row.
Matrix Lap::inputs_of(const Task& task, const graph::Graph& graph, const Matrix& released, const Matrix& sent,
                      double stddev) const {
  const int64_t classes = released.cols();
  const double shortest = row_clip_.value_or(edge_level(task.relation) ? kRowClipEdge : kRowClipNode) * stddev *
                          std::sqrt(static_cast<double>(classes));
  const bool own_list = own_edges_ && !edge_level(task.relation);
  Matrix inputs = Matrix::uninitialized(released.rows(), own_list ? 2 * classes : classes);
  put_scaled(released, shortest, 0, inputs);
  if (!own_list) return inputs;

  const bound::NeighborSumOptions options = sum_options(task);
  Matrix list = Matrix::uninitialized(released.rows(), classes);
  kernels::spmm(graph.out_view(), released, list);
  parallel_for(list.rows(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const auto degree = static_cast<double>(graph.out_degree(v));
      if (degree == 0) continue;
      const auto scale = static_cast<Real>(1 / std::sqrt(degree));
      const auto own = static_cast<Real>(degree * bound::degree_weight(options, graph.out_degree(v)));
      for (int64_t k = 0; k < classes; ++k) list(v, k) = scale * (list(v, k) - own * sent(v, k));
    }
  });
  put_scaled(list, shortest, classes, inputs);
  return inputs;
}

void Lap::fit_public(LapNetwork& network, const Task& task) const {
  const FitOptions options{.epochs = step_plan(fit_, static_cast<int64_t>(task.split.train.size())).steps,
                           .learning_rate = fit_.learning_rate,
                           .weight_decay = weight_decay_};
  // The last iterate: picking one on few validation nodes costs more than it gains.
  fit(network, {task.data.labels, task.split.train, {}}, options, task.seed, "training");
}

Lap::Sums Lap::label_sums(const Task& task, double noise, mechanism::Release& release) const {
  const bound::NeighborSumOptions options = sum_options(task);
  const bool drop = !edge_level(task.relation) && weights_ == bound::DegreeWeights::Drop;
  const graph::Graph graph = drop ? bound::bound_out_degree(task.data.graph, max_degree_, task.seed) : task.data.graph;
  const double multiplier = sum_noise(noise, task.relation);
  const int64_t all = rounds(task.relation);

  Sums sums;
  Matrix sent = messages(task, nullptr);
  for (int64_t round = 1; round <= all; ++round) {
    Matrix now = sent.clone();
    if (round > 1) {
      Matrix guesses;
      if (edge_level(task.relation) && !task.split.train.empty()) {
        LapNetwork network(task.data, sums.inputs, architecture(), task.seed);
        fit_public(network, task);
        guesses = class_probabilities(network, task.data.nodes());
      } else {
        guesses = guesses_of(sums.inputs, task.data.classes);
      }
      now = messages(task, &guesses);
    }
    Matrix noisy = release.gaussian("labels", bound::neighbor_sum(graph, now, options), multiplier).value();
    if (round == 1) {
      sums.released = std::move(noisy);
    } else {
      add_to_mean(sums.released, noisy, round);
      add_to_mean(sent, now, round);
    }
    // The mean of the rounds so far has the noise of one, divided by the square root of their number.
    const double stddev = multiplier * bound::neighbor_sum_sensitivity(options) / std::sqrt(static_cast<double>(round));
    sums.inputs = inputs_of(task, graph, sums.released, sent, stddev);
  }
  return sums;
}

Released Lap::run(const Task& task, double noise, mechanism::Release* release_or_null) const {
  mechanism::Release& release = required(release_or_null);
  const Sums sums = label_sums(task, noise, release);
  LapNetwork network(task.data, sums.inputs, architecture(), task.seed);
  if (edge_level(task.relation)) {
    fit_public(network, task);
  } else {
    fit_private(network, task.split.train, task.data.labels, fit_,
                training_noise(noise, static_cast<int64_t>(task.split.train.size())), "training", task.seed, release);
  }
  Released out;
  network.save(out.model, "");
  out.model["labels/1"] = nn::to_tensor(sums.released);
  out.probabilities = class_probabilities(network, task.data.nodes());
  return out;
}

Matrix Lap::infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const {
  const Sums sums = label_sums(task, noise, required(release));
  LapNetwork network(task.data, sums.inputs, architecture(), task.seed);
  network.load(model, "");
  return class_probabilities(network, task.data.nodes());
}

}  // namespace graphveil::method
