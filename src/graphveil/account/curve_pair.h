// Pairs of distributions made from bounds on their privacy curve.
#pragma once

#include <functional>
#include <vector>

#include "graphveil/account/loss_atoms.h"

namespace graphveil::account {

// A bound on a curve. For e >= 0 delta(e) <= delta; for e < 0 the delta of the other direction at -e is at most that,
// which says 1 - delta(e) >= e^e (1 - delta), with all its digits where delta(e) is near 1.
struct CurvePoint {
  double e, delta;
};

// The distribution of a loss whose curve delta(e) = E[(1 - e^(e - L))+] is the lower convex hull, in e^e, of the
// points, ascending in e, 0 among them, and no smaller anywhere than any curve below all of them. A curve is convex in
// e^e, so it lies below the hull of bounds on it; and every such hull is the curve of a pair (Zhu, Dong, Wang 2022,
// Proposition 8). Left of the first point the curve is 1 - e^e at best; what is left at the last one counts as
// infinite.
AtomLoss atoms_of_curve(const std::vector<CurvePoint>& points);

// A pair that dominates what `pair` dominates, given that moreover delta_bound(e), e >= 0, bounds the delta of either
// direction: the pair of the lower one of both curves. `pure` bounds the losses, or is +infinity. The pair itself where
// nothing is gained.
AtomPair lowered(const AtomPair& pair, const std::function<double(double)>& delta_bound, double pure);

}  // namespace graphveil::account
