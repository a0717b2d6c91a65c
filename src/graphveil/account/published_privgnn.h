// PrivGNN (Olatunji, Funke, Khosla 2023), as published.
#pragma once

#include <cstdint>

namespace graphveil::account {

// |Q| queries, each a Laplace release of scale 1/lambda at claimed sensitivity 1 on a Poisson sample of rate gamma:
// Renyi divergences of integer orders 2 to 32 and the classic conversion. Theorem 8 as printed has a factor 3 before
// the terms l >= 3; the paper's table follows from the bound without it, which is the exact divergence for Laplace
// noise. Does not hold: two posteriors differ by up to 2 in L1, and the code noises log-posteriors, where no finite
// epsilon does.
double published_privgnn_epsilon(int64_t queries, double sampling_rate, double inverse_scale, double delta);

// The largest lambda, up to 100, at which that is at most `epsilon`. Throws InvalidArgument when there is none.
double published_privgnn_inverse_scale(int64_t queries, double sampling_rate, double epsilon, double delta);

// Theorem 7, the paper's rough closed form (orders 2 and 3 only):
//   ln(1/sqrt(delta)) + |Q| ln(1 + gamma^2 (2/3 e^(1/beta) + 1/3 e^(-2/beta) - 1)),  beta = 1 / inverse_scale.
double published_privgnn_rough_epsilon(int64_t queries, double sampling_rate, double inverse_scale, double delta);

}  // namespace graphveil::account
