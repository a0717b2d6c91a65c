// Privacy-loss distributions on a lattice, never more private than what they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graphveil::account {

// The distribution of the loss ln(P/Q) under P: mass[i] at loss (first + i) * step, and `infinity` where Q has none.
struct LossDistribution {
  double step = 0;
  int64_t first = 0;
  std::vector<double> mass;
  double infinity = 0;

  double loss(size_t i) const { return static_cast<double>(first + static_cast<int64_t>(i)) * step; }
};

// Both directions of one release: `present` is ln(P/Q) under P (record present), `blank` is ln(Q/P) under Q.
struct LossPair {
  LossDistribution present, blank;
};

// Builds a LossPair from pieces of a pair of distributions.
//
// A piece on which the loss lies in [low, high], with mass p under P and q under Q, is replaced by two atoms, at loss
// low and at loss high, with the same total p and the same total q ("connect the dots"; Doroshenko, Ghazi, Kamath,
// Kumar, Manurangsi 2022). The hockey-stick divergence is convex in the ratio on the piece, and the two ends are the
// most spread distribution of the ratio with the given mean, so the result dominates the pair in both directions; the
// error is second order in the width. An atom between two lattice points is split the same way.
class LossPairBuilder {
 public:
  // Losses outside [low, high] are folded onto the ends or onto infinity, where a loss or a mass that is no number
  // counts too. Refuses a lattice that is none, or too long for memory.
  LossPairBuilder(double step, double low, double high);

  double step() const { return step_; }
  int64_t first() const { return first_; }                                             // index of the lowest point
  int64_t last() const { return first_ + static_cast<int64_t>(present_.size()) - 1; }  // and of the highest

  // A piece between two lattice points that are neighbors: loss in [k step, (k + 1) step]. p_error and q_error bound
  // the rounding errors of p and q; they are charged to the upper end.
  void add_cell(int64_t k, double p, double q, double p_error, double q_error);

  // The same with the differences that decide the split taken by the caller, who may know them to more digits:
  // up >= p - q e^(k step), down >= q - p e^(-(k+1) step).
  void add_split_cell(int64_t k, double p, double q, double up, double down);

  // A piece with loss in [low, high], anywhere.
  void add_piece(double low, double high, double p, double q, double p_error, double q_error);

  // One outcome with masses p and q and finite loss ln(p/q).
  void add_atom(double p, double q);

  // All outcomes with loss >= the last lattice point, or <= the first, by their total masses.
  void add_above(double p, double q);
  void add_below(double p, double q);

  // One atom of either direction's own distribution, at ln(P/Q) = loss.
  void add_present_at(double loss, double mass);
  void add_blank_at(double loss, double mass);

  // Mass seen under P only (or Q only): infinite loss.
  void add_present_infinity(double p) { present_infinity_ += p; }
  void add_blank_infinity(double q) { blank_infinity_ += q; }

  LossPair build() &&;

 private:
  double step_, spread_;  // spread = 1 - e^-step
  int64_t first_;
  std::vector<double> present_, blank_;  // by lattice index of ln(P/Q), both
  double present_infinity_ = 0, blank_infinity_ = 0;
};

}  // namespace graphveil::account
