// The smallest noise that meets a privacy target.
#pragma once

#include <functional>

#include "graphveil/account/accountant.h"

namespace graphveil::account {

// What a method would release at a given value of its one noise knob. More noise must never cost more. A method with
// several mechanisms ties them to the knob by fixed ratios, for example
//   [](double noise) { return Ledger{{"encoder", Gaussian{noise}, Poisson{q}, steps},
//                                    {"aggregation", Gaussian{0.5 * noise}, {}, hops}}; }
using Plan = std::function<Ledger(double noise)>;

struct Calibration {
  double noise = 0;    // > 0
  double epsilon = 0;  // what the ledger costs at this noise, <= the target
};

struct CalibrationOptions {
  Accountant accountant = Accountant::Pld;
  double relative_tolerance = 1e-4;  // the answer is at most this much above the smallest noise that will do
  double lowest = 1e-4;              // the search stays within [lowest, highest]
  double highest = 1e8;
  double start = 1;  // where the search begins: a good guess saves time, a bad one costs some
};

// The smallest noise in the range whose cost(noise), a falling function, is at most `target_epsilon`: the search behind
// calibrate, for costs that are no ledger. `delta` is for messages only.
Calibration smallest_noise(const std::function<double(double noise)>& cost, double target_epsilon, double delta,
                           const CalibrationOptions& options = {});

// What a ledger adds up to if it were one Gaussian, 1 / its noise multiplier: the limit of many steps (Dong, Roth, Su
// 2019). For choosing where to look and how to share out noise; no bound.
double likely_mu(const Ledger& ledger);

// Guarantee: epsilon(plan(noise), delta) <= target_epsilon for the noise returned. Throws NotConverged when the
// target is not met even at `highest`; never returns zero noise (a target met at `lowest` returns `lowest`).
Calibration calibrate(const Plan& plan, double target_epsilon, double delta, const CalibrationOptions& options = {});

}  // namespace graphveil::account
