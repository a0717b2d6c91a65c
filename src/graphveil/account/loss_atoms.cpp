#include "graphveil/account/loss_atoms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace graphveil::account {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Masses below this are moved to infinity in sum: nothing beside any delta.
constexpr double kNothing = 1e-290;
// Added to the share that moves up: covers the rounding of positions and shares.
constexpr double kShareError = 1e-13;

// 1 - e^-s for 0 <= s <= kShort, rounded up: the series alternates, so an odd number of terms is above. The sixth term
// left out is 4e-5 of the whole at most.
constexpr double kShort = 0.5;
double short_gap(double s) { return s * (1 - s * (1. / 2 - s * (1. / 6 - s * (1. / 24 - s * (1. / 120))))); }

// A grid of losses to split atoms onto.
class Grid {
 public:
  explicit Grid(std::vector<double> points) : points_(std::move(points)), mass_(points_.size(), 0.0) {
    inverse_.resize(points_.size(), 0.0);
    for (size_t i = 0; i + 1 < points_.size(); ++i) {
      const double h = points_[i + 1] - points_[i];
      inverse_[i] = -1 / std::expm1(-h);
    }
  }

  // Adds atoms in ascending order of loss, all shifted and scaled.
  void add(const AtomLoss& atoms, double shift, double factor) {
    const size_t last = points_.size() - 1;
    size_t g = 0;
    for (size_t j = 0; j < atoms.size(); ++j) {
      const double x = atoms.loss[j] + shift, p = atoms.mass[j] * factor;
      while (g < last && points_[g + 1] <= x) ++g;
      const double s = x - points_[g];
      if (g == last || !(s > 0)) {
        // At or, by rounding, beyond an end: the top is a sum of the largest losses, so a hair of it is all.
        mass_[g] += p;
        continue;
      }
      const double h = points_[g + 1] - points_[g];
      const double gap = h <= kShort ? short_gap(s) : -std::expm1(-s);
      const double share = std::min(gap * inverse_[g] + kShareError, 1.0);
      const double up = p * share;
      mass_[g + 1] += up;
      mass_[g] += p - up;
    }
  }

  AtomLoss take(double infinity) && {
    AtomLoss out;
    out.infinity = infinity;
    for (size_t i = 0; i < points_.size(); ++i) {
      if (mass_[i] > kNothing) {
        out.add(points_[i], mass_[i]);
      } else {
        out.infinity += mass_[i];
      }
    }
    return out;
  }

 private:
  std::vector<double> points_, mass_, inverse_;
};

// Splitting in cells of width h raises E[e^(tL)] by (t^2 + t) h^2 / 8 of what the cell weighs. For a density f of
// weighted mass the sum of f h^2 over a given number of points is least when their density is as f^(1/3). Returns how
// much of the points belongs into each gap between atoms, as a running sum from 0.
std::vector<double> point_share(const AtomLoss& atoms, const Importance& importance) {
  const size_t n = atoms.size();
  // A tenth of the points goes evenly by atoms: the weights are only a guess.
  std::vector<double> weight(n), part(n), share(n, 0.1 / static_cast<double>(n - 1));
  for (const auto& weigh : importance) {
    double top = 0, total = 0;
    for (size_t i = 0; i < n; ++i) top = std::max(top, weight[i] = atoms.mass[i] * weigh(atoms.loss[i]));
    if (!(top > 0)) continue;
    for (size_t i = 1; i < n; ++i) {
      const double w = 0.5 * (weight[i - 1] + weight[i]) / top, gap = atoms.loss[i] - atoms.loss[i - 1];
      total += part[i] = std::cbrt(w * gap * gap);
    }
    if (!(total > 0)) continue;
    const double factor = 0.9 / (static_cast<double>(importance.size()) * total);
    for (size_t i = 1; i < n; ++i) share[i] += factor * part[i];
  }
  share[0] = 0;
  std::partial_sum(share.begin(), share.end(), share.begin());
  return share;
}

AtomLoss rebinned(const AtomLoss& atoms, std::vector<double> points) {
  Grid grid(std::move(points));
  grid.add(atoms, 0, 1);
  return std::move(grid).take(atoms.infinity);
}

double joint_infinity(const AtomLoss& a, const AtomLoss& b) {
  return a.infinity + b.infinity - a.infinity * b.infinity;
}

}  // namespace

AtomLoss sorted(AtomLoss atoms) {
  std::vector<size_t> order(atoms.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return atoms.loss[i] < atoms.loss[j]; });
  AtomLoss out;
  out.infinity = atoms.infinity;
  for (size_t i : order) {
    const double loss = atoms.loss[i], mass = atoms.mass[i];
    if (!(mass > kNothing)) {
      if (mass > 0) out.infinity += mass;
      continue;
    }
    // Sums of the same losses in another order differ in the last places: the larger one stands for both.
    if (out.size() > 0 && loss - out.loss.back() <= 4e-15 * std::fabs(loss)) {
      out.loss.back() = loss;
      out.mass.back() += mass;
    } else {
      out.add(loss, mass);
    }
  }
  return out;
}

AtomLoss thinned(const AtomLoss& atoms, size_t most, const Importance& importance) {
  if (atoms.size() <= most) return atoms;
  const std::vector<double> share = point_share(atoms, importance);
  std::vector<double> points{atoms.loss.front()};
  const double unit = share.back() / static_cast<double>(most - 2);
  double next = unit;
  for (size_t i = 1; i + 1 < atoms.size(); ++i) {
    if (share[i] < next) continue;
    points.push_back(atoms.loss[i]);
    while (next <= share[i]) next += unit;
  }
  points.push_back(atoms.loss.back());
  return rebinned(atoms, std::move(points));
}

AtomLoss composed(const AtomLoss& a, const AtomLoss& b, size_t most, const Importance& importance) {
  if (a.size() < b.size()) return composed(b, a, most, importance);
  if (b.size() == 0) return {{}, {}, joint_infinity(a, b)};
  const double infinity = joint_infinity(a, b);
  const auto all_sums = [&](const AtomLoss& x, const AtomLoss& y) {
    AtomLoss sums;
    sums.loss.reserve(x.size() * y.size());
    sums.mass.reserve(x.size() * y.size());
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t j = 0; j < y.size(); ++j) sums.add(x.loss[i] + y.loss[j], x.mass[i] * y.mass[j]);
    }
    return sorted(std::move(sums));
  };
  if (a.size() * b.size() <= 8 * most) {
    AtomLoss exact = all_sums(a, b);
    exact.infinity += infinity;
    return thinned(exact, most, importance);
  }
  // Where the sums lie and weigh, from few atoms of either.
  constexpr size_t kFew = 96;
  const size_t few_b = std::min(b.size(), kFew);
  const AtomLoss rough = all_sums(thinned(a, kFew * kFew / few_b, importance), thinned(b, kFew, importance));
  const std::vector<double> share = point_share(rough, importance);
  std::vector<double> points{a.loss.front() + b.loss.front()};
  const double unit = share.back() / static_cast<double>(most - 1), top = a.loss.back() + b.loss.back();
  for (size_t i = 1, k = 1; k + 1 < most; ++k) {
    const double wanted = unit * static_cast<double>(k);
    while (i + 1 < rough.size() && share[i] < wanted) ++i;
    const double part = std::clamp((wanted - share[i - 1]) / (share[i] - share[i - 1]), 0.0, 1.0);
    const double point = rough.loss[i - 1] + part * (rough.loss[i] - rough.loss[i - 1]);
    if (point - points.back() > 1e-14 * std::fabs(point) && point < top) points.push_back(point);
  }
  if (top > points.back()) points.push_back(top);
  Grid grid(std::move(points));
  for (size_t j = 0; j < b.size(); ++j) grid.add(a, b.loss[j], b.mass[j]);
  return std::move(grid).take(infinity);
}

AtomPair sampled(const AtomPair& whole, double rate) {
  if (rate >= 1) return whole;
  // ln(1 - rate + rate e^x), without overflow.
  const auto after = [rate](double x) {
    return x < 30 ? std::log1p(rate * std::expm1(x)) : x + std::log(rate + (1 - rate) * std::exp(-x));
  };
  AtomPair out;
  // Present: an atom of mass p at loss x has q = p e^-x under Q. What Q has elsewhere P has not: the lowest loss.
  double q_total = 0;
  AtomLoss present;
  for (size_t i = 0; i < whole.present.size(); ++i) {
    const double x = whole.present.loss[i], p = whole.present.mass[i];
    const double q = std::exp(std::log(p) - x);
    q_total += q;
    present.add(after(x), (1 - rate) * q + rate * p);
  }
  const double elsewhere = std::max(0.0, 1 - q_total);
  if (elsewhere > 0) present.add(std::log1p(-rate), (1 - rate) * elsewhere);
  present.infinity = rate * whole.present.infinity;
  out.present = sorted(std::move(present));
  // Blank: the mass under Q stays, the loss x = ln(Q/P) becomes -ln(1 - rate + rate e^-x), and infinity -ln(1 - rate).
  AtomLoss blank;
  for (size_t i = 0; i < whole.blank.size(); ++i) blank.add(-after(-whole.blank.loss[i]), whole.blank.mass[i]);
  if (whole.blank.infinity > 0) blank.add(-std::log1p(-rate), whole.blank.infinity);
  out.blank = sorted(std::move(blank));
  return out;
}

double atoms_delta(const AtomLoss& atoms, double epsilon, double slack) {
  double sum = 0;
  for (size_t i = atoms.size(); i-- > 0 && atoms.loss[i] > epsilon;) {
    sum += atoms.mass[i] * -std::expm1(epsilon - atoms.loss[i]);
  }
  return std::min(1.0, (sum + atoms.infinity) * (1 + slack));
}

double atoms_epsilon(const AtomLoss& atoms, double delta, double slack) {
  const double allowed = delta / (1 + slack) - atoms.infinity;
  if (!(allowed >= 0)) return kInfinity;
  // As in TiltedSum::epsilon: D = delta at the loss above, T = e^loss Q(L >= loss), from the top down.
  double d = 0, t = 0, loss = 0;
  for (size_t i = atoms.size(); i-- > 0;) {
    if (i + 1 < atoms.size()) {
      const double gap = loss - atoms.loss[i];
      const double next = d - std::expm1(-gap) * t;
      if (next > allowed) return std::max(0.0, loss + std::log1p(-(allowed - d) / t));
      d = next;
      t *= std::exp(-gap);
    }
    loss = atoms.loss[i];
    if (loss <= 0) return 0;
    t += atoms.mass[i];
  }
  // Below the lowest atom, which is positive: only rounding or a pair that is far from a distribution comes here.
  const double share = t > 0 ? (allowed - d) / t : 1;
  return share < 1 ? std::max(0.0, loss + std::log1p(-share)) : 0.0;
}

}  // namespace graphveil::account
