// DPAR (Zhang et al. 2024), as published.
//
// Its pieces: one row of the private PageRank matrix costs a row epsilon (Corollary 1, or the classic Gaussian
// mechanism); M rows are composed by the formula it takes from Kairouz, Oh and Viswanath; DP-SGD and the rows are
// added; and sampling the nodes first at rate q' multiplies everything by q'.
// None of this holds as used: rows move by sqrt(2) times the clip norm, the gradient's sensitivity is a column's count
// of non-zeros and not its L1 norm, and sampling gives ln(1 + q' (e^epsilon - 1)), not q' epsilon.
#pragma once

#include <cstdint>

namespace graphveil::account {

// Corollary 1: picking the top K of one row by Gumbel noise of scale C2 / e costs, at delta,
//   2 min{ K e, K e tanh(e) + e sqrt(2 K ln(1/delta)) }.
double published_dpar_selection_epsilon(double gumbel_epsilon, int64_t picks, double delta);

// The e at which Corollary 1 gives this row epsilon.
double published_dpar_gumbel_epsilon(double row_epsilon, int64_t picks, double delta);

// Algorithm 3: noise deviation over clip norm C1 for one row, sqrt(2 ln(1.25/delta)) / epsilon.
double published_dpar_gaussian_noise(double row_epsilon, double row_delta);
double published_dpar_gaussian_epsilon(double noise_multiplier, double row_delta);

// Theorems 1 and 3: row epsilon = E / (2 sqrt(M ln(e + E / D))) for M rows with total (E, D); each row then has
// delta = D / (2M). And the total epsilon E for a given row epsilon.
double published_dpar_row_epsilon(double total_epsilon, double total_delta, int64_t rows);
double published_dpar_rows_epsilon(double row_epsilon, double total_delta, int64_t rows);

// Theorem 2, DP-SGD part: sigma = c2 q tau sqrt(T ln(1/delta)) / epsilon with batch rate q = B/N, column L1 norms at
// most tau; the proof's two conditions give c2 = 2.
double published_dpar_sgd_epsilon(double noise_multiplier, double batch_rate, double column_norm, int64_t steps,
                                  double delta);
double published_dpar_sgd_noise(double epsilon, double batch_rate, double column_norm, int64_t steps, double delta);

// Theorem 2: both parts added and multiplied by the node sampling rate q'.
struct PublishedBudget {
  double epsilon, delta;
};
PublishedBudget published_dpar_total(const PublishedBudget& pagerank, const PublishedBudget& sgd, double node_rate);

}  // namespace graphveil::account
