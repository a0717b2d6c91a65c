// Privacy-loss distributions as atoms anywhere on the line: slower than a lattice, right at every end.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "graphveil/account/event.h"

namespace graphveil::account {

// The distribution of the loss ln(P/Q) under P: mass[i] at loss[i], ascending, and `infinity` where Q has none.
struct AtomLoss {
  std::vector<double> loss, mass;
  double infinity = 0;

  size_t size() const { return loss.size(); }
  void add(double at, double p) {
    loss.push_back(at);
    mass.push_back(p);
  }
};

// Both directions of one release, each dominating: `present` is ln(P/Q) under P (record present), `blank` is ln(Q/P)
// under Q.
struct AtomPair {
  AtomLoss present, blank;
};

// Where precision is wanted: what one unit of mass at each atom's loss x adds to the delta that is asked for, D(x), up
// to a factor. Splitting an atom between two neighbors replaces D(x) by the chord between them, so points are placed
// where chord and curve part. It affects accuracy, never soundness.
using Importance = std::function<std::vector<double>(const AtomLoss& atoms)>;

// Sorts, and joins atoms at equal losses. With a loss or a mass that is no number nothing is known: all is infinite.
AtomLoss sorted(AtomLoss atoms);

// At most `most` atoms, on a subset of the old positions that holds the lowest and the highest: an atom between two
// kept ones is split between them so that its masses under P and under Q stay ("connect the dots", see
// loss_distribution.h), which dominates.
AtomLoss thinned(const AtomLoss& atoms, size_t most, const Importance& importance);

// The loss of two independent releases, with at most `most` atoms: exact while all sums fit, else split as above onto a
// grid chosen by importance, whose ends are the true ends. `of_a` and `of_b` say where each of the two matters.
AtomLoss composed(const AtomLoss& a, const AtomLoss& b, size_t most, const Importance& importance,
                  const Importance& of_a, const Importance& of_b);

// The pair of ((1 - rate) Q + rate P, Q): the mechanism run on a Poisson sample (Zhu, Dong, Wang 2022, Theorem 11).
// The hockey-stick curve after sampling is an increasing function of the one before, in each direction, so a pair that
// dominates goes over into one that dominates.
AtomPair sampled(const AtomPair& whole, double rate);

// delta(e) = E[(1 - e^(e - L))+], and the smallest e >= 0 at which it is at most `delta`, exact for the atoms but for
// rounding (upward by a factor 1 + slack on delta).
double atoms_delta(const AtomLoss& atoms, double epsilon, double slack);
double atoms_epsilon(const AtomLoss& atoms, double delta, double slack);

}  // namespace graphveil::account
