#include "graphveil/account/loss_atoms.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "graphveil/account/careful.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

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

// Chooses positions among those of the atoms, the first and the last with them, so that splitting costs about the same
// in every cell.
class Selection {
 public:
  Selection(const AtomLoss& atoms, const Importance& importance) : x_(atoms.loss), d_(importance(atoms)) {
    // Sums from the top: the small masses there keep their digits.
    const size_t n = atoms.size();
    // A guess so wrong that it underflows is none.
    double total = 0;
    for (size_t i = 0; i < n; ++i) total += atoms.mass[i] * d_[i];
    if (!(total > 0 && std::isfinite(total))) d_.assign(n, 1.0);
    mass_.resize(n + 1, 0.0);
    first_.resize(n + 1, 0.0);
    delta_.resize(n + 1, 0.0);
    for (size_t i = n; i-- > 0;) {
      mass_[i] = mass_[i + 1] + atoms.mass[i];
      first_[i] = first_[i + 1] + atoms.mass[i] * x_[i];
      delta_[i] = delta_[i + 1] + atoms.mass[i] * d_[i];
    }
  }

  // Half of the points where chord and curve part as far as can be seen, half where a smooth curve would need them.
  std::vector<double> points(size_t most) const {
    const std::vector<double> seen = chords(most / 2), smooth = by_weight(most - most / 2);
    std::vector<double> out;
    std::set_union(seen.begin(), seen.end(), smooth.begin(), smooth.end(), std::back_inserter(out));
    return out;
  }

 private:
  // Splitting in cells of width h costs as h^2 of what the cell weighs. For a density f of weighted mass the sum of f
  // h^2 over a given number of points is least when their density is as f^(1/3).
  std::vector<double> by_weight(size_t most) const {
    const size_t n = x_.size();
    std::vector<double> share(n, 0.0);
    for (size_t i = 1; i < n; ++i) {
      const double w = (mass_[i - 1] - mass_[i]) * d_[i - 1] + (mass_[i] - mass_[i + 1]) * d_[i],
                   gap = x_[i] - x_[i - 1];
      share[i] = share[i - 1] + std::cbrt(w * gap * gap);
    }
    std::vector<double> out{x_.front()};
    const double unit = share.back() / static_cast<double>(most);
    if (!(unit > 0)) return {x_.front(), x_.back()};
    double next = unit;
    for (size_t i = 1; i + 1 < n; ++i) {
      if (!(share[i] >= next)) continue;
      out.push_back(x_[i]);
      next = share[i] + unit;
    }
    out.push_back(x_.back());
    return out;
  }

  std::vector<double> chords(size_t most) const {
    // The cost per cell at which about `most` remain.
    double low = std::log(std::max(delta_[0], 1e-300)) - 60, high = low + 62;
    std::vector<double> best;
    for (int i = 0; i < 10; ++i) {
      const double middle = 0.5 * (low + high);
      std::vector<double> now = greedy(std::exp(middle), most);
      if (now.size() > most) {
        low = middle;
      } else {
        high = middle;
        best = std::move(now);
        if (best.size() > most - most / 8) break;
      }
    }
    if (best.empty()) best = greedy(kInfinity, most);
    return best;
  }

  // What splitting all atoms strictly between i and j adds to delta; from their mean place, which is a little too much.
  double cost(size_t i, size_t j) const {
    const double mass = mass_[i + 1] - mass_[j];
    if (!(mass > 0)) return 0;
    const double h = x_[j] - x_[i], s = std::clamp((first_[i + 1] - first_[j]) / mass - x_[i], 0.0, h);
    const double share = h < 1e-5 ? s / h : std::expm1(-s) / std::expm1(-h);
    return mass * (d_[i] + (d_[j] - d_[i]) * share) - (delta_[i + 1] - delta_[j]);
  }

  std::vector<double> greedy(double allowed, size_t most) const {
    std::vector<double> out{x_.front()};
    const size_t last = x_.size() - 1;
    size_t i = 0, stride = 1;
    while (i < last && out.size() <= most) {
      // Gallop from the stride of the cell before, then bisect: cost(i, good) is allowed, cost(i, bad) is not.
      size_t good = i + 1, bad = last + 1;
      for (size_t reach = std::max<size_t>(stride / 2, 1);; reach *= 2) {
        const size_t j = std::min(i + reach, last);
        if (j > good && cost(i, j) > allowed) {
          bad = j;
          break;
        }
        good = std::max(good, j);
        if (j == last) break;
      }
      while (good < last && bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        (cost(i, middle) > allowed ? bad : good) = middle;
      }
      stride = good - i;
      i = good;
      out.push_back(x_[i]);
    }
    return out;
  }

  const std::vector<double>& x_;
  std::vector<double> d_, mass_, first_, delta_;
};

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
  if (std::any_of(atoms.loss.begin(), atoms.loss.end(), [](double x) { return std::isnan(x); })) return {{}, {}, 1};
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return atoms.loss[i] < atoms.loss[j]; });
  AtomLoss out;
  out.infinity = atoms.infinity;
  for (size_t i : order) {
    const double loss = atoms.loss[i], mass = atoms.mass[i];
    if (std::isnan(mass)) return {{}, {}, 1};
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
  return rebinned(atoms, Selection(atoms, importance).points(most));
}

AtomLoss composed(const AtomLoss& a, const AtomLoss& b, size_t most, const Importance& importance,
                  const Importance& of_a, const Importance& of_b) {
  if (a.size() < b.size()) return composed(b, a, most, importance, of_b, of_a);
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
  const size_t few = std::clamp<size_t>(most / 4, 48, 120), few_b = std::min(b.size(), few);
  const AtomLoss rough = all_sums(thinned(a, few * few / few_b, of_a), thinned(b, few, of_b));
  std::vector<double> points{a.loss.front() + b.loss.front()};
  if (rough.size() >= 2) points = Selection(rough, importance).points(most);
  // Rounding may have moved the ends by a hair.
  points.front() = std::min(points.front(), a.loss.front() + b.loss.front());
  const double top = a.loss.back() + b.loss.back();
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
      if (!(next <= allowed)) return proven(nonnegative(loss + std::log1p(-(allowed - d) / t)));
      d = next;
      t *= std::exp(-gap);
    }
    loss = atoms.loss[i];
    if (loss <= 0) return 0;
    t += atoms.mass[i];
  }
  // Below the lowest atom, which is positive: only rounding or a pair that is far from a distribution comes here.
  const double share = t > 0 ? (allowed - d) / t : 1;
  return share >= 1 ? 0.0 : proven(nonnegative(loss + std::log1p(-share)));
}

}  // namespace graphveil::account
