// Node-level DP-GNN (Daigavane et al. 2021), as published.
#pragma once

#include <cstdint>

namespace graphveil::account {

struct DpGnnSetting {
  int64_t training_nodes = 0;  // N
  int64_t batch_size = 0;      // m, drawn without replacement
  int64_t max_degree = 0;      // K
  int64_t layers = 1;          // r
  int64_t steps = 0;           // T
};

// N(K, r) = 1 + K + ... + K^r: subgraphs one node can occur in.
int64_t dpgnn_occurrences(int64_t max_degree, int64_t layers);

// Theorem 1 composed over the steps and converted over the orders of the paper's code, 1.1, 1.2, ..., 9.9.
// noise_multiplier = sigma / C, C the clip norm of one subgraph's gradient.
// Does not hold for noise split over layers (sqrt L), thresholds read off private gradients, batches with replacement.
double published_dpgnn_epsilon(const DpGnnSetting& setting, double noise_multiplier, double delta);

// The most steps, up to `most`, that cost no more than epsilon by that bound; 0 when one step costs more.
// `setting.steps` is not read.
int64_t published_dpgnn_steps(DpGnnSetting setting, double noise_multiplier, double epsilon, double delta,
                              int64_t most);

}  // namespace graphveil::account
