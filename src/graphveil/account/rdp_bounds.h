// Renyi divergences of every (mechanism, sampling) pair we have a proof for.
#pragma once

#include <cstdint>
#include <functional>

#include "graphveil/account/event.h"

namespace graphveil::account {

// Orders beyond this are not worth the length of their sums; the divergence of a sampled mechanism is then bounded by
// that of the unsampled one, which is larger (the divergence is convex in each argument).
inline constexpr double kHighestSampledOrder = 1024;

// An upper bound on the Renyi divergence of order `order` > 1 of one run, the larger of both directions. +infinity
// for zero noise. Throws Unsupported for a pair without a proof.
double rdp_bound(const Mechanism& mechanism, const Sampling& sampling, double order);

// The single formulas, all for order > 1 and sensitivity 1.
double rdp_gaussian(double noise_multiplier, double order);
double rdp_laplace(double noise_multiplier, double order);
double rdp_exponential(double range, double order);
double rdp_randomized_response(const RandomizedResponse& mechanism, double rate, double order);
double rdp_sampled_gaussian(double noise_multiplier, double rate, double order);
double rdp_group_gaussian(double noise_multiplier, const PoissonGroup& group, double order);

// Poisson-sampled Laplace and bounded-range mechanisms.
double rdp_sampled_laplace(double noise_multiplier, double rate, double order);
double rdp_sampled_exponential(double range, double rate, double order);

// A whole mechanism, whatever it is, on a Poisson sample, from its own divergences: `whole`, a function of the order,
// bounds both directions.
double rdp_sampled_whole(double rate, const std::function<double(double order)>& whole, double order);

// One step of node-level DP-GNN (Daigavane et al. 2021, Theorem 1): the number of touched samples in a batch of
// `batch` out of `population` is hypergeometric, and i of them move the sum by 2 i clip norms:
//   1/(a-1) ln E[exp(a (a-1) 2 rho^2 / s^2)],  rho ~ Hypergeometric(population, touched, batch).
// `noise_multiplier` s = sigma / C. Batches without replacement.
double rdp_hypergeometric_group(double noise_multiplier, int64_t population, int64_t touched, int64_t batch,
                                double order);

}  // namespace graphveil::account
