#include "graphveil/account/curve_pair.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace graphveil::account {
namespace {

// How many places of the other bound are looked at, which costs more than the curve of atoms.
constexpr size_t kBoundPlaces = 48;
constexpr double kWorthwhile = 0.99;

// Slopes of the curve in t = e^e between two points, negated: s, which falls from 1 at t = 0 to 0. Where t < 1 it is 1
// - s that has the digits, and elsewhere s. Each is finite however far apart the points are.

// 1 - delta(e) for e < 0, divided by e^e, is 1 - a.delta; so 1 - s = (t_b d_b - t_a d_a) / (t_b - t_a) on that side.
double rise(const CurvePoint& a, const CurvePoint& b) {
  const double ratio = std::exp(a.e - b.e), gap = -std::expm1(a.e - b.e);
  if (b.e <= 0) return (b.delta - ratio * a.delta) / gap;
  return (-std::expm1(-b.e) + std::exp(-b.e) * b.delta - ratio * a.delta) / gap;
}

// s e^(b.e), and s e^(a.e), where the point named is at e >= 0.
double fall_at_end(const CurvePoint& a, const CurvePoint& b) {
  const double start = a.e >= 0 ? a.delta : -std::expm1(a.e) + std::exp(a.e) * a.delta;
  return (start - b.delta) / -std::expm1(a.e - b.e);
}
double fall_at_start(const CurvePoint& a, const CurvePoint& b) { return (a.delta - b.delta) / std::expm1(b.e - a.e); }

// The mass under P of a corner between two others: the change of the slope is that under Q.
double corner_mass(const CurvePoint* before, const CurvePoint& at, const CurvePoint* after) {
  if (at.e < 0) return std::exp(at.e) * ((after ? rise(at, *after) : 1) - (before ? rise(*before, at) : 0));
  return (before ? fall_at_end(*before, at) : std::exp(at.e)) - (after ? fall_at_start(at, *after) : 0);
}

// delta at every one of the ascending places, which are not negative.
std::vector<double> curve(const AtomLoss& atoms, const std::vector<double>& places) {
  std::vector<double> out(places.size());
  double d = 0, t = 0, at = 0;  // delta and e^e Q(L > e) at the place `at`, without what is infinite
  size_t next = atoms.size();   // atoms from here on are counted
  for (size_t k = places.size(); k-- > 0;) {
    const double e = places[k];
    while (next > 0 && atoms.loss[next - 1] > e) {
      const double loss = atoms.loss[--next];
      if (t > 0) {
        d -= std::expm1(loss - at) * t;
        t *= std::exp(loss - at);
      }
      at = loss;
      t += atoms.mass[next];
    }
    const double finite = t > 0 ? d - std::expm1(e - at) * t : 0;
    out[k] = std::min(1.0, (finite + atoms.infinity) * (1 + 1e-12));
  }
  return out;
}

void sort_unique(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Where the other bound is asked: at losses of all sizes, and evenly up to the largest.
std::vector<double> few_places(const std::vector<double>& losses, double pure) {
  constexpr size_t kHalf = kBoundPlaces / 2;
  std::vector<double> out{0};
  const double most = std::min(losses.back(), pure);
  for (size_t i = 1; i <= kHalf; ++i) {
    out.push_back(losses[i * (losses.size() - 1) / kHalf]);
    out.push_back(most * static_cast<double>(i) / kHalf);
  }
  if (std::isfinite(pure)) out.push_back(pure);
  sort_unique(out);
  return out;
}

}  // namespace

AtomLoss atoms_of_curve(const std::vector<CurvePoint>& points) {
  std::vector<CurvePoint> hull;
  for (const CurvePoint& next : points) {
    // A corner that is not convex has a negative mass.
    while (hull.size() >= 2 && !(corner_mass(&hull[hull.size() - 2], hull.back(), &next) >= 0)) hull.pop_back();
    hull.push_back(next);
  }
  // Left of the first corner the slope is -1 (all of Q), beyond the last it is 0 and what is left of delta has infinite
  // loss.
  AtomLoss out;
  for (size_t i = 0; i < hull.size(); ++i) {
    const double p = corner_mass(i > 0 ? &hull[i - 1] : nullptr, hull[i], i + 1 < hull.size() ? &hull[i + 1] : nullptr);
    if (p > 0) out.add(hull[i].e, p);
  }
  out.infinity = hull.back().delta;
  double total = out.infinity;
  for (double p : out.mass) total += p;
  // Delta at the first corner is 1 - e^e or more, so the masses add up to 1 or more. Rounding may take a little, from
  // the largest ones; what more is missing was lost by mistake and counts in full. (At the lowest loss a hair of P is
  // much of Q.)
  if (total < 1 && total > 1 - 1e-10 && !out.mass.empty()) {
    *std::max_element(out.mass.begin(), out.mass.end()) += 1 - total;
  } else if (!(total >= 1)) {
    out.infinity += std::isnan(total) ? 1 : 1 - total;
  }
  return sorted(std::move(out));
}

AtomPair lowered(const AtomPair& pair, const std::function<double(double)>& delta_bound, double pure) {
  // The curve of atoms has its corners at their losses: with all of them it is kept as it is.
  std::vector<double> places;
  for (const AtomLoss* direction : {&pair.present, &pair.blank}) {
    for (double x : direction->loss) places.push_back(std::fabs(x));
  }
  if (places.empty()) places.push_back(1);
  sort_unique(places);
  const std::vector<double> few = few_places(places, pure);
  places.insert(places.end(), few.begin(), few.end());
  sort_unique(places);
  std::vector<double> present = curve(pair.present, places), blank = curve(pair.blank, places);
  bool gained = false;
  for (size_t k = 0; k < places.size(); ++k) {
    if (places[k] < pure && !std::binary_search(few.begin(), few.end(), places[k])) continue;
    const double bound = places[k] >= pure ? 0 : delta_bound(places[k]);
    for (std::vector<double>* direction : {&present, &blank}) {
      double& delta = (*direction)[k];
      if (bound < kWorthwhile * delta) gained = true;
      if (bound < delta) delta = bound;
    }
  }
  if (!gained) return pair;
  const auto joined = [&](const std::vector<double>& there, const std::vector<double>& back) {
    std::vector<CurvePoint> points;
    for (size_t k = places.size(); k-- > 0;) {
      if (places[k] > 0) points.push_back({-places[k], back[k]});
    }
    for (size_t k = 0; k < places.size(); ++k) points.push_back({places[k], there[k]});
    return atoms_of_curve(points);
  };
  return {joined(present, blank), joined(blank, present)};
}

}  // namespace graphveil::account
