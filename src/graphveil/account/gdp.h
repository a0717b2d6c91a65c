// Gaussian differential privacy: exact for Gaussian noise without sampling.
#pragma once

namespace graphveil::account {

// Releases with L2 sensitivity 1 and noise s_1, ..., s_k compose to exactly one of mu = sqrt(sum 1 / s_i^2): the pair
// N(mu, 1) against N(0, 1) (Dong, Roth, Su 2022, Corollary 3.3), whose privacy curve (Balle and Wang 2018, Theorem 8)
// is
//   delta(e) = Phi(-e / mu + mu / 2) - e^e Phi(-e / mu - mu / 2).
// mu >= 0, +infinity allowed. Results are rounded up.
double gdp_delta(double mu, double epsilon);

// The smallest epsilon >= 0 with gdp_delta(mu, epsilon) <= delta; +infinity for delta = 0 < mu.
double gdp_epsilon(double mu, double delta);

// The largest mu with gdp_epsilon(mu, delta) <= epsilon, for epsilon >= 0 and 0 < delta < 1: calibration in closed
// form. Noise for sensitivity d and k releases: d sqrt(k) / mu.
double gdp_mu(double epsilon, double delta);

}  // namespace graphveil::account
