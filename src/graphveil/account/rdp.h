// The Renyi accountant.
#pragma once

#include <functional>

#include "graphveil/account/ledger.h"
#include "graphveil/account/summary.h"

namespace graphveil::account {

// Total Renyi divergence as a function of the order > 1.
using RenyiCurve = std::function<double(double order)>;

// Converts one point of a Renyi curve (Canonne, Kamath, Steinke 2020, Proposition 12): order a and divergence r give
//   epsilon = r + ln(1 - 1/a) - ln(delta a) / (a - 1).
double epsilon_from_renyi(double order, double divergence, double delta);
// The same the other way: delta = e^((a-1)(r - epsilon)) / a (1 - 1/a)^(a-1), at most 1.
double delta_from_renyi(double order, double divergence, double epsilon);

// The older, looser conversion of the papers (Mironov 2017, Proposition 3): epsilon = r + ln(1/delta) / (a - 1).
double classic_epsilon_from_renyi(double order, double divergence, double delta);

// The smallest value of a smooth function of the order over (1, infinity).
double minimize_over_orders(const std::function<double(double order)>& function);

// The best over orders; every order evaluated gives a proved bound, so a coarse search is only less tight.
// 0 < delta < 1, epsilon >= 0.
double best_epsilon(const RenyiCurve& curve, double delta);
double best_delta(const RenyiCurve& curve, double epsilon);

// The curve of a ledger: the sum over its events of count times their bound. Throws Unsupported as rdp_bound does.
RenyiCurve renyi_curve(const Ledger& ledger);
RenyiCurve renyi_curve(const Summary& summary);

}  // namespace graphveil::account
