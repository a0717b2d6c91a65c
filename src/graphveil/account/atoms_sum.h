// The accountant by atoms: any ledger, right at every end, in tenths of a second.
#pragma once

#include "graphveil/account/loss_atoms.h"
#include "graphveil/account/summary.h"

namespace graphveil::account {

// The smallest epsilon provable at 0 < delta < 1, in both directions: the losses of all parts as atoms (base_atoms,
// nested samples by `sampled`), added by repeated doubling with plain sums of products. Nothing is transformed, so no
// term ever drowns in the rounding of another: rare huge losses beside many tiny ones keep all their digits. The number
// of atoms grows until epsilon no longer moves. +infinity where the losses are beyond kLargestAtom.
//
// Guarantee: never below the truth; every sum and share is rounded upward, the relative error of a mass (at most 4e-13
// a run) is added to delta.
double atoms_epsilon(const Summary& summary, double delta);

// How many different losses the whole may have; +infinity when some part has a continuous one or many runs.
double outcomes(const Summary& summary);
// Up to here atoms_epsilon is exact.
inline constexpr double kFewOutcomes = 3000;

// The smallest delta provable at epsilon >= 0, likewise.
double atoms_delta(const Summary& summary, double epsilon);

}  // namespace graphveil::account
