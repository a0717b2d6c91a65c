// The privacy-loss-distribution accountant.
#pragma once

#include <vector>

#include "graphveil/account/summary.h"

namespace graphveil::account {

// The smallest epsilon provable for the composition at 0 < delta < 1, in both directions: the loss distribution of
// every release is put on a lattice that dominates it, fine enough for a relative error of about 1e-4 in epsilon, and
// their sum is taken by Fourier transform (LossSum, TiltedSum). +infinity where the losses are beyond kLargestLoss.
// Every release must have noise and count >= 1; throws Unsupported for a pair without a proof.
double pld_epsilon(const std::vector<EqualRuns>& releases, double delta);

// The same, and whether it is known to be close: a lattice twice as coarse says nearly the same, and the errors of the
// transform take next to nothing of delta. It is an upper bound either way.
struct PldAnswer {
  double epsilon;
  bool sharp;
};
PldAnswer pld_answer(const std::vector<EqualRuns>& releases, double delta);

// The smallest delta provable at epsilon >= 0.
double pld_delta(const std::vector<EqualRuns>& releases, double epsilon);

}  // namespace graphveil::account
