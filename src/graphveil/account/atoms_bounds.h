// The privacy-loss distribution of every supported (mechanism, sampling) pair as atoms; pld_bounds.h has them on a
// lattice. Here cells follow the mechanism's own variable, so that no rate or noise is too small.
#pragma once

#include "graphveil/account/loss_atoms.h"

namespace graphveil::account {

// Losses of a base mechanism beyond this count as infinite: e^705 still fits a double.
inline constexpr double kLargestAtom = 705;

// Dominates one run, in both directions. `tail` > 0: what may be cut off at each end, per run. The noise must not be
// zero. Throws Unsupported for a pair without a proof, or for a poisson-group too large to be computed.
AtomPair base_atoms(const Mechanism& mechanism, const Sampling& sampling, double tail);

// poisson-group for Gaussian noise; see atoms_group.cpp.
AtomPair group_atoms(double noise_multiplier, const PoissonGroup& group, double tail);

}  // namespace graphveil::account
