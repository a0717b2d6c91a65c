#include "graphveil/method/lap/experts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/learn/noisy_counts.h"
#include "graphveil/learn/stacking.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {
namespace {

constexpr double kShareScale = 2, kLogScale = 0.3;  // of the inputs beside features of norm 1
constexpr double kLogDecay = 0.04;                  // in nodes, as SoftmaxOptions::weight_decay
constexpr int64_t kAloneSteps = 3;                  // times as many steps where the counts are all there is
constexpr double kNoPrior = 0;
const MlpArchitecture kMlp{.layers = 2, .hidden_dim = 16};
const FitOptions kMlpFit{.epochs = 100, .learning_rate = 0.01};
constexpr double kExpertFloor = 1e-9;  // of a probability, before its logarithm

// Every classifier is fitted on all training nodes, and for each fold on the others; and scores all nodes each time.
// Ranks hand on the sums of so many layers, with so many weights, in each step of all these fits, and the moments of so
// many columns between them.
void add_expert(Work& work, double steps, const Reader& reader, const Setting& setting, double layers, double weights,
                double norms = 0, double norm_columns = 0) {
  const auto train_nodes = static_cast<double>(setting.facts.train_nodes);
  work.add_turns((1 + TrainingNodes::kFolds) * steps, layers, weights, norms, norm_columns);
  work.add_training((1 + (TrainingNodes::kFolds - 1)) * steps * train_nodes, reader);
  work.add_prediction((1 + TrainingNodes::kFolds) * static_cast<double>(setting.facts.nodes), reader);
}

// What a classifier is fitted on: all nodes of this process, or those whose rows a fit on a fold has.
struct FitRows {
  const graph::Dataset& data;
  ConstMatrixView inputs;
  std::span<const int32_t> nodes;
};

nn::State fit_rows(Network& network, const Fitting& f, const FitRows& rows, const FitOptions& options) {
  const FitData data{
      .labels = rows.data.labels, .train = rows.nodes, .public_validation = {}, .part = f.task.data.graph.partition()};
  return fit(network, data, options, f.task.seed, "training", PublicData::under(f.release)).value();
}

// A softmax on the features and `inputs`.
struct Softmax {
  const Fitting& f;
  const graph::Dataset& data;
  const Matrix& inputs;
  double prior = kNoPrior;
  double decay = 0;
  int64_t steps = 0;

  LapArchitecture architecture() const {
    LapArchitecture out = f.options.architecture;
    out.prior = prior;
    return out;
  }
  nn::State fitted(const FitRows& rows) const {
    Ranks* const ranks = ranks_of(f.task);
    const int64_t own = std::ssize(rows.nodes), all = ranks != nullptr ? sum_over(*ranks, own) : own;
    LapNetwork network(rows.data, rows.inputs, architecture(), f.task.seed);
    network.part_of(whole_features(data));
    return fit_rows(network, f, rows,
                    {.epochs = steps,
                     .learning_rate = f.options.learning_rate,
                     .weight_decay = decay / static_cast<double>(std::max<int64_t>(1, all))});
  }
};

Matrix log_probabilities(Network& network, const nn::State& state, int64_t nodes) {
  network.load(state, "");
  Matrix scores = class_probabilities(network, nodes);
  for (Real& p : scores.values()) p = static_cast<Real>(std::log(p + kExpertFloor));
  return scores;
}

Matrix log_probabilities(const graph::Dataset& data, const Seed& seed, const LapArchitecture& architecture,
                         const Matrix& inputs, const nn::State& state) {
  LapNetwork network(data, inputs, architecture, seed);
  return log_probabilities(network, state, data.nodes());
}

// The scores of training nodes by `scores_of`, fitted on others.
Matrix held_out_scores(const Fitting& f, const std::function<Matrix(const Fold&)>& scores_of) {
  if (f.training.folds().empty()) return {};
  Matrix out(f.task.data.nodes(), f.task.data.classes);
  for (const Fold& fold : f.training.folds()) {
    const Matrix scores = scores_of(fold);
    for (const int32_t v : fold.held_out) std::ranges::copy(scores.row(v), out.row(v).begin());
  }
  return out;
}

// `fitted` of FitRows gives a state, `scores` of that the scores of all nodes. `drawn`: the data in the order of folds.
template <typename Fit, typename Scores>
Expert expert_of(const Fitting& f, const graph::Dataset& data, const graph::Dataset& drawn, const Matrix& inputs,
                 Fit&& fitted, Scores&& scores) {
  Expert out;
  out.saved = fitted(FitRows{data, inputs, f.training.here()});
  out.scores = scores(out.saved);
  Matrix memory;
  const ConstMatrixView drawn_inputs = f.training.drawn(inputs, memory);
  out.held_out = held_out_scores(f, [&](const Fold& fold) {
    return scores(fitted(FitRows{drawn, drawn_inputs, fold.fit}));
  });
  return out;
}

Expert expert_of(const Softmax& softmax, const graph::Dataset& drawn) {
  return expert_of(
      softmax.f, softmax.data, drawn, softmax.inputs, [&](const FitRows& rows) { return softmax.fitted(rows); },
      [&](const nn::State& state) {
        return log_probabilities(softmax.data, softmax.f.task.seed, softmax.architecture(), softmax.inputs, state);
      });
}

// The task's data with other features, as they are in the order of folds.
graph::Dataset drawn_with(const Fitting& f, const graph::Features& features) {
  graph::Dataset out = f.training.drawn_data();
  out.features = f.training.drawn(features);
  return out;
}

Matrix shares(const Counts& counts) {
  Matrix rows = expected_counts(counts.noisy, counts.scale, counts.ranks);
  for (int64_t v = 0; v < rows.rows(); ++v) {
    double sum = 1;
    for (const Real x : rows.row(v)) sum += std::max<double>(x, 0);
    for (Real& x : rows.row(v)) x = static_cast<Real>(kShareScale * x / sum);
  }
  return rows;
}

// log(1 + E), where nothing is below 0: without noise E is what was counted, with noise the mean of a prior on 0, 1 ...
Matrix log_counts(const Counts& counts) {
  Matrix rows = expected_counts(counts.noisy, counts.scale, counts.ranks);
  for (Real& x : rows.values()) x = static_cast<Real>(kLogScale * std::log1p(std::max(x, Real{0})));
  return rows;
}

// The data with these features: the scores, log(1 + E), and the logarithm of the row sum of E.
graph::Dataset with_signatures(const graph::Dataset& data, const Matrix& scores, const Counts& counts) {
  const Matrix expected = expected_counts(counts.noisy, counts.scale, counts.ranks);
  Matrix rows = Matrix::uninitialized(data.nodes(), scores.cols() + expected.cols() + 1);
  for (int64_t v = 0; v < rows.rows(); ++v) {
    const std::span<Real> row = rows.row(v);
    std::ranges::copy(scores.row(v), row.begin());
    double sum = 0;
    for (int64_t m = 0; m < expected.cols(); ++m) {
      const double count = std::max<double>(expected(v, m), 0);
      sum += count;
      row[static_cast<size_t>(scores.cols() + m)] = static_cast<Real>(std::log1p(count));
    }
    row.back() = static_cast<Real>(std::log1p(sum));
  }
  graph::Dataset out = data;
  out.features = graph::Features(std::move(rows));
  return out;
}

Matrix matrix_of(const nn::State& state, const std::string& name) {
  const auto found = state.find(name);
  if (found == state.end() || found->second.shape.size() != 2) {
    fail(ErrorKind::BadInput, "the model has no matrix '{}'", name);
  }
  Matrix out = Matrix::uninitialized(found->second.shape[0], found->second.shape[1]);
  nn::read_matrix(state, name, out);
  return out;
}

}  // namespace

Work experts_work(int64_t rounds, const SoftmaxOptions& options, const Setting& setting, const GraphSize& graph) {
  constexpr double kPasses =
      4;  // over the counts of a round: noise, and what is expected behind it for each classifier
  const auto nodes = static_cast<double>(setting.facts.nodes), classes = static_cast<double>(setting.facts.classes);
  const auto count = static_cast<double>(rounds), steps = static_cast<double>(options.steps);
  Reader reader = Reader::stack(graph.row_entries, options.architecture.layers, options.architecture.hidden_dim,
                                setting.facts.classes);
  Work work;
  work.add_sums(count, nodes, graph.edges, classes);
  work.edge_terms = count * graph.edges;  // one cell for an edge
  work.columns = 1;                       // a neighbor's group is all that is sent along it
  work.noise *= kPasses;
  // The first layer is two: of features, and of what the counts say.
  const double layers = static_cast<double>(options.architecture.layers) + 1;
  const double features = static_cast<double>(setting.facts.features) * reader.first_width;
  const auto add_softmax = [&] { add_expert(work, steps, reader, setting, layers, features + reader.rest); };
  add_softmax();
  reader.rest += classes * reader.first_width;
  const Reader mlp{0, 0, static_cast<double>(kMlp.hidden_dim) * (3 * classes + 1)};  // scores and counts, to classes
  for (int64_t round = 0; round < rounds; ++round) {
    add_softmax();
    add_expert(work, static_cast<double>(kMlpFit.epochs), mlp, setting, static_cast<double>(kMlp.layers), mlp.rest,
               static_cast<double>(kMlp.layers - 1), static_cast<double>((kMlp.layers - 1) * kMlp.hidden_dim));
  }
  // The scores of each classifier, held out as well; counts; what is expected of them; a fit's scores.
  work.node_numbers = (2 * (1 + 3 * count) + 2 * count + 4) * classes;
  work.feature_copies = 2;  // scaled rows, and those of a batch
  return work;
}

Expert features_expert(const Fitting& f) {
  const Matrix none(f.task.data.nodes(), f.task.data.classes);
  return expert_of({f, f.task.data, none, kNoPrior, f.options.weight_decay, f.options.steps}, f.training.drawn_data());
}

Matrix apply_features(const nn::State& saved, const Task& task, const SoftmaxOptions& options) {
  const Matrix none(task.data.nodes(), task.data.classes);
  return log_probabilities(task.data, task.seed, options.architecture, none, saved);
}

Expert likelihood_expert(const Fitting& f, const Counts& counts) {
  const auto likelihood = [&](std::span<const int32_t> nodes) {
    return CountLikelihood(counts.noisy, counts.scale, f.task.data.labels, nodes, f.task.data.classes, counts.ranks);
  };
  const CountLikelihood all = likelihood(f.training.here());
  Expert out;
  out.saved.emplace("priors", nn::to_tensor(all.priors()));
  out.saved.emplace("width", nn::to_tensor(all.width()));
  out.scores = all.scores(counts.noisy);
  out.held_out = held_out_scores(f, [&](const Fold& fold) { return likelihood(fold.fit_here).scores(counts.noisy); });
  return out;
}

Matrix apply_likelihood(const nn::State& saved, const Task& task, const Counts& counts) {
  return CountLikelihood(counts.scale, nn::read_number(saved, "width"), matrix_of(saved, "priors"), task.data.classes)
      .scores(counts.noisy);
}

Expert shares_expert(const Fitting& f, const Counts& counts) {
  const Matrix inputs = shares(counts);
  Expert out =
      expert_of({f, f.task.data, inputs, f.options.architecture.prior, f.options.weight_decay, f.options.steps},
                f.training.drawn_data());
  out.weight = 0;  // a few labels say what is common, not what each number means
  return out;
}

Matrix apply_shares(const nn::State& saved, const Task& task, const Counts& counts, const SoftmaxOptions& options) {
  return log_probabilities(task.data, task.seed, options.architecture, shares(counts), saved);
}

Expert mlp_expert(const Fitting& f, const Expert& features, const Counts& counts) {
  // A training node's own label must not come back through the scores.
  Matrix scores = features.scores.clone();
  if (features.held_out.rows() > 0) {
    for (const int32_t v : f.training.here()) std::ranges::copy(features.held_out.row(v), scores.row(v).begin());
  }
  const graph::Dataset data = with_signatures(f.task.data, scores, counts);
  Expert out = expert_of(
      f, data, drawn_with(f, data.features), Matrix(data.nodes(), 0),
      [&](const FitRows& rows) {
        MlpNetwork mlp(rows.data, kMlp, true, f.task.seed);
        return fit_rows(mlp, f, rows, kMlpFit);
      },
      [&](const nn::State& state) {
        MlpNetwork mlp(data, kMlp, true, f.task.seed);
        return log_probabilities(mlp, state, data.nodes());
      });
  out.weight = 0;
  return out;
}

Matrix apply_mlp(const nn::State& saved, const Task& task, const Matrix& features, const Counts& counts) {
  const graph::Dataset data = with_signatures(task.data, features, counts);
  MlpNetwork mlp(data, kMlp, true, task.seed);
  return log_probabilities(mlp, saved, data.nodes());
}

Expert log_counts_expert(const Fitting& f, const Counts& counts, bool with_features) {
  const Matrix inputs = log_counts(counts);
  graph::Dataset data = f.task.data;
  int64_t steps = f.options.steps;
  if (!with_features) {
    Matrix constant(data.nodes(), 1);
    std::ranges::fill(constant.values(), Real{1});
    data.features = graph::Features(std::move(constant));
    steps *= kAloneSteps;
  }
  const graph::Dataset drawn = with_features ? f.training.drawn_data() : drawn_with(f, data.features);
  Expert out = expert_of({f, data, inputs, kNoPrior, kLogDecay, steps}, drawn);
  out.weight = 0;
  return out;
}

std::vector<double> weights_of(const Fitting& f, std::span<const Expert> experts) {
  std::vector<Matrix> held_out;
  std::vector<double> otherwise;
  for (const Expert& e : experts) {
    otherwise.push_back(e.weight);
    if (e.held_out.rows() > 0) held_out.push_back(e.held_out.clone());
  }
  return held_out.empty() ? otherwise
                          : stack_weights(held_out, f.task.data.labels, f.training.here(), ranks_of(f.task));
}

Matrix combined(std::span<const Expert> experts, std::span<const double> weights) {
  std::vector<Matrix> scores;
  for (const Expert& e : experts) scores.push_back(e.scores.clone());
  return stacked(scores, weights);
}

}  // namespace graphveil::method
