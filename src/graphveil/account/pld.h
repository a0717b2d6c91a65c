// The privacy-loss-distribution accountant.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/account/event.h"

namespace graphveil::account {

// Equal releases, added together: what a ledger comes down to.
struct Release {
  Mechanism mechanism;
  Sampling sampling;
  int64_t count;
};

// The smallest epsilon provable for the composition at 0 < delta < 1, in both directions: the loss distribution of
// every release is put on a lattice that dominates it, fine enough for a relative error of about 1e-4 in epsilon, and
// their sum is taken by Fourier transform (LossSum, TiltedSum). +infinity where the losses are beyond kLargestLoss.
// Every release must have noise and count >= 1; throws Unsupported for a pair without a proof.
double pld_epsilon(const std::vector<Release>& releases, double delta);

// The smallest delta provable at epsilon >= 0.
double pld_delta(const std::vector<Release>& releases, double epsilon);

}  // namespace graphveil::account
