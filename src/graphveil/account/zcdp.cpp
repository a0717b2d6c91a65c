#include "graphveil/account/zcdp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/account/atoms_bounds.h"

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
  while (zcdp_log_delta(rho, high) > target) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (zcdp_log_delta(rho, middle) > target ? low : high) = middle;
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
  // Points (e, delta(e)), e from -top to top; below zero delta(-e) = 1 - e^-e (1 - delta(e)).
  constexpr int64_t kPoints = 3000;
  struct Point {
    double e, delta;
  };
  std::vector<Point> hull;
  // Slope of delta in e^e from a to b, negated, divided by e^-a.
  const auto fall = [](const Point& a, const Point& b) { return (a.delta - b.delta) / std::expm1(b.e - a.e); };
  for (int64_t k = -kPoints; k <= kPoints; ++k) {
    const double e = top * static_cast<double>(k) / kPoints, up = std::exp(zcdp_log_delta(rho, std::fabs(e)));
    const Point next{e, e >= 0 ? up : -std::expm1(e) + std::exp(e) * up};
    while (hull.size() >= 2) {
      const Point &a = hull[hull.size() - 2], &b = hull.back();
      // Convex: the fall per unit of e^e does not grow.
      if (fall(a, b) >= fall(b, next) * std::exp(a.e - b.e)) break;
      hull.pop_back();
    }
    hull.push_back(next);
  }
  // An atom at each corner: its mass under Q is the change of slope there. Left of the first corner the slope is -1
  // (all of Q), beyond the last it is 0 and what is left of delta has infinite loss.
  AtomPair pair;
  double before = std::exp(hull.front().e);  // fall left of the corner, times e^e
  for (size_t i = 0; i < hull.size(); ++i) {
    const double after = i + 1 < hull.size() ? fall(hull[i], hull[i + 1]) : 0;
    const double p = before - after;
    if (p > 0) pair.present.add(hull[i].e, p);
    if (i + 1 < hull.size()) before = after * std::exp(hull[i + 1].e - hull[i].e);
  }
  // The first corner must hold what is missing of P: delta there is 1 - e^e or more.
  pair.present.infinity = hull.back().delta;
  double total = pair.present.infinity;
  for (double p : pair.present.mass) total += p;
  if (total < 1) pair.present.mass.front() += 1 - total;
  pair.present = sorted(std::move(pair.present));
  pair.blank = pair.present;  // the bound is the same in both directions
  return pair;
}

}  // namespace graphveil::account
