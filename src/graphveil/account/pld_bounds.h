// The privacy-loss distribution of every (mechanism, sampling) pair we have a proof for.
#pragma once

#include "graphveil/account/event.h"
#include "graphveil/account/loss_distribution.h"

namespace graphveil::account {

// Losses beyond this are treated as infinite: e^600 still fits a double.
inline constexpr double kLargestLoss = 600;

struct LossRange {
  double low, high;
};

// Where ln(P/Q) lies but for mass `tail` > 0 under P above and under Q below; within +-kLargestLoss.
// Throws Unsupported for a pair without a proof. The noise must not be zero.
LossRange loss_range(const Mechanism& mechanism, const Sampling& sampling, double tail);

// A lattice pair that dominates one run of the mechanism, for the pair (record present, record blank).
LossPair discretize(const Mechanism& mechanism, const Sampling& sampling, double step, double tail);

// The largest loss in either direction when it is bounded (then the mechanism is pure DP), else +infinity.
double largest_loss(const Mechanism& mechanism, const Sampling& sampling);

// poisson-group for Gaussian noise; see pld_group.cpp.
LossRange group_loss_range(double noise_multiplier, const PoissonGroup& group, double tail);
LossPair discretize_group(double noise_multiplier, const PoissonGroup& group, double step, double tail);

}  // namespace graphveil::account
