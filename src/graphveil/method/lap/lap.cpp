#include "graphveil/method/lap/lap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/graph/partition.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/method/graph_share.h"

namespace graphveil::method {
namespace {

constexpr int64_t kRoundsEdge = 3, kRoundsNode = 2;
constexpr double kShareRecord = 0.3;
constexpr double kRowClipNode = 3;  // rows that are mostly noise stay short
constexpr double kRowClipEdge = 2;
constexpr double kListClipNode = 1;   // of rows that are summed along a list: one that is mostly signal has one vote
constexpr double kLapRowScale = 0.5;  // of a row that is mostly signal, beside features of norm 1
constexpr double kGuessSharpness =
    16;  // how surely a node without a label guesses it from the first round, at node level
constexpr double kWeightDecay = 2e-5;
constexpr int64_t kRowGrain = 4096, kListGrain = 256, kValueGrain = 1 << 16;

using bound::edge_level;

constexpr const char* kLapLabels = "labels";
constexpr const char* kLapTraining = "training";

// onehot(y_u) - 1/c for the training nodes; the others guess, or send nothing when there is no guess yet.
Matrix messages(const Task& task, const Matrix* guesses) {
  const int32_t classes = task.data.classes;
  const Real mean = Real{1} / static_cast<Real>(classes);
  Matrix rows(task.data.nodes(), classes);
  if (guesses != nullptr) {
    parallel_for(rows.size(), kValueGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) rows.data()[i] = guesses->data()[i] - mean;
    });
  }
  const std::vector<int32_t>& train = task.split.train;
  parallel_for(static_cast<int64_t>(train.size()), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int32_t u = train[i];
      if (task.data.labels[u] == graph::kUnlabeled) continue;
      std::ranges::fill(rows.row(u), -mean);
      rows(u, task.data.labels[u]) += 1;
    }
  });
  return rows;
}

// Of all ranks.
int64_t all_training_nodes(const Task& task) {
  const int64_t own = std::ssize(task.split.train);
  return ranks_of(task) != nullptr ? sum_over(*ranks_of(task), own) : own;
}

// Column `first` onward of `out` = rows of `sums`, those longer than `shortest` scaled to length kLapRowScale and the
// others alike.
void put_scaled(const Matrix& sums, double shortest, int64_t first, Matrix& out) {
  std::vector<Real> norms(static_cast<size_t>(sums.rows()));
  kernels::row_norms(sums, norms);
  parallel_for(sums.rows(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const double length = std::max(static_cast<double>(norms[v]), shortest);
      const Real scale = length > 0 ? static_cast<Real>(kLapRowScale / length) : 0;
      for (int64_t k = 0; k < sums.cols(); ++k) out(v, first + k) = scale * sums(v, k);
    }
  });
}

// Softmax of the prior's scores: what a node guesses before anything is trained.
Matrix guesses_of(const Matrix& inputs, int64_t classes) {
  Matrix scores(inputs.rows(), classes), guesses = Matrix::uninitialized(inputs.rows(), classes);
  parallel_for(inputs.rows(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      for (int64_t i = 0; i < inputs.cols(); ++i) {
        scores(v, i % classes) += static_cast<Real>(kGuessSharpness) * inputs(v, i);
      }
    }
  });
  kernels::softmax(scores, guesses);
  return guesses;
}

// `mean` becomes the mean of `count` matrices, of which `next` is the last.
void add_to_mean(Matrix& mean, const Matrix& next, int64_t count) {
  parallel_for(mean.size(), kValueGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      mean.data()[i] += (next.data()[i] - mean.data()[i]) / static_cast<Real>(count);
    }
  });
}

}  // namespace

Lap::Lap() : fit_(PrivateFitOptions::linear_softmax()) {}

Description Lap::describe() const {
  return {"lap", "node", "Label aggregation perturbation: noisy sums of neighbors' labels, then a linear softmax",
          "graphveil (docs/methods/lap.md)"};
}

void Lap::declare(Options& options) {
  architecture_.declare(options);
  fit_.declare(options);
  last_.declare(options);
  options.real_or("share", share_, "auto", 0.001, 0.999,
                  "Share of the budget that the label sums get, at node level; auto: 0.3 under record, under node the "
                  "more the less training needs (few features and classes, many training nodes, a large epsilon) and "
                  "the more the sums say (--mean-degree against --protect-degree)");
  options.integer_or(
      "rounds", rounds_, "auto", 1, 64,
      "Releases of the sums, which share their budget; from the second on nodes without a label send a "
      "guess. auto: 2 under node, 1 under record, 3 at edge level with Gaussian noise; with geometric noise 2 "
      "where epsilon is 3 or more, 6 for undirected edges, else 1");
  options.choice<std::optional<OwnEdges>>(
      "own-edges", own_edges_,
      {{"auto", std::nullopt}, {"none", OwnEdges::None}, {"predict", OwnEdges::Predict}, {"train", OwnEdges::Train}},
      "Who sums the released rows over a node's own outgoing edges: nobody, the prediction about it, or its training "
      "sample too (record only). auto: train under record, else none");
  options.real("own-weight", own_weight_, 0, 1e6,
               "With --own-edges predict: weight of that sum against the node's own row, which trained the weights");
  options.real_or("row-clip", row_clip_, "auto", 0, 1e6,
                  "Rows of the sums shorter than this times the noise's norm are not stretched; auto: 3 at node level, "
                  "2 at edge level");
  options.real_or(
      "weight-decay", weight_decay_, "auto", 0, 1e6,
      "Weight decay of Adam at edge level, where training is public: with geometric noise divided by the number of "
      "training nodes, auto 0.4; with Gaussian noise as it is, auto 2e-5");
  options.choice(
      "edge-noise", edge_noise_, {{"geometric", EdgeNoise::Geometric}, {"gaussian", EdgeNoise::Gaussian}},
      "At edge level: whole counts of neighbors with geometric noise (delta 0), or sums with Gaussian noise");
  options.real_or(
      "mean-degree", mean_degree_, "unknown", 0, 1e9,
      "Mean number of neighbors that you declare public, never read off the data. Under node --share auto reads it, or "
      "takes half of --protect-degree; at edge level, 50 or more makes --rounds auto count twice already where epsilon "
      "is 1, or 2 for undirected edges");
  options.choice(
      "neighbors", neighbors_, {{"auto", Neighbors::Auto}, {"alike", Neighbors::Alike}, {"differ", Neighbors::Differ}},
      "What the last of several geometric rounds counts: neighbors by class, or by bucket, which also helps where "
      "neighbors differ in class. auto: as the first round says");
  options.integer("buckets", buckets_, 1, 65536, "Buckets into which node ids are put, with --neighbors differ");
  options.choice("weights", weights_,
                 {{"sqrt-degree", bound::DegreeWeights::SqrtDegree},
                  {"soft-cap", bound::DegreeWeights::SoftCap},
                  {"drop", bound::DegreeWeights::Drop}},
                 "Under record, how a node's influence is bounded: labels times 1/sqrt(outdegree), or capped at "
                 "--max-degree, or edges beyond --max-degree dropped. Under node nothing is weighted or dropped");
  options.integer("max-degree", max_degree_, 1, INT32_MAX, "Outgoing edges that count, for soft-cap and drop");
  scaling_.declare(options);
}

OptionValues Lap::quick(const QuickSize& size) const {
  return sized({{"epochs", size.epochs}, {"steps", size.steps}, {"hidden-dim", size.width}});
}

NetworkSize Lap::network() const { return {architecture_.hidden_dim, architecture_.layers}; }

std::vector<bound::Relation> Lap::relations() const {
  return {bound::Relation::Node, bound::Relation::Record, bound::Relation::UndirectedEdge, bound::Relation::Edge};
}

PredictionCover Lap::predictions(bound::Relation relation) const {
  if (edge_level(relation)) return {Audience::Public, relation};
  // A list of one's own edges says who is there: blank nodes are not on it.
  return {Audience::Owner, own_edges(relation) == OwnEdges::None ? relation : bound::Relation::Record};
}

std::vector<std::string> Lap::remarks(bound::Relation relation) const {
  if (edge_level(relation) || own_edges(relation) == OwnEdges::None) return {};
  return {
      "the prediction about a node reads that node's own list of outgoing edges, which is part of its record, and "
      "released rows; it reads no other node's edges or rows"};
}

std::vector<std::string> Lap::assumptions(bound::Relation /*relation*/) const {
  if (!mean_degree_) return {};
  return {"the mean degree was declared public or assumed, not read off the data"};
}

std::string Lap::one_machine(bound::Relation relation) const {
  const bool drop = relation == bound::Relation::Record && weights_ == bound::DegreeWeights::Drop;
  return drop ? "drops edges with --weights drop, which makes a new graph" : "";
}

// At edge level it trains without noise.
int64_t Lap::places_per_cut(bound::Relation relation, int64_t train_nodes) const {
  return edge_level(relation) ? fit_places_per_cut(train_nodes) : 1;
}

std::vector<Tunable> Lap::tunables(bound::Relation relation) const {
  if (!edge_level(relation)) return {{"learning-rate", {"0.03", "0.1", "0.3"}}, {"max-grad-norm", {"0.1", "0.3", "1"}}};
  const std::vector<std::string> decays = counts(relation)
                                              ? std::vector<std::string>{"0.05", "0.1", "0.2", "0.4", "0.8", "1.6"}
                                              : std::vector<std::string>{"0", "0.00002", "0.0002"};
  return {{"last-learning-rate", {"0.03", "0.1", "0.3"}},
          {"last-weight-decay", decays},
          {"last-epochs", {"50", "100", "200", "400"}}};
}

bool Lap::counts(bound::Relation relation) const { return edge_level(relation) && edge_noise_ == EdgeNoise::Geometric; }

CountOptions Lap::count_options(bound::Relation relation) const {
  CountOptions options{.softmax = {.architecture = architecture(relation),
                                   .steps = step_plan(fit_, 1).steps,
                                   .learning_rate = fit_.learning_rate},
                       .rounds = rounds_.value_or(0),
                       .mean_degree = mean_degree_,
                       .neighbors = neighbors_,
                       .buckets = buckets_};
  if (weight_decay_) options.softmax.weight_decay = *weight_decay_;
  options.last = options.softmax;
  options.last.steps = last_.epochs.value_or(options.last.steps);
  options.last.learning_rate = last_.learning_rate.value_or(options.last.learning_rate);
  options.last.weight_decay = last_.weight_decay.value_or(options.last.weight_decay);
  return options;
}

OwnEdges Lap::own_edges(bound::Relation relation) const {
  if (edge_level(relation)) return OwnEdges::None;
  return own_edges_.value_or(relation == bound::Relation::Record ? OwnEdges::Train : OwnEdges::None);
}

int64_t Lap::rounds(bound::Relation relation) const {
  if (edge_level(relation)) return rounds_.value_or(kRoundsEdge);
  return rounds_.value_or(relation == bound::Relation::Node ? kRoundsNode : 1);
}

LapArchitecture Lap::architecture(bound::Relation relation) const {
  LapArchitecture architecture = architecture_;
  architecture.first_bias = scaling_.bias_input == 0;
  // Weights that will be used on sums along own lists, which no training read, had better know no more than how much
  // neighbors are alike.
  architecture.tied = own_edges(relation) == OwnEdges::Predict && architecture.layers == 1;
  return architecture;
}

// With full batches all is Gaussian, and R/s^2 of the sums and T/s^2 of the training add up to 1/noise^2 in these
// shares.
double Lap::sum_noise(double noise, const Setting& setting) const {
  const double all = edge_level(setting.relation) ? noise : noise / std::sqrt(share(noise, setting));
  return all * std::sqrt(static_cast<double>(rounds(setting.relation)));
}

double Lap::share(double noise, const Setting& setting) const {
  if (share_) return *share_;
  if (setting.relation != bound::Relation::Node) return kShareRecord;
  return graph_share(1 / noise, setting, mean_degree_, own_edges(setting.relation) == OwnEdges::Predict);
}

double Lap::training_noise(double noise, const Setting& setting) const {
  return noise_for_share(fit_, setting.facts.train_nodes, noise, 1 - share(noise, setting));
}

Plan Lap::plan(double noise, const Setting& setting) const {
  require(
      setting.relation != bound::Relation::Node || own_edges(setting.relation) != OwnEdges::Train,
      "--own-edges train reads a node's own list in training, which a node that is blank leaves: under relation node "
      "only none and predict hold");
  Plan plan = inference_plan(noise, setting);
  if (!edge_level(setting.relation)) {
    const int64_t train_nodes = setting.facts.train_nodes;
    plan.add(fit_line(kLapTraining, fit_, training_noise(noise, setting), train_nodes));
  }
  return plan;
}

Plan Lap::inference_plan(double noise, const Setting& setting) const {
  if (counts(setting.relation)) {
    return counts_plan(noise, setting.relation, count_options(setting.relation));
  }
  const bound::NeighborSumOptions options =
      sum_options(setting.relation, setting.protect_degree, setting.facts.classes);
  return {{account::Event(kLapLabels, account::Gaussian{sum_noise(noise, setting)}, {}, rounds(setting.relation)),
           bound::neighbor_sum_bound(options)}};
}

std::optional<Work> Lap::work(const Plan& plan, const Setting& setting, const GraphSize& graph) const {
  if (counts(setting.relation)) {
    return experts_work(std::ssize(plan.lines()), count_options(setting.relation).softmax, setting, graph);
  }
  const auto nodes = static_cast<double>(setting.facts.nodes), classes = static_cast<double>(setting.facts.classes);
  const bool lists = own_edges(setting.relation) == OwnEdges::Train;
  Reader reader =
      Reader::stack(graph.row_entries, architecture_.layers, architecture_.hidden_dim, setting.facts.classes);
  reader.rest += (lists ? 2 : 1) * classes * reader.first_width;  // of the sums, beside the features
  const auto count = static_cast<double>(plan.line(kLapLabels).event.count());
  Work work;
  work.add_sums(count, nodes, graph.edges, classes);
  if (own_edges(setting.relation) != OwnEdges::None) work.edge_terms += graph.edges * classes;
  if (edge_level(setting.relation)) {
    const double steps = count * static_cast<double>(step_plan(fit_, setting.facts.train_nodes).steps);
    work.add_training(steps * static_cast<double>(setting.facts.train_nodes), reader);
    const double features = static_cast<double>(setting.facts.features) * reader.first_width;
    work.add_turns(steps, static_cast<double>(architecture_.layers) + 1, features + reader.rest, 0, 0);
  } else {
    work.add_training(trained_samples(plan.line(kLapTraining), setting.facts.train_nodes), reader);
  }
  work.add_prediction(nodes, reader);
  // Sent and released rows and their means, whole messages and sums, inputs, scores and probabilities.
  work.node_numbers = (lists ? 11 : 9) * classes;
  work.feature_copies = 2;  // scaled rows, and those of a batch
  return work;
}

bound::NeighborSumOptions Lap::sum_options(bound::Relation relation, int64_t protect_degree, int32_t classes) const {
  return {.relation = relation,
          .max_row_norm = std::sqrt(1 - 1 / static_cast<double>(classes)),
          .protect_degree = protect_degree,
          .weights = weights_,
          .max_out_degree = max_degree_};
}

graph::Graph Lap::sending_graph(const Task& task) const {
  const bool drop = task.relation == bound::Relation::Record && weights_ == bound::DegreeWeights::Drop;
  return drop ? bound::bound_out_degree(task.data.graph, max_degree_, task.seed).graph() : task.data.graph;
}

double Lap::shortest_row(const Task& task, const Sums& sums) const {
  const double clip = row_clip_.value_or(edge_level(task.relation) ? kRowClipEdge : kRowClipNode);
  return clip * sums.stddev * std::sqrt(static_cast<double>(task.data.classes));
}

// S_v = (sum over v's own edges of s_u times row u without what v itself sent there) / sqrt(sum of s_u^2), so that it
// carries as much noise as one row. Under node s_u = 1 / max(length of row u, kListClipNode times that of its noise):
// neighbors with many edges do not outvote the others. Under record s_u = 1.
Matrix Lap::own_list_rows(const Task& task, const graph::Graph& graph, const Sums& sums) const {
  const bound::NeighborSumOptions options = sum_options(task.relation, task.protect_degree, task.data.classes);
  // A rank fetches the rows that its lists name.
  const Matrix fetched = graph.partition() != nullptr ? graph::reached_rows(graph, sums.released) : Matrix();
  const ConstMatrixView released = graph.partition() != nullptr ? fetched.view() : sums.released.view();
  const std::vector<Real> scales = list_scales(task, released, sums.stddev);
  Matrix list(sums.released.rows(), sums.released.cols());
  parallel_for(list.rows(), kListGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const auto row = list.row(v);
      double sum = 0, squares = 0;
      for (const int32_t u : graph.out(v)) {
        const Real scale = scales[u];
        sum += scale;
        squares += static_cast<double>(scale) * scale;
        for (int64_t k = 0; k < list.cols(); ++k) row[k] += scale * released(u, k);
      }
      if (squares == 0) continue;
      const auto one_row = static_cast<Real>(1 / std::sqrt(squares));
      const auto own = static_cast<Real>(sum * bound::degree_weight(options, graph.out_degree(v)));
      for (int64_t k = 0; k < list.cols(); ++k) row[k] = one_row * (row[k] - own * sums.sent(v, k));
    }
  });
  return list;
}

std::vector<Real> Lap::list_scales(const Task& task, ConstMatrixView released, double stddev) const {
  std::vector<Real> scales(static_cast<size_t>(released.rows), Real{1});
  if (task.relation != bound::Relation::Node) return scales;
  const double shortest = kListClipNode * stddev * std::sqrt(static_cast<double>(task.data.classes));
  kernels::row_norms(released, scales);
  for (Real& s : scales) {
    const double length = std::max(static_cast<double>(s), shortest);
    s = length > 0 ? static_cast<Real>(1 / length) : Real{0};
  }
  return scales;
}

// Block 1: the node's row of the release. Block 2, with --own-edges train: S_v.
Matrix Lap::training_inputs(const Task& task, const graph::Graph& graph, const Sums& sums) const {
  const int64_t classes = sums.released.cols();
  const bool own_list = own_edges(task.relation) == OwnEdges::Train;
  Matrix inputs = Matrix::uninitialized(sums.released.rows(), own_list ? 2 * classes : classes);
  put_scaled(sums.released, shortest_row(task, sums), 0, inputs);
  if (own_list) put_scaled(own_list_rows(task, graph, sums), shortest_row(task, sums), classes, inputs);
  return inputs;
}

// As in training, or with --own-edges predict block 1 plus S_v: both speak of the neighbors' labels, in the same units.
Matrix Lap::prediction_inputs(const Task& task, const graph::Graph& graph, const Sums& sums) const {
  Matrix inputs = training_inputs(task, graph, sums);
  if (own_edges(task.relation) != OwnEdges::Predict) return inputs;
  Matrix list = Matrix::uninitialized(inputs.rows(), inputs.cols());
  put_scaled(own_list_rows(task, graph, sums), shortest_row(task, sums), 0, list);
  for (int64_t i = 0; i < inputs.size(); ++i) inputs.data()[i] += static_cast<Real>(own_weight_) * list.data()[i];
  return inputs;
}

Public<nn::State> Lap::fit_public(LapNetwork& network, const Task& task, const Release& release, bool last) const {
  const FitOptions options{.epochs = step_plan(fit_, all_training_nodes(task)).steps,
                           .learning_rate = fit_.learning_rate,
                           .weight_decay = weight_decay_.value_or(kWeightDecay)};
  // The last iterate: picking one on few validation nodes costs more than it gains.
  network.part_of(whole_features(task.data));
  return fit(network, {task.data.labels, task.split.train, {}, task.class_weights, task.data.graph.partition()},
             last ? last_.over(options) : options, task.seed, kLapTraining, PublicData::under(release));
}

Lap::Sums Lap::label_sums(const Task& task, const graph::Graph& graph, Release& release, nn::State* kept) const {
  const bound::NeighborSumOptions options = sum_options(task.relation, task.protect_degree, task.data.classes);
  const int64_t all = release.line(kLapLabels).event.count();
  const double step = release.grid(kLapLabels);
  const bool guess_by_training = edge_level(task.relation) && all_training_nodes(task) > 0;

  Sums sums;
  sums.sent = messages(task, nullptr);
  for (int64_t round = 1; round <= all; ++round) {
    Matrix later;  // the first round sends what is known from the start
    if (round > 1) {
      const Matrix inputs = training_inputs(task, graph, sums);
      Matrix guesses;
      if (guess_by_training) {
        LapNetwork network(task.data, inputs, architecture(task.relation), task.seed);
        fit_public(network, task, release, false);
        guesses = class_probabilities(network, task.data.nodes());
      } else {
        guesses = guesses_of(inputs, task.data.classes);
      }
      later = messages(task, &guesses);
    }
    const Matrix& now = round == 1 ? sums.sent : later;
    auto noisy = release.gaussian(kLapLabels, bound::neighbor_sum(graph, now, options, step));
    if (kept != nullptr) (*kept)[fmt::format("{}/{}", kLapLabels, round)] = nn::to_tensor(noisy.value());
    // The mean of the rounds so far has the noise of one, divided by the square root of their number.
    sums.stddev = noisy.noise_scale() / std::sqrt(static_cast<double>(round));
    if (round == 1) {
      sums.released = std::move(noisy).value();
    } else {
      add_to_mean(sums.released, noisy.value(), round);
      add_to_mean(sums.sent, now, round);
    }
  }
  return sums;
}

Predictions Lap::predicted(const nn::State& model, const Task& task, const graph::Graph& graph, const Sums& sums,
                           const Release& release) const {
  const Matrix inputs = prediction_inputs(task, graph, sums);
  LapNetwork network(task.data, inputs, architecture(task.relation), task.seed);
  network.load(model, "");
  return predictions_for(class_probabilities(network, task.data.nodes()), release);
}

Output Lap::run(const Task& task, Release& release) const {
  if (counts_planned(release.plan())) return run_counts(task, release, count_options(task.relation));
  const graph::Graph graph = sending_graph(task);
  nn::State kept;
  const Sums sums = label_sums(task, graph, release, &kept);
  const Matrix inputs = training_inputs(task, graph, sums);
  LapNetwork network(task.data, inputs, architecture(task.relation), task.seed);
  Public<nn::State> model = edge_level(task.relation)
                                ? fit_public(network, task, release, true)
                                : fit_private(network, private_fit_data(task), fit_, kLapTraining, task.seed, release);
  Predictions predictions = predicted(model.value(), task, graph, sums, release);
  return {std::move(model), std::move(predictions), Holder<nn::State>(std::move(kept))};
}

Predictions Lap::infer(const nn::State& model, const Task& task, Release& release) const {
  if (counts_planned(release.plan())) return infer_counts(model, task, release, count_options(task.relation));
  const graph::Graph graph = sending_graph(task);
  return predicted(model, task, graph, label_sums(task, graph, release, nullptr), release);
}

}  // namespace graphveil::method
