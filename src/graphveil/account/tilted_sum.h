// Sums of many privacy losses, as a distribution that is sharp where the answer lies.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/account/loss_distribution.h"

namespace graphveil::account {

// A loss distribution and how many independent copies of it are added. Borrowed, not owned.
struct LossTerm {
  const LossDistribution* loss;
  double count;
};

// Log-moment generating function K(t) = ln E[e^(tL); L finite] of a sum L of losses on one lattice, and derivatives.
struct Cumulants {
  double value, mean, variance;
};

class LossSum {
 public:
  explicit LossSum(std::vector<LossTerm> terms);

  double step() const { return step_; }
  double count() const { return count_; }        // copies in all
  double infinity() const { return infinity_; }  // P(L = infinity)
  Cumulants cumulants(double t) const;

  // The t > 0 at which the tilted mean K'(t) is about the epsilon that belongs to delta: where Chernoff's bound on
  // delta (Canonne, Kamath, Steinke 2020) is best, K(t) - t K'(t) - ln(1 + t) = ln delta. And the t at which K'(t) =
  // epsilon. Approximate: the choice of a tilt affects accuracy, never soundness. The search begins at `start`, or at a
  // guess for 0.
  double tilt_for_delta(double delta, double start = 0) const;
  double tilt_for_epsilon(double epsilon, double start = 0) const;

  // ln of Chernoff's bound on delta(epsilon) from K(t): e^(K(t) - t epsilon) (t / (1 + t))^t / (1 + t).
  static double log_delta_bound(double log_moment, double t, double epsilon);

 private:
  friend class TiltedSum;
  double scale() const;  // a standard deviation, the natural unit of 1/t

  std::vector<LossTerm> terms_;
  double step_, count_, infinity_;
};

// The distribution of L with each mass multiplied by e^(tilt L) / E[e^(tilt L)], so that the tail where epsilon lies
// becomes the middle. Computed by one Fourier transform over a window of losses.
//
// Why it is sound: the transform gives circular sums, which only add mass to a point of the window; mass above the
// window is bounded by Chernoff; the error of the transforms is bounded in the Euclidean norm and multiplied by the
// norm of the weights it meets (Cauchy-Schwarz). All three are added to delta.
class TiltedSum {
 public:
  static constexpr size_t kLongestWindow = size_t{1} << 21;

  TiltedSum(const LossSum& sum, double tilt);

  // The smallest epsilon in the window (not below its lower end) with delta(epsilon) <= delta; +infinity when there is
  // none.
  struct Answer {
    double epsilon;
    double steepness;  // about -d/de ln|d delta/de| at epsilon, the rate at which the density falls; 0 when unknown
    double
        error_share;  // part of delta spent on errors of the transform and what lies above the window; 1 when unknown
  };
  Answer epsilon(double delta) const;
  double delta(double epsilon) const;

 private:
  double tilt_, step_;
  int64_t first_;             // lattice index of mass_[0]
  std::vector<double> mass_;  // tilted
  double mean_;               // origin of the weights, near the tilted mean
  double log_factor_;         // ln E[e^(tilt (L - mean))]: turns tilted sums back
  double error_norm_;         // bound on the Euclidean norm of the error of mass_
  double extra_;              // infinity and what lies above the window: added to every delta
  double slack_;              // relative rounding of everything else
};

}  // namespace graphveil::account
