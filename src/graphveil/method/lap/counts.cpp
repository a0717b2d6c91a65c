#include "graphveil/method/lap/counts.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/learn/stacking.h"
#include "graphveil/nn/metrics.h"

namespace graphveil::method {
namespace {

constexpr double kEarlyShare = 0.2;                 // of the budget, for all rounds but the last
constexpr double kTwoRounds = 3;                    // budget of one counted edge from which a second round pays
constexpr double kTwoRoundsDense = 1, kDense = 50;  // the same from this mean degree on
constexpr double kAlike = 0.2;      // how much more often than by chance neighbors share a class, to count classes
constexpr double kSlack = 1e-3;     // calibrated noise is a little above 1 / epsilon
constexpr int64_t kMlpLabels = 50;  // training nodes of each class, on average, that an MLP wants
constexpr int64_t kMostCells = int64_t{1} << 24;

std::string line(int64_t round) { return fmt::format("counts/{}", round); }
std::string prefix(int64_t round) { return fmt::format("round{}/", round); }

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

nn::Tensor weights_tensor(std::span<const double> weights) {
  Matrix row(1, static_cast<int64_t>(weights.size()));
  std::ranges::transform(weights, row.values().begin(), [](double w) { return static_cast<Real>(w); });
  return nn::to_tensor(row);
}

std::vector<double> read_weights(const nn::State& state, const std::string& name, size_t count) {
  Matrix row(1, static_cast<int64_t>(count));
  nn::read_matrix(state, name, row);
  return {row.values().begin(), row.values().end()};
}

// The class of every node: its label where it trains, else the likeliest one.
std::vector<int32_t> guesses(const Task& task, const Matrix& scores) {
  std::vector<int32_t> group = nn::predictions(scores);
  for (const int32_t v : labeled(task)) group[static_cast<size_t>(v)] = task.data.labels[v];
  return group;
}

std::vector<int32_t> buckets_of(const Task& task, int64_t buckets) {
  std::vector<int32_t> group = RandomStream(task.seed, "lap buckets").permutation(all_nodes(task));
  if (const graph::Partition* part = task.data.graph.partition()) {
    group = {group.begin() + part->begin, group.begin() + part->end};
  }
  for (int32_t& g : group) g = static_cast<int32_t>(g % buckets);
  return group;
}

int64_t bucket_count(const Task& task, const CountOptions& options) {
  const int64_t nodes = std::max<int64_t>(1, all_nodes(task));
  return std::clamp<int64_t>(std::min(kMostCells / nodes, nodes), 1, options.buckets);
}

Counts release_counts(int64_t round, const Task& task, std::span<const int32_t> group, int64_t groups,
                      Release& release) {
  auto noisy =
      release.discrete_laplace(line(round), bound::neighbor_counts(task.data.graph, group, groups, task.relation));
  const double scale = noisy.noise_scale();
  return {std::move(noisy).value(), scale, ranks_of(task)};
}

// Whether neighbors share a class more often than chance has it, by what was released.
bool alike(const Counts& counts, std::span<const int32_t> group) {
  // Whole numbers, which ranks add without error: all of them, those of a node's own group, and by column.
  std::vector<double> sums(2 + static_cast<size_t>(counts.noisy.cols()));
  double &all = sums[0], &same = sums[1];
  const std::span<double> column = std::span(sums).subspan(2);
  for (int64_t v = 0; v < counts.noisy.rows(); ++v) {
    for (int64_t m = 0; m < counts.noisy.cols(); ++m) {
      const auto count = static_cast<double>(counts.noisy(v, m));
      all += count;
      column[static_cast<size_t>(m)] += count;
      if (group[static_cast<size_t>(v)] == m) same += count;
    }
  }
  if (counts.ranks != nullptr) add_over(*counts.ranks, std::span(sums));
  if (all <= 0) return true;
  double chance = 0;
  for (const double c : column) chance += (c / all) * (c / all);
  return same / all - chance >= kAlike * (1 - chance);
}

int64_t rounds_at(double noise, bound::Relation relation, const CountOptions& options) {
  if (options.rounds > 0) return options.rounds;
  const double enough = options.mean_degree.value_or(0) >= kDense ? kTwoRoundsDense : kTwoRounds;
  return noise * bound::neighbor_counts_sensitivity(relation) * enough <= 1 + kSlack ? 2 : 1;
}

}  // namespace

Plan counts_plan(double noise, bound::Relation relation, const CountOptions& options) {
  const int64_t rounds = rounds_at(noise, relation, options);
  const double early = rounds == 1 ? 0 : kEarlyShare / static_cast<double>(rounds - 1);
  Plan plan;
  for (int64_t round = 1; round <= rounds; ++round) {
    const double share = round < rounds ? early : 1 - early * static_cast<double>(rounds - 1);
    plan.add(
        {account::Event(line(round), account::DiscreteLaplace{noise / share}), bound::neighbor_counts_bound(relation)});
  }
  return plan;
}

bool counts_planned(const Plan& plan) {
  return std::ranges::any_of(plan.lines(), [](const mechanism::PlanLine& l) { return l.event.label() == line(1); });
}

Output run_counts(const Task& task, Release& release, const CountOptions& options) {
  const TrainingNodes training(task);
  const Fitting before{task, training, release, options.softmax}, after{task, training, release, options.last};
  const auto rounds = static_cast<int64_t>(release.plan().lines().size());
  std::vector<Expert> experts;
  experts.push_back(features_expert(before));
  nn::State model;
  add_with_prefix(experts[0].saved, "features/", model);
  Matrix probabilities = combined(experts, std::vector<double>{1});
  const bool enough_for_mlp = training.count() >= kMlpLabels * task.data.classes;
  bool by_class = options.neighbors != Neighbors::Differ;
  for (int64_t round = 1; round <= rounds; ++round) {
    const Fitting& f = round < rounds ? before : after;
    const bool classes = round == 1 || round < rounds || by_class;
    const int64_t groups = classes ? task.data.classes : bucket_count(task, options);
    const std::vector<int32_t> group = classes ? guesses(task, probabilities) : buckets_of(task, groups);
    const Counts counts = release_counts(round, task, group, groups, release);
    if (round == 1 && options.neighbors == Neighbors::Auto) by_class = alike(counts, group);
    if (classes) {
      experts.push_back(likelihood_expert(f, counts));
      add_with_prefix(experts.back().saved, prefix(round) + "likelihood/", model);
      experts.push_back(shares_expert(f, counts));
      add_with_prefix(experts.back().saved, prefix(round) + "shares/", model);
      if (enough_for_mlp) {
        experts.push_back(mlp_expert(f, experts[0], counts));
        add_with_prefix(experts.back().saved, prefix(round) + "mlp/", model);
      }
    } else {
      experts.push_back(log_counts_expert(f, counts, true));
      experts.push_back(log_counts_expert(f, counts, false));
    }
    const std::vector<double> weights = weights_of(before, experts);
    // Buckets are of the training graph's own nodes: elsewhere the classes must do.
    if (classes) model.emplace(prefix(round) + "weights", weights_tensor(weights));
    probabilities = combined(experts, weights);
  }
  return {Public<nn::State>(std::move(model), PublicData::under(release)),
          predictions_for(std::move(probabilities), release)};
}

Predictions infer_counts(const nn::State& model, const Task& task, Release& release, const CountOptions& options) {
  const auto rounds = static_cast<int64_t>(release.plan().lines().size());
  std::vector<Matrix> scores;
  scores.push_back(apply_features(without_prefix(model, "features/"), task, options.softmax));
  Matrix probabilities = stacked(scores, std::vector<double>{1});
  for (int64_t round = 1; round <= rounds; ++round) {
    const std::vector<int32_t> group = guesses(task, probabilities);
    const Counts counts = release_counts(round, task, group, task.data.classes, release);
    const nn::State saved = without_prefix(model, prefix(round));
    if (saved.empty()) continue;  // trained on buckets
    scores.push_back(apply_likelihood(without_prefix(saved, "likelihood/"), task, counts));
    scores.push_back(apply_shares(without_prefix(saved, "shares/"), task, counts, options.softmax));
    const nn::State mlp = without_prefix(saved, "mlp/");
    if (!mlp.empty()) scores.push_back(apply_mlp(mlp, task, scores[0], counts));
    probabilities = stacked(scores, read_weights(saved, "weights", scores.size()));
  }
  return predictions_for(std::move(probabilities), release);
}

}  // namespace graphveil::method
