// How good predictions are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::nn {

// The column of the largest score of each row, the first among equals.
std::vector<int32_t> predictions(ConstMatrixView scores);

// Labels below 0 do not count anywhere here. Shares of nothing are 0.
double accuracy(std::span<const int32_t> predicted, std::span<const int32_t> labels);
// The share of the nodes of each class that is predicted right.
std::vector<double> per_class_accuracy(std::span<const int32_t> predicted, std::span<const int32_t> labels,
                                       int32_t classes);
// The mean over the classes that occur (in labels or predictions) of 2 tp / (2 tp + fp + fn), as scikit-learn.
double macro_f1(std::span<const int32_t> predicted, std::span<const int32_t> labels, int32_t classes);
// The mean over the labeled nodes of the f1 of their class, as scikit-learn.
double weighted_f1(std::span<const int32_t> predicted, std::span<const int32_t> labels, int32_t classes);

// The mean over the classes that occur in labels of the share of their nodes that is predicted right, as scikit-learn.
double balanced_accuracy(std::span<const int32_t> predicted, std::span<const int32_t> labels, int32_t classes);

struct ClassScores {
  double precision = 0;  // of the nodes predicted so, the share that is
  double recall = 0;     // of the nodes that are so, the share predicted
  double f1 = 0;
  int64_t nodes = 0;  // that are so
};
std::vector<ClassScores> class_scores(std::span<const int32_t> predicted, std::span<const int32_t> labels,
                                      int32_t classes);
// counts[label][prediction].
std::vector<std::vector<int64_t>> confusion(std::span<const int32_t> predicted, std::span<const int32_t> labels,
                                            int32_t classes);

// The probability that a random positive scores above a random negative, ties counting half. Wants both kinds.
double auc(std::span<const double> scores, std::span<const uint8_t> positive);
// The largest true-positive rate of a threshold whose false-positive rate is at most `max_fpr`. Wants both kinds.
double tpr_at_fpr(std::span<const double> scores, std::span<const uint8_t> positive, double max_fpr);

// The chance that of wins + losses fair coins at least `wins` fall for us: how likely such a lead is by luck alone. 1
// for none. Wants no negative number.
double lead_by_luck(int64_t wins, int64_t losses);

struct MeanInterval {
  double mean = 0;
  double std = 0;                   // of the values, with n - 1
  std::optional<double> low, high;  // 95% interval of the mean by Student's t; none for one value
};

// Over repeats; at least one value.
MeanInterval mean_interval(std::span<const double> values);

}  // namespace graphveil::nn
