// How good predictions are, and whether they say more than one answer for everybody would.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/nn/metrics.h"
#include "graphveil/run/parts.h"
#include "graphveil/run/settings.h"

namespace graphveil::run {

// The most frequent label of the test nodes, and how the model does against whoever answers it for everybody.
struct Majority {
  int32_t label = 0;
  double share = 0;  // of the test nodes that have it
  // The chance of the model's lead by luck: among the test nodes where exactly one of the two is right, each is as
  // likely (a sign test). That the label was picked on the test nodes speaks for the majority.
  double luck = 1;

  // Whether the model counts as better: its lead is luck with a chance of at most kLuck.
  static constexpr double kLuck = 0.05;
  bool beaten() const { return luck <= kLuck; }
};

// Read off the labels of the test nodes: for the data holder, where those are private.
struct Evaluation {
  double test_accuracy = 0;
  double val_accuracy = 0;
  double train_accuracy = 0;
  // Of the test nodes.
  double macro_f1 = 0;
  double weighted_f1 = 0;
  double balanced_accuracy = 0;      // the mean of the recalls of the classes that occur
  std::optional<Majority> majority;  // none: no test node has a label
  std::vector<nn::ClassScores> classes;
  std::vector<std::vector<int64_t>> confusion;  // [label][prediction]
  std::optional<double> roc_auc;                // where there are two classes and both occur

  // Classes that some test node has and no test node was predicted to have.
  std::vector<int32_t> never_predicted() const;
};
Evaluation evaluate(const Parts& parts, const Matrix& probabilities);

// One number for these nodes, the larger the better: what a search goes by. `auto` is accuracy; ROC AUC of nodes that
// are all of one class is one half.
double judged_by(Metric metric, const graph::Dataset& data, const Matrix& probabilities,
                 std::span<const int32_t> nodes);

}  // namespace graphveil::run
