// LAP at edge level with whole-number noise: neighbors counted by class, or by public bucket, and what can be learned
// from the noisy counts.
#pragma once

#include <cstdint>
#include <optional>

#include "graphveil/method/lap/experts.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// What the last of several releases counts.
enum class Neighbors {
  Auto,    // as the first release says: alike, or not
  Alike,   // neighbors by class, guesses improved by the releases before
  Differ,  // neighbors by bucket: which ones, not of which class
};

struct CountOptions {
  SoftmaxOptions softmax = {};
  SoftmaxOptions last = {};                          // after the last release
  int64_t rounds = 0;                                // 0: by rule
  std::optional<double> mean_degree = std::nullopt;  // declared public
  Neighbors neighbors = Neighbors::Auto;
  int64_t buckets = 512;
};

// The lines `counts/1` .. `counts/R`, discrete Laplace of L1 sensitivity 1 or 2: a fifth of the budget for all but the
// last, four fifths for that. Pure epsilon 1 / noise in all. Without a wish there are two rounds where one edge may
// cost 3 or more (epsilon, or half of it for undirected edges), on graphs declared dense 1 or more; else one.
Plan counts_plan(double noise, bound::Relation relation, const CountOptions& options);
bool counts_planned(const Plan& plan);

// Guarantee: edge relations. Labels and features are public, so are groups named by them; later groups also read
// earlier releases (adaptive composition). All else is post-processing of the released counts: the denoising, the
// choice between classes and buckets, the classifiers, their weights, the predictions.
Output run_counts(const Task& task, Release& release, const CountOptions& options);
Predictions infer_counts(const nn::State& model, const Task& task, Release& release, const CountOptions& options);

}  // namespace graphveil::method
