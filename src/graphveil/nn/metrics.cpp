#include "graphveil/nn/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graphveil/base/error.h"
#include "graphveil/base/student_t.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::nn {
namespace {

void check_lengths(std::span<const int32_t> predicted, std::span<const int32_t> labels) {
  require(predicted.size() == labels.size(), "{} predictions for {} labels", predicted.size(), labels.size());
}

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct ClassCounts {
  int64_t hit = 0, predicted = 0, labeled = 0;
};

std::vector<ClassCounts> count(std::span<const int32_t> predicted, std::span<const int32_t> labels, int32_t classes) {
  check_lengths(predicted, labels);
  require(classes >= 1, "{} classes, want at least 1", classes);
  std::vector<ClassCounts> counts(static_cast<size_t>(classes));
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0) continue;
    require(labels[i] < classes && predicted[i] >= 0 && predicted[i] < classes,
            "label {} or prediction {} of {} classes", labels[i], predicted[i], classes);
    ++counts[static_cast<size_t>(labels[i])].labeled;
    ++counts[static_cast<size_t>(predicted[i])].predicted;
    if (labels[i] == predicted[i]) ++counts[static_cast<size_t>(labels[i])].hit;
  }
  return counts;
}

// Places from the highest score down; checks that both kinds occur.
std::vector<size_t> ranking(std::span<const double> scores, std::span<const uint8_t> positive, int64_t& positives) {
  require(scores.size() == positive.size(), "{} scores for {} truths", scores.size(), positive.size());
  for (const double score : scores) require(!std::isnan(score), "a score is not a number");
  positives = std::count_if(positive.begin(), positive.end(), [](uint8_t p) { return p != 0; });
  require(positives > 0 && positives < static_cast<int64_t>(positive.size()), "{} positives among {}, want both kinds",
          positives, positive.size());
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  return order;
}

}  // namespace

std::vector<int32_t> predictions(ConstMatrixView scores) {
  std::vector<int32_t> best(static_cast<size_t>(scores.rows));
  if (scores.rows > 0) kernels::row_argmax(scores, best);
  return best;
}

double accuracy(std::span<const int32_t> predicted, std::span<const int32_t> labels) {
  check_lengths(predicted, labels);
  int64_t hits = 0, counted = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0) continue;
    ++counted;
    hits += predicted[i] == labels[i] ? 1 : 0;
  }
  return share(hits, counted);
}

std::vector<double> per_class_accuracy(std::span<const int32_t> predicted, std::span<const int32_t> labels,
                                       int32_t classes) {
  std::vector<double> shares;
  for (const ClassCounts& c : count(predicted, labels, classes)) shares.push_back(share(c.hit, c.labeled));
  return shares;
}

double macro_f1(std::span<const int32_t> predicted, std::span<const int32_t> labels, int32_t classes) {
  double sum = 0;
  int64_t present = 0;
  for (const ClassCounts& c : count(predicted, labels, classes)) {
    if (c.labeled + c.predicted == 0) continue;
    ++present;
    sum += share(2 * c.hit, c.labeled + c.predicted);  // 2 tp / (2 tp + fp + fn)
  }
  return present == 0 ? 0 : sum / static_cast<double>(present);
}

double weighted_f1(std::span<const int32_t> predicted, std::span<const int32_t> labels, int32_t classes) {
  double sum = 0;
  int64_t nodes = 0;
  for (const ClassScores& c : class_scores(predicted, labels, classes)) {
    sum += c.f1 * static_cast<double>(c.nodes);
    nodes += c.nodes;
  }
  return nodes == 0 ? 0 : sum / static_cast<double>(nodes);
}

double balanced_accuracy(std::span<const int32_t> predicted, std::span<const int32_t> labels, int32_t classes) {
  double sum = 0;
  int64_t present = 0;
  for (const ClassCounts& c : count(predicted, labels, classes)) {
    if (c.labeled == 0) continue;
    ++present;
    sum += share(c.hit, c.labeled);
  }
  return present == 0 ? 0 : sum / static_cast<double>(present);
}

std::vector<ClassScores> class_scores(std::span<const int32_t> predicted, std::span<const int32_t> labels,
                                      int32_t classes) {
  std::vector<ClassScores> scores;
  for (const ClassCounts& c : count(predicted, labels, classes)) {
    scores.push_back(
        {share(c.hit, c.predicted), share(c.hit, c.labeled), share(2 * c.hit, c.labeled + c.predicted), c.labeled});
  }
  return scores;
}

std::vector<std::vector<int64_t>> confusion(std::span<const int32_t> predicted, std::span<const int32_t> labels,
                                            int32_t classes) {
  count(predicted, labels, classes);  // checks the ranges
  std::vector<std::vector<int64_t>> counts(static_cast<size_t>(classes),
                                           std::vector<int64_t>(static_cast<size_t>(classes), 0));
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) ++counts[labels[i]][predicted[i]];
  }
  return counts;
}

double auc(std::span<const double> scores, std::span<const uint8_t> positive) {
  int64_t positives = 0;
  const std::vector<size_t> order = ranking(scores, positive, positives);
  // Walk down; a group of equal scores has its positives beat the negatives below it and half of its own.
  double wins = 0;
  auto negatives_left = static_cast<double>(static_cast<int64_t>(order.size()) - positives);
  const double pairs = negatives_left * static_cast<double>(positives);
  for (size_t i = 0; i < order.size();) {
    double group_positives = 0, group_negatives = 0;
    const double score = scores[order[i]];
    for (; i < order.size() && scores[order[i]] == score; ++i) {
      (positive[order[i]] != 0 ? group_positives : group_negatives) += 1;
    }
    negatives_left -= group_negatives;
    wins += group_positives * (negatives_left + group_negatives / 2);
  }
  return wins / pairs;
}

double tpr_at_fpr(std::span<const double> scores, std::span<const uint8_t> positive, double max_fpr) {
  require(max_fpr >= 0 && max_fpr <= 1, "false-positive rate is {}, want 0 to 1", max_fpr);
  int64_t positives = 0;
  const std::vector<size_t> order = ranking(scores, positive, positives);
  const int64_t negatives = static_cast<int64_t>(order.size()) - positives;
  int64_t true_positives = 0, false_positives = 0, best = 0;
  for (size_t i = 0; i < order.size();) {
    const double score = scores[order[i]];
    for (; i < order.size() && scores[order[i]] == score; ++i) {
      ++(positive[order[i]] != 0 ? true_positives : false_positives);
    }
    if (share(false_positives, negatives) <= max_fpr) best = true_positives;
  }
  return share(best, positives);
}

double lead_by_luck(int64_t wins, int64_t losses) {
  require(wins >= 0 && losses >= 0, "{} wins and {} losses, want no negative number", wins, losses);
  const auto all = static_cast<double>(wins + losses);
  const double log_all = std::lgamma(all + 1) - all * std::log(2.0);
  double chance = 0;
  for (int64_t i = wins; i <= wins + losses; ++i) {
    const auto k = static_cast<double>(i);
    const double term = std::exp(log_all - std::lgamma(k + 1) - std::lgamma(all - k + 1));
    chance += term;
    // Beyond the middle terms fall ever faster.
    if (2 * k > all && term < 1e-18 * chance) break;
  }
  return std::min(1.0, chance);
}

MeanInterval mean_interval(std::span<const double> values) {
  require(!values.empty(), "there are no values to take the mean of");
  const auto n = static_cast<double>(values.size());
  MeanInterval result;
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() == 1) return result;
  double squares = 0;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  result.std = std::sqrt(squares / (n - 1));
  const double half = student_t_quantile(0.95, static_cast<int64_t>(values.size()) - 1) * result.std / std::sqrt(n);
  result.low = result.mean - half;
  result.high = result.mean + half;
  return result;
}

}  // namespace graphveil::nn
