// Releases of which only zero-concentrated differential privacy is known.
#pragma once

#include "graphveil/account/loss_atoms.h"

namespace graphveil::account {

// A pair for a release of which only zCDP is known, `rho` > 0: the conversion of Canonne, Kamath, Steinke 2020 bounds
// delta(e) for every e; the true curve is convex in e^e, so it lies under the convex hull of the bound, which is the
// curve of a pair (Zhu, Dong, Wang 2022, Proposition 8).
AtomPair zcdp_atoms(double rho, double tail);

// ln of that bound on delta at any e >= 0, and the smallest e at 0 < delta < 1.
double zcdp_log_delta(double rho, double epsilon);
double zcdp_epsilon(double rho, double delta);

}  // namespace graphveil::account
