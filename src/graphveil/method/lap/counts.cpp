#include "graphveil/method/lap/counts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/learn/noisy_counts.h"
#include "graphveil/learn/stacking.h"

namespace graphveil::method {
namespace {

constexpr const char* kFirst = "first-counts";
constexpr const char* kCounts = "counts";
constexpr double kFirstShare = 0.2;
constexpr double kTwoRounds = 3;  // budget of one counted edge from which a second round pays
constexpr double kAlike = 0.2;    // how much more often than by chance neighbors share a class, to count classes
constexpr int64_t kFolds = 4;
constexpr int64_t kFewest = kFolds;  // labels below which there is nothing to weigh classifiers by
constexpr double kShareScale = 2, kBucketScale = 0.3;
constexpr double kBucketDecay = 0.04;  // in nodes, as CountOptions::weight_decay
constexpr int64_t kAloneSteps = 3;     // times as many steps where the buckets are all there is
constexpr int64_t kMostCells = int64_t{1} << 24;
constexpr double kFloor = 1e-9;  // of a probability, before its logarithm

struct Counts {
  IntegerMatrix<int64_t> noisy;
  double scale = 0;
};

// What a classifier is fitted on, all of it public.
struct Fitting {
  const Task& task;
  const Release& release;
  const CountOptions& options;
};

Matrix log_of(Matrix probabilities) {
  for (Real& p : probabilities.values()) p = static_cast<Real>(std::log(p + kFloor));
  return probabilities;
}

nn::State fitted(const Fitting& f, const Matrix& inputs, double prior, double decay, std::span<const int32_t> nodes) {
  LapArchitecture architecture = f.options.architecture;
  architecture.prior = prior;
  LapNetwork network(f.task.data, inputs, architecture, f.task.seed);
  const FitOptions options{.epochs = f.options.steps,
                           .learning_rate = f.options.learning_rate,
                           .weight_decay = decay / static_cast<double>(std::max<size_t>(1, nodes.size()))};
  return fit(network, {f.task.data.labels, nodes, {}}, options, f.task.seed, "training", PublicData::under(f.release))
      .value();
}

Matrix log_probabilities(const Task& task, const LapArchitecture& architecture, const Matrix& inputs,
                         const nn::State& state) {
  LapNetwork network(task.data, inputs, architecture, task.seed);
  network.load(state, "");
  return log_of(class_probabilities(network, task.data.nodes()));
}

// E / (1 + row sum of E): the share of each class, short where there are few neighbors.
Matrix shares(const Counts& counts) {
  Matrix rows = expected_counts(counts.noisy, counts.scale);
  for (int64_t v = 0; v < rows.rows(); ++v) {
    double sum = 1;
    for (const Real x : rows.row(v)) sum += std::max<double>(x, 0);
    for (Real& x : rows.row(v)) x = static_cast<Real>(kShareScale * x / sum);
  }
  return rows;
}

Matrix bucket_inputs(const Counts& counts) {
  Matrix rows = expected_counts(counts.noisy, counts.scale);
  Real least = 0;
  if (rows.size() > 0) least = *std::min_element(rows.values().begin(), rows.values().end());
  for (Real& x : rows.values()) x = static_cast<Real>(kBucketScale * std::log1p(x - least));
  return rows;
}

// Training nodes that have a label, and their folds.
std::vector<int32_t> labeled(const Task& task) {
  std::vector<int32_t> nodes;
  for (const int32_t v : task.split.train) {
    if (task.data.labels[v] != graph::kUnlabeled) nodes.push_back(v);
  }
  return nodes;
}

struct Fold {
  std::vector<int32_t> fit, held_out;
};

std::vector<Fold> folds(const Task& task) {
  std::vector<int32_t> nodes = labeled(task);
  RandomStream random(task.seed, "lap folds");
  random.shuffle(std::span<int32_t>(nodes));
  std::vector<Fold> out(kFolds);
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (int64_t f = 0; f < kFolds; ++f) {
      auto& part = out[static_cast<size_t>(f)];
      (static_cast<int64_t>(i) % kFolds == f ? part.held_out : part.fit).push_back(nodes[i]);
    }
  }
  return out;
}

void copy_rows(const Matrix& from, std::span<const int32_t> nodes, Matrix& to) {
  for (const int32_t v : nodes) std::ranges::copy(from.row(v), to.row(v).begin());
}

// One way to score the classes of every node, that can be fitted on some of the training nodes.
struct Expert {
  std::function<Matrix(std::span<const int32_t>)> scores;
  double otherwise = 0;  // weight where there are too few labels to tell
};

// The scores of training nodes by experts that have not seen them.
Matrix held_out_scores(const Task& task, const Expert& expert) {
  Matrix scores(task.data.nodes(), task.data.classes);
  for (const Fold& fold : folds(task)) copy_rows(expert.scores(fold.fit), fold.held_out, scores);
  return scores;
}

std::vector<int32_t> guesses(const Task& task, const Matrix& scores) {
  std::vector<int32_t> group(static_cast<size_t>(task.data.nodes()));
  for (int64_t v = 0; v < task.data.nodes(); ++v) {
    const std::span<const Real> row = scores.row(v);
    group[static_cast<size_t>(v)] = static_cast<int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  for (const int32_t v : labeled(task)) group[static_cast<size_t>(v)] = task.data.labels[v];
  return group;
}

Counts release_counts(const char* line, const Task& task, std::span<const int32_t> group, int64_t groups,
                      Release& release) {
  auto noisy = release.discrete_laplace(line, bound::neighbor_counts(task.data.graph, group, groups, task.relation));
  const double scale = noisy.noise_scale();
  return {std::move(noisy).value(), scale};
}

// Whether neighbors share a class more often than chance has it, by what was released.
bool alike(const Counts& counts, std::span<const int32_t> group) {
  double all = 0, same = 0;
  std::vector<double> column(static_cast<size_t>(counts.noisy.cols()));
  for (int64_t v = 0; v < counts.noisy.rows(); ++v) {
    for (int64_t m = 0; m < counts.noisy.cols(); ++m) {
      const auto count = static_cast<double>(counts.noisy(v, m));
      all += count;
      column[static_cast<size_t>(m)] += count;
      if (group[static_cast<size_t>(v)] == m) same += count;
    }
  }
  if (all <= 0) return true;
  double chance = 0;
  for (const double c : column) chance += (c / all) * (c / all);
  return same / all - chance >= kAlike * (1 - chance);
}

nn::Tensor weights_tensor(const std::vector<double>& weights) {
  Matrix row(1, static_cast<int64_t>(weights.size()));
  for (size_t e = 0; e < weights.size(); ++e) row(0, static_cast<int64_t>(e)) = static_cast<Real>(weights[e]);
  return nn::to_tensor(row);
}

void add_with_prefix(const nn::State& from, const std::string& prefix, nn::State& to) {
  for (const auto& [name, tensor] : from) to.emplace(prefix + name, tensor);
}

nn::State without_prefix(const nn::State& from, const std::string& prefix) {
  nn::State out;
  for (const auto& [name, tensor] : from) {
    if (name.starts_with(prefix)) out.emplace(name.substr(prefix.size()), tensor);
  }
  return out;
}

// The classifier on features and one release of class counts: three experts and their weights.
struct Stage {
  std::vector<Matrix> scores;    // of the experts, on all nodes, fitted on all training nodes
  std::vector<Matrix> held_out;  // on training nodes, by experts that have not seen them
  std::vector<double> weights;
  nn::State saved;
};

constexpr double kNoPrior = 0;

struct Own {
  Matrix none;  // stands for the inputs that the features-only expert does not have
  nn::State state;
  Matrix scores, held_out;
};

Own own_features(const Fitting& f) {
  const Task& task = f.task;
  Own own{Matrix(task.data.nodes(), task.data.classes), {}, {}, {}};
  const auto scores = [&](std::span<const int32_t> nodes) {
    return log_probabilities(task, f.options.architecture, own.none,
                             fitted(f, own.none, kNoPrior, f.options.weight_decay, nodes));
  };
  const std::vector<int32_t> all = labeled(task);
  own.state = fitted(f, own.none, kNoPrior, f.options.weight_decay, all);
  own.scores = log_probabilities(task, f.options.architecture, own.none, own.state);
  if (static_cast<int64_t>(all.size()) >= kFewest) own.held_out = held_out_scores(task, {scores});
  return own;
}

Stage stage(const Fitting& f, const Own& own, const Counts& counts) {
  const Task& task = f.task;
  const Matrix inputs = shares(counts);
  const std::vector<int32_t> all = labeled(task);
  const Expert features{{}, 1};
  const Expert likelihood{[&](std::span<const int32_t> nodes) {
                            return CountLikelihood(counts.noisy, counts.scale, task.data.labels, nodes,
                                                   task.data.classes)
                                .scores(counts.noisy);
                          },
                          1};
  const auto fit_shares = [&](std::span<const int32_t> nodes) {
    return fitted(f, inputs, f.options.architecture.prior, f.options.weight_decay, nodes);
  };
  const Expert both{[&](std::span<const int32_t> nodes) {
                      return log_probabilities(task, f.options.architecture, inputs, fit_shares(nodes));
                    },
                    0};
  Stage out;
  const CountLikelihood fitted_likelihood(counts.noisy, counts.scale, task.data.labels, all, task.data.classes);
  const nn::State state = fit_shares(all);
  out.scores.push_back(own.scores.clone());
  out.scores.push_back(fitted_likelihood.scores(counts.noisy));
  out.scores.push_back(log_probabilities(task, f.options.architecture, inputs, state));
  if (static_cast<int64_t>(all.size()) >= kFewest) {
    out.held_out.push_back(own.held_out.clone());
    out.held_out.push_back(held_out_scores(task, likelihood));
    out.held_out.push_back(held_out_scores(task, both));
    out.weights = stack_weights(out.held_out, task.data.labels, all);
  } else {
    out.weights = {features.otherwise, likelihood.otherwise, both.otherwise};
  }
  add_with_prefix(state, "shares/", out.saved);
  out.saved.emplace("likelihood", nn::to_tensor(fitted_likelihood.priors()));
  out.saved.emplace("likelihood.width", nn::to_tensor(fitted_likelihood.width()));
  out.saved.emplace("weights", weights_tensor(out.weights));
  return out;
}

Matrix from_state(const nn::State& state, const std::string& name) {
  const auto found = state.find(name);
  if (found == state.end() || found->second.shape.size() != 2) {
    fail(ErrorKind::BadInput, "the model has no matrix '{}'", name);
  }
  Matrix out = Matrix::uninitialized(found->second.shape[0], found->second.shape[1]);
  nn::read_matrix(state, name, out);
  return out;
}

// A saved stage on another graph's counts.
Matrix apply_stage(const nn::State& saved, const Matrix& own_scores, const Counts& counts, const Task& task,
                   const CountOptions& options) {
  const Matrix inputs = shares(counts);
  const CountLikelihood likelihood(counts.scale, nn::read_number(saved, "likelihood.width"),
                                   from_state(saved, "likelihood"), task.data.classes);
  const Matrix weights = from_state(saved, "weights");
  std::vector<Matrix> scores;
  scores.push_back(own_scores.clone());
  scores.push_back(likelihood.scores(counts.noisy));
  scores.push_back(log_probabilities(task, options.architecture, inputs, without_prefix(saved, "shares/")));
  const std::vector<double> w(weights.row(0).begin(), weights.row(0).end());
  require(w.size() == scores.size(), "the model weighs {} classifiers, want {}", w.size(), scores.size());
  return stacked(scores, w);
}

int64_t bucket_count(const Task& task, const CountOptions& options) {
  const int64_t nodes = std::max<int64_t>(1, task.data.nodes());
  return std::clamp<int64_t>(std::min(kMostCells / nodes, nodes), 1, options.buckets);
}

// Adds two classifiers to the experts of `first`: on features and buckets, and on the buckets alone.
Matrix with_buckets(const Fitting& f, Stage& first, const Counts& buckets) {
  const Task& task = f.task;
  const Matrix inputs = bucket_inputs(buckets);
  graph::Dataset featureless = task.data;
  Matrix constant(task.data.nodes(), 1);
  std::ranges::fill(constant.values(), Real{1});
  featureless.features = graph::Features(std::move(constant));
  const Task alone{.data = featureless, .split = task.split, .relation = task.relation, .seed = task.seed};
  CountOptions longer = f.options;
  longer.steps *= kAloneSteps;
  const Fitting f_alone{alone, f.release, longer};
  const auto expert = [&inputs](const Fitting& g) {
    return Expert{[&inputs, &g](std::span<const int32_t> nodes) {
                    return log_probabilities(g.task, g.options.architecture, inputs,
                                             fitted(g, inputs, kNoPrior, kBucketDecay, nodes));
                  },
                  0};
  };
  const std::vector<int32_t> all = labeled(task);
  std::vector<double> weights = first.weights;
  for (const Expert& e : {expert(f), expert(f_alone)}) {
    weights.push_back(e.otherwise);
    first.scores.push_back(e.scores(all));
    if (static_cast<int64_t>(all.size()) >= kFewest) first.held_out.push_back(held_out_scores(task, e));
  }
  if (static_cast<int64_t>(all.size()) >= kFewest) weights = stack_weights(first.held_out, task.data.labels, all);
  return stacked(first.scores, weights);
}

int64_t rounds_at(double noise, bound::Relation relation, const CountOptions& options) {
  if (options.rounds > 0) return options.rounds;
  return noise * bound::neighbor_counts_sensitivity(relation) * kTwoRounds <= 1 ? 2 : 1;
}

}  // namespace

Plan counts_plan(double noise, bound::Relation relation, const CountOptions& options) {
  const bool two = rounds_at(noise, relation, options) == 2;
  const double sensitivity = bound::neighbor_counts_sensitivity(relation);
  const auto line = [&](const char* label, double share) {
    return mechanism::PlanLine{account::Event(label, account::DiscreteLaplace{noise / share}), sensitivity,
                               bound::Norm::L1, Reads::NeighborSum};
  };
  Plan plan;
  if (two) plan.add(line(kFirst, kFirstShare));
  plan.add(line(kCounts, two ? 1 - kFirstShare : 1));
  return plan;
}

bool counts_planned(const Plan& plan) {
  return std::ranges::any_of(plan.lines(), [](const mechanism::PlanLine& l) { return l.event.label() == kCounts; });
}

Output run_counts(const Task& task, Release& release, const CountOptions& options) {
  const Fitting f{task, release, options};
  const Own own = own_features(f);
  std::vector<int32_t> group = guesses(task, own.scores);
  nn::State model, kept;
  add_with_prefix(own.state, "own/", model);
  Matrix probabilities;
  Stage last;
  if (release.plan().lines().size() == 1) {
    last = stage(f, own, release_counts(kCounts, task, group, task.data.classes, release));
    probabilities = stacked(last.scores, last.weights);
  } else {
    const Counts counts = release_counts(kFirst, task, group, task.data.classes, release);
    Stage first = stage(f, own, counts);
    add_with_prefix(first.saved, "first/", model);
    const bool by_class =
        options.neighbors == Neighbors::Auto ? alike(counts, group) : options.neighbors == Neighbors::Alike;
    if (by_class) {
      group = guesses(task, stacked(first.scores, first.weights));
      last = stage(f, own, release_counts(kCounts, task, group, task.data.classes, release));
      probabilities = stacked(last.scores, last.weights);
    } else {
      const int64_t buckets = bucket_count(task, options);
      group = RandomStream(task.seed, "lap buckets").permutation(task.data.nodes());
      for (int32_t& g : group) g = static_cast<int32_t>(g % buckets);
      probabilities = with_buckets(f, first, release_counts(kCounts, task, group, buckets, release));
    }
  }
  add_with_prefix(last.saved, "last/", model);
  Public<nn::State> released(std::move(model), PublicData::under(release));
  return {std::move(released), predictions_for(std::move(probabilities), release), Holder<nn::State>(std::move(kept))};
}

Predictions infer_counts(const nn::State& model, const Task& task, Release& release, const CountOptions& options) {
  const Matrix none(task.data.nodes(), task.data.classes);
  const Matrix own = log_probabilities(task, options.architecture, none, without_prefix(model, "own/"));
  const nn::State first = without_prefix(model, "first/"), last = without_prefix(model, "last/");
  std::vector<int32_t> group = guesses(task, own);
  Matrix probabilities;
  if (!first.empty()) {
    const Counts counts = release_counts(kFirst, task, group, task.data.classes, release);
    probabilities = apply_stage(first, own, counts, task, options);
    group = guesses(task, probabilities);
  }
  const Counts counts = release_counts(kCounts, task, group, task.data.classes, release);
  // Buckets are of the training graph's own nodes: elsewhere the first release must do.
  if (!last.empty()) probabilities = apply_stage(last, own, counts, task, options);
  return predictions_for(std::move(probabilities), release);
}

}  // namespace graphveil::method
