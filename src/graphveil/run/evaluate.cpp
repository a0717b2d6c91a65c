#include "graphveil/run/evaluate.h"

#include <algorithm>

#include "graphveil/base/parallel.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::run {
namespace {

constexpr int64_t kNodesAtOnce = 16384;

// Predictions and labels of some nodes.
struct Judged {
  std::vector<int32_t> predicted, labels;
};

Judged judged(const graph::Dataset& data, const std::vector<int32_t>& predicted, std::span<const int32_t> nodes) {
  Judged out{std::vector<int32_t>(nodes.size()), std::vector<int32_t>(nodes.size())};
  parallel_for(std::ssize(nodes), kNodesAtOnce, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      out.predicted[i] = predicted[nodes[i]];
      out.labels[i] = data.labels[nodes[i]];
    }
  });
  return out;
}

double accuracy_of(const Judged& nodes) { return nn::accuracy(nodes.predicted, nodes.labels); }

// Of class 1 against class 0.
std::optional<double> roc_auc_of(const graph::Dataset& data, const Matrix& probabilities,
                                 std::span<const int32_t> nodes) {
  if (data.classes != 2) return std::nullopt;
  std::vector<double> scores;
  std::vector<uint8_t> positive;
  for (const int32_t v : nodes) {
    const int32_t label = data.labels[v];
    if (label == graph::kUnlabeled) continue;
    scores.push_back(probabilities(v, 1));
    positive.push_back(label == 1);
  }
  const auto ones = std::count(positive.begin(), positive.end(), uint8_t{1});
  if (ones == 0 || ones == std::ssize(positive)) return std::nullopt;
  return nn::auc(scores, positive);
}

std::optional<Majority> majority_of(const Judged& test, const std::vector<nn::ClassScores>& classes) {
  const auto largest =
      std::max_element(classes.begin(), classes.end(), [](const auto& a, const auto& b) { return a.nodes < b.nodes; });
  if (largest == classes.end() || largest->nodes == 0) return std::nullopt;
  Majority out{.label = static_cast<int32_t>(largest - classes.begin())};
  int64_t all = 0, model_alone = 0, majority_alone = 0;
  for (size_t i = 0; i < test.labels.size(); ++i) {
    if (test.labels[i] == graph::kUnlabeled) continue;
    ++all;
    const bool model = test.predicted[i] == test.labels[i], constant = test.labels[i] == out.label;
    model_alone += model && !constant;
    majority_alone += constant && !model;
  }
  out.share = static_cast<double>(largest->nodes) / static_cast<double>(all);
  out.luck = nn::lead_by_luck(model_alone, majority_alone);
  return out;
}

}  // namespace

std::vector<int32_t> Evaluation::never_predicted() const {
  std::vector<int32_t> out;
  for (size_t k = 0; k < confusion.size(); ++k) {
    const bool said = std::any_of(confusion.begin(), confusion.end(), [&](const auto& row) { return row[k] > 0; });
    if (!said && classes[k].nodes > 0) out.push_back(static_cast<int32_t>(k));
  }
  return out;
}

Evaluation evaluate(const Parts& parts, const Matrix& probabilities) {
  const std::vector<int32_t> predicted = nn::predictions(probabilities);
  const graph::Dataset& data = parts.evaluated;
  const graph::Split& split = parts.evaluated_split;
  Evaluation out;
  const Judged test = judged(data, predicted, split.test);
  out.test_accuracy = accuracy_of(test);
  out.val_accuracy = accuracy_of(judged(data, predicted, split.val));
  out.train_accuracy = accuracy_of(judged(data, predicted, split.train));
  out.macro_f1 = nn::macro_f1(test.predicted, test.labels, data.classes);
  out.weighted_f1 = nn::weighted_f1(test.predicted, test.labels, data.classes);
  out.balanced_accuracy = nn::balanced_accuracy(test.predicted, test.labels, data.classes);
  out.classes = nn::class_scores(test.predicted, test.labels, data.classes);
  out.confusion = nn::confusion(test.predicted, test.labels, data.classes);
  out.majority = majority_of(test, out.classes);
  out.roc_auc = roc_auc_of(data, probabilities, split.test);
  return out;
}

double judged_by(Metric metric, const graph::Dataset& data, const Matrix& probabilities,
                 std::span<const int32_t> nodes) {
  constexpr double kNoOrder = 0.5;
  if (metric == Metric::RocAuc) return roc_auc_of(data, probabilities, nodes).value_or(kNoOrder);
  const Judged all = judged(data, nn::predictions(probabilities), nodes);
  switch (metric) {
    case Metric::F1: return nn::macro_f1(all.predicted, all.labels, data.classes);
    case Metric::Balanced: return nn::balanced_accuracy(all.predicted, all.labels, data.classes);
    case Metric::Auto:
    case Metric::Accuracy:
    case Metric::RocAuc: break;
  }
  return accuracy_of(all);
}

}  // namespace graphveil::run
