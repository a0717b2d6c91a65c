// LAP at edge level with whole-number noise: neighbors counted by class, or by public bucket, and what can be learned
// from the noisy counts.
#pragma once

#include <cstdint>

#include "graphveil/learn/fit.h"
#include "graphveil/method/lap/network.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// What the second release counts.
enum class Neighbors {
  Auto,    // as the first release says: alike, or not
  Alike,   // neighbors by class, guesses improved by the first release
  Differ,  // neighbors by bucket: which ones, not of which class
};

struct CountOptions {
  LapArchitecture architecture;
  int64_t steps = 100;
  double learning_rate = 0.1;
  double weight_decay = 0.4;  // in nodes: divided by the number of training nodes
  int64_t rounds = 0;         // 1 or 2; 0: by the noise
  Neighbors neighbors = Neighbors::Auto;
  int64_t buckets = 512;
};

// Lines `counts` (discrete Laplace, L1 sensitivity 1 or 2), and with two rounds `first-counts` before it, with a fifth
// of the budget: pure epsilon 1 / noise in all. Without a wish there are two rounds where one edge may cost 3 or more
// (epsilon, or half of it for undirected edges).
Plan counts_plan(double noise, bound::Relation relation, const CountOptions& options);
bool counts_planned(const Plan& plan);

// Guarantee: edge relations. Labels and features are public, so are groups named by them; the second release's groups
// read the first one's outcome (adaptive composition). All else is post-processing of the released counts: the
// denoising, the choice between classes and buckets, the classifiers, their weights, the predictions.
Output run_counts(const Task& task, Release& release, const CountOptions& options);
Predictions infer_counts(const nn::State& model, const Task& task, Release& release, const CountOptions& options);

}  // namespace graphveil::method
