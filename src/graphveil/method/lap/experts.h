// The classifiers of LAP at edge level: on features, on noisy counts of neighbors, on both; and how they are weighed.
// All of it reads public data and released counts: post-processing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/method/lap/network.h"
#include "graphveil/method/lap/training_nodes.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Released counts of neighbors: a row per node, a column per group.
struct Counts {
  IntegerMatrix<int64_t> noisy;
  double scale = 0;        // of the noise
  Ranks* ranks = nullptr;  // that have the other rows; null: all are here
};

struct SoftmaxOptions {
  LapArchitecture architecture = {};
  int64_t steps = 100;
  double learning_rate = 0.1;
  double weight_decay = 0.4;  // in nodes: divided by the number of training nodes
};

// What the classifiers are fitted on.
struct Fitting {
  const Task& task;
  const TrainingNodes& training;
  const Release& release;
  const SoftmaxOptions& options;
};

// One way to score the classes of every node.
struct Expert {
  Matrix scores;      // of all nodes, fitted on all training nodes
  Matrix held_out;    // of training nodes, by fits that have not seen them; empty where labels are too few for that
  nn::State saved;    // what apply_* needs on another graph
  double weight = 1;  // where labels are too few to tell
};

// What all of them do in so many rounds of counts by class, the counts themselves included.
Work experts_work(int64_t rounds, const SoftmaxOptions& options, const Setting& setting, const GraphSize& graph);

// Softmax on the features.
Expert features_expert(const Fitting& f);
Matrix apply_features(const nn::State& saved, const Task& task, const SoftmaxOptions& options);

// The score of class j is the sum over the groups of log p(count | class j) (learn::CountLikelihood). Groups are
// classes.
Expert likelihood_expert(const Fitting& f, const Counts& counts);
Matrix apply_likelihood(const nn::State& saved, const Task& task, const Counts& counts);

// Softmax on the features and E / (1 + row sum of E), E the expected counts. Groups are classes.
Expert shares_expert(const Fitting& f, const Counts& counts);
Matrix apply_shares(const nn::State& saved, const Task& task, const Counts& counts, const SoftmaxOptions& options);

// A small MLP on the scores of `features`, log(1 + E) and the logarithm of the degree: where neighbors differ in class,
// what a count says depends on the others. Groups are classes.
Expert mlp_expert(const Fitting& f, const Expert& features, const Counts& counts);
Matrix apply_mlp(const nn::State& saved, const Task& task, const Matrix& features, const Counts& counts);

// Softmax on log(1 + E), with the features or without. Groups may be anything; nothing is kept for other graphs.
Expert log_counts_expert(const Fitting& f, const Counts& counts, bool with_features);

// The weights that do best on held-out scores; those of the experts themselves where there are none.
std::vector<double> weights_of(const Fitting& f, std::span<const Expert> experts);
// softmax(weighted sum of the scores).
Matrix combined(std::span<const Expert> experts, std::span<const double> weights);

}  // namespace graphveil::method
