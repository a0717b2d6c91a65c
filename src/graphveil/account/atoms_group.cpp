// poisson-group as atoms; the pair and its proof are in pld_group.cpp. In units of the clip norm, with phi the density
// of N(0, s^2),
//   p = phi A,  A(x) = sum_i w_i e^((i x - i^2/2) / s^2),      q = phi B,  B(x) = sum_j v_j e^((-j x - j^2/2) / s^2),
// and the loss is L = ln A - ln B, rising in x.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/atoms_bounds.h"
#include "graphveil/account/group_mixture.h"
#include "graphveil/account/normal.h"

namespace graphveil::account {
namespace {

// One of the two mixtures; `sign` is that of its centers.
struct Side {
  Binomial binomial;
  double sign, s;
  std::vector<double> log_weight;

  Side(int64_t n, double rate, double tail, double sign_of_centers, double noise)
      : binomial(n, rate, tail), sign(sign_of_centers), s(noise) {
    for (double w : binomial.weight) log_weight.push_back(std::log(w));
  }

  double number(size_t i) const { return static_cast<double>(binomial.first + static_cast<int64_t>(i)); }
  double most() const { return number(binomial.weight.size() - 1); }
  double exponent(size_t i, double x) const {
    const double n = number(i);
    return n * (sign * x - 0.5 * n) / (s * s);
  }

  // ln of the mixture over phi, and the mean and mean square of the number of samples given x.
  struct At {
    double log_ratio, mean, square;
  };
  At at(double x) const {
    const size_t n = log_weight.size();
    double largest = 0;
    for (size_t i = 0; i < n; ++i) largest = std::max(largest, exponent(i, x) + log_weight[i]);
    const bool near_one = binomial.first == 0 && largest < 30;
    double sum = 0, excess = -binomial.dropped, mean = 0, square = 0;
    for (size_t i = 0; i < n; ++i) {
      const double e = exponent(i, x), w = std::exp(e + log_weight[i] - largest), c = number(i);
      sum += w;
      mean += w * c;
      square += w * c * c;
      if (near_one && i > 0) excess += binomial.weight[i] * std::expm1(e);
    }
    // The weights sum to 1 - dropped, so the sum is 1 - dropped + sum w (e^e - 1): no digit is lost near 1.
    return {near_one ? std::log1p(excess) : largest + std::log(sum), mean / sum, square / sum};
  }

  double mass(double a, double b) const {
    double sum = 0;
    for (size_t i = 0; i < log_weight.size(); ++i) {
      const double c = sign * number(i), low = (a - c) / s, high = (b - c) / s;
      sum += binomial.weight[i] * (low > 0 ? normal_cdf(-low) - normal_cdf(-high) : normal_cdf(high) - normal_cdf(low));
    }
    return sum;
  }
  double mass_above(double a) const {
    double sum = 0;
    for (size_t i = 0; i < log_weight.size(); ++i) {
      sum += binomial.weight[i] * normal_cdf((sign * number(i) - a) / s);
    }
    return sum;
  }
  double mass_below(double a) const {
    double sum = 0;
    for (size_t i = 0; i < log_weight.size(); ++i) {
      sum += binomial.weight[i] * normal_cdf((a - sign * number(i)) / s);
    }
    return sum;
  }
};

// Smallest |x| at which little of the mixture lies beyond.
double outer_end(const Side& side, double tail) {
  double inside = side.sign * side.number(0);
  double outside = side.sign * (side.most() + side.s * std::sqrt(-2 * std::log(std::min(tail, 0.5))));
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (inside + outside);
    const double beyond = side.sign > 0 ? side.mass_above(middle) : side.mass_below(middle);
    (beyond > tail ? inside : outside) = middle;
  }
  return outside;
}

// The mean place in [0, 1] under a density as e^(-k s), rounded up; 1 where k is too large for the series.
double mean_place_or_end(double k) { return std::fabs(k) < 1 ? 0.5 - k / 12 + std::fabs(k * k * k) / 720 : 1; }

}  // namespace

AtomPair group_atoms(double noise_multiplier, const PoissonGroup& group, double tail) {
  const double s = noise_multiplier;
  const Side present(group.deletions, group.rate, tail, 1, s), blank(group.insertions, group.rate, tail, -1, s);
  const double first = outer_end(blank, tail), last = outer_end(present, tail);
  const auto components = static_cast<double>(present.log_weight.size() + blank.log_weight.size());
  const auto cells =
      static_cast<int64_t>(std::clamp(200 * (last - first) / s, 4096.0, std::max(4096.0, 3e6 / components)));
  const double dx = (last - first) / static_cast<double>(cells);
  AtomPair out;
  // Written so that a loss that is no number counts as infinite.
  const auto add_present = [&](double loss, double mass) {
    if (mass <= 0) return;
    if (loss <= kLargestAtom) {
      out.present.add(std::max(loss, -kLargestAtom), mass);
    } else {
      out.present.infinity += mass;
    }
  };
  const auto add_blank = [&](double loss, double mass) {
    if (mass <= 0) return;
    if (loss >= -kLargestAtom) {
      out.blank.add(-std::min(loss, kLargestAtom), mass);
    } else {
      out.blank.infinity += mass;
    }
  };
  Side::At p_low = present.at(first), q_low = blank.at(first);
  double low = p_low.log_ratio - q_low.log_ratio;
  add_present(low, present.mass_below(first));
  out.blank.infinity += blank.mass_below(first) + blank.binomial.dropped;
  for (int64_t k = 0; k < cells; ++k) {
    const double a = first + static_cast<double>(k) * dx, b = first + static_cast<double>(k + 1) * dx;
    const Side::At p_high = present.at(b), q_high = blank.at(b);
    const double high = std::max(low, p_high.log_ratio - q_high.log_ratio), width = high - low;
    const double p = present.mass(a, b), q = blank.mass(a, b);
    double up = 1, down = 1;
    if (width > 0 && p > 0 && q > 0) {
      const double gap = -std::expm1(-width);
      const double error =
          1e-15 * (1 + s / dx * (1 + (std::max(std::fabs(a), std::fabs(b)) + present.most() + blank.most()) / s));
      up = (1 - std::exp(std::log(q / p) + low) + error) / gap;
      down = (1 - std::exp(std::log(p / q) - high) + error) / gap;
      // For narrow cells the difference above has no digits left. ln A and ln B are convex, so L lies below its chord
      // but for dx^2/8 times the largest second derivative of ln B, Var(j | x) / s^4; and the density of P falls in the
      // cell no more slowly than its steepest slope. The mirror image for Q.
      const double curve = dx * dx / (8 * s * s * s * s) / width;
      const double slope_p = (p_high.mean - a) / (s * s) * dx, slope_q = (q_low.mean + b) / (s * s) * dx;
      up = std::min(up, mean_place_or_end(-slope_p) * (1 + width) + curve * q_low.square);
      down = std::min(down, mean_place_or_end(-slope_q) * (1 + width) + curve * p_high.square);
      up = std::clamp(up, 0.0, 1.0);
      down = std::clamp(down, 0.0, 1.0);
    }
    add_present(high, up * p);
    add_present(low, (1 - up) * p);
    add_blank(low, down * q);
    add_blank(high, (1 - down) * q);
    p_low = p_high;
    q_low = q_high;
    low = high;
  }
  out.present.infinity += present.mass_above(last) + present.binomial.dropped;
  add_blank(low, blank.mass_above(last));
  return {sorted(std::move(out.present)), sorted(std::move(out.blank))};
}

}  // namespace graphveil::account
