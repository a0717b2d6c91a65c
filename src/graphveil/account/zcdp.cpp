#include "graphveil/account/zcdp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "graphveil/account/atoms_bounds.h"
#include "graphveil/account/curve_pair.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
// delta <= e^((a-1)(a rho - e)) (1 - 1/a)^(a-1) / a for every order a > 1. With x = a - 1 the logarithm
//   x ((1 + x) rho - e) + x ln x - (1 + x) ln(1 + x)
// is least where (1 + 2x) rho - e + ln(x / (1 + x)) = 0, an increasing function of x.
double zcdp_log_delta(double rho, double epsilon) {
  double low = -750, high = std::max(std::log((epsilon + 1) / rho), 1.0);  // of ln x
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high), x = std::exp(middle);
    ((1 + 2 * x) * rho - epsilon - std::log1p(1 / x) > 0 ? high : low) = middle;
  }
  const double x = std::exp(high);
  const double conversion = x * ((1 + x) * rho - epsilon) - x * std::log1p(1 / x) - std::log1p(x);
  // Total variation: the divergence of order 1 is at most rho (Bretagnolle and Huber 1979).
  const double variation = 0.5 * std::log(-std::expm1(-rho));
  return std::min({0.0, conversion + 1e-14 * (1 + std::fabs(conversion)), variation + 1e-15});
}

double zcdp_epsilon(double rho, double delta) {
  const double target = std::log(delta);
  if (zcdp_log_delta(rho, 0) <= target) return 0;
  double low = 0, high = rho + 2 * std::sqrt(-rho * target) + 1e-300;
  while (high < kInfinity && !(zcdp_log_delta(rho, high) <= target)) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (zcdp_log_delta(rho, middle) <= target ? high : low) = middle;
  }
  return high;
}

AtomPair zcdp_atoms(double rho, double tail) {
  const double top = std::min(zcdp_epsilon(rho, std::min(tail, 0.5)), kLargestAtom);
  if (!(top > 0)) {
    // All of the loss is within the tail: what two outcomes can differ by counts as infinite, the rest as none.
    AtomPair pair;
    pair.present.infinity = std::min(1.0, std::exp(zcdp_log_delta(rho, 0)));
    pair.present.add(0, 1 - pair.present.infinity);
    pair.blank = pair.present;
    return pair;
  }
  // The bound is the same in both directions.
  constexpr int64_t kPoints = 3000;
  std::vector<CurvePoint> points;
  for (int64_t k = -kPoints; k <= kPoints; ++k) {
    const double e = top * static_cast<double>(k) / kPoints;
    points.push_back({e, std::exp(zcdp_log_delta(rho, std::fabs(e)))});
  }
  AtomPair pair;
  pair.present = atoms_of_curve(points);
  pair.blank = pair.present;
  return pair;
}

}  // namespace graphveil::account
