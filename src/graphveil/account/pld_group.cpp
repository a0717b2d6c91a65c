// poisson-group: one record touches many samples of a Poisson batch with Gaussian noise.
//
// With the record present, `deletions` samples carry it; when blank, `insertions` changed samples take their place. In
// units of the clip norm, with noise multiplier s (Schuchardt et al. 2024, Theorem 3.8, Gaussian case) the pair
//   P = sum_i Binom(i; deletions, rate) N(+i, s^2)      Q = sum_j Binom(j; insertions, rate) N(-j, s^2)
// dominates one step in the direction present -> blank, and (Q, P) in the other.
//
// p(x)/phi(x) is a positive sum of e^(ix/s^2), i >= 0, and q(x)/phi(x) of e^(-jx/s^2): the loss ln(p/q) rises with x.
// So an interval of x is an interval of losses: the line is cut into equal bins, and the mass of each bin and the
// losses at its ends are all the builder wants.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/group_mixture.h"
#include "graphveil/account/normal.h"
#include "graphveil/account/pld_bounds.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// A bin mass comes from one difference of tails and a sum of products of non-negative terms.
constexpr double kMassError = 2e-13;
// Rounding of ln p - ln q; losses at the ends of a bin are moved apart by this much.
constexpr double kLossError = 1e-13;

// sum_i weight_i N(sign * (first + i), s^2).
struct Mixture {
  Binomial binomial;
  double sign, s;

  double center(size_t i) const { return sign * static_cast<double>(binomial.first + static_cast<int64_t>(i)); }

  // P(X > x) for sign = +1, P(X < x) for sign = -1: the side away from the other mixture.
  double outer_tail(double x) const {
    double sum = 0;
    for (size_t i = 0; i < binomial.weight.size(); ++i) {
      sum += binomial.weight[i] * normal_cdf(sign * (center(i) - x) / s);
    }
    return sum;
  }

  // The x with outer_tail(x) <= tail, almost equal.
  double outer_end(double tail) const {
    const double reach = s * std::sqrt(-2 * std::log(std::min(tail, 0.5)));
    double inside = center(0), outside = center(binomial.weight.size() - 1) + sign * reach;
    for (int i = 0; i < 30; ++i) {
      const double middle = 0.5 * (inside + outside);
      (outer_tail(middle) > tail ? inside : outside) = middle;
    }
    return outside;
  }

  // ln of the density times s sqrt(2 pi), and the mean number of samples |center| given x.
  struct Posterior {
    double log_density, mean;
  };
  Posterior posterior(double x) const {
    double largest = -kInfinity;
    for (size_t i = 0; i < binomial.weight.size(); ++i) {
      const double d = (x - center(i)) / s;
      largest = std::max(largest, std::log(binomial.weight[i]) - 0.5 * d * d);
    }
    double sum = 0, moment = 0;
    for (size_t i = 0; i < binomial.weight.size(); ++i) {
      const double d = (x - center(i)) / s;
      const double w = std::exp(std::log(binomial.weight[i]) - 0.5 * d * d - largest);
      sum += w;
      moment += w * std::fabs(center(i));
    }
    return {largest + std::log(sum), moment / sum};
  }
};

struct Group {
  Mixture present, blank;
  double low, high;  // the x range: little of Q lies below, little of P above

  Group(double s, const PoissonGroup& g, double tail)
      : present{Binomial(g.deletions, g.rate, tail), 1, s},
        blank{Binomial(g.insertions, g.rate, tail), -1, s},
        low(blank.outer_end(tail)),
        high(present.outer_end(tail)) {}

  double loss(double x) const { return present.posterior(x).log_density - blank.posterior(x).log_density; }

  // d loss / dx = (E_P[i | x] + E_Q[j | x]) / s^2; the first rises with x, the second falls.
  double largest_slope() const {
    return (present.posterior(high).mean + blank.posterior(low).mean) / (present.s * present.s);
  }
};

double clip_loss(double loss) {
  if (loss > kLargestLoss) return kInfinity;
  return loss < -kLargestLoss ? -kInfinity : loss;
}

double interval_mass(double a, double b) {
  return a > 0 ? normal_cdf(-a) - normal_cdf(-b) : normal_cdf(b) - normal_cdf(a);
}

// One end of a bin, or one bin: the sums over the components of both mixtures.
struct Sums {
  double p, q;
};

// Adds the bins [x_k, x_k+1], k = 0 .. bins - 1, and the two outer rays. density(k) gives the densities at x_k up to a
// common factor, mass(k) the masses of bin k.
template <typename Density, typename Mass>
void add_bins(LossPairBuilder& builder, const Group& group, int64_t bins, double width, Density&& density,
              Mass&& mass) {
  const auto cut = [&](const Sums& d) {
    if (!(d.q > 0)) return kInfinity;
    return d.p > 0 ? clip_loss(std::log(d.p / d.q)) : -kInfinity;
  };
  const auto add = [&](double low, double high, double p, double q) {
    builder.add_piece(low - kLossError, std::max(low, high) + kLossError, p, q, kMassError * p, kMassError * q);
  };
  const auto mirrored_tail = [](const Mixture& m, double x) {
    double sum = 0;
    for (size_t i = 0; i < m.binomial.weight.size(); ++i) {
      sum += m.binomial.weight[i] * normal_cdf(-m.sign * (m.center(i) - x) / m.s);
    }
    return sum;
  };
  const double start = group.low, stop = group.low + static_cast<double>(bins) * width;
  double low = cut(density(0));
  add(-kInfinity, low, mirrored_tail(group.present, start), group.blank.outer_tail(start));
  for (int64_t k = 0; k < bins; ++k) {
    const double high = std::max(low, cut(density(k + 1)));
    const Sums m = mass(k);
    add(low, high, m.p, m.q);
    low = high;
  }
  add(low, kInfinity, group.present.outer_tail(stop), mirrored_tail(group.blank, stop));
  builder.add_present_infinity(group.present.binomial.dropped);
  builder.add_blank_infinity(group.blank.binomial.dropped);
}

// Bins of width 1/m: every component sits on the same lattice, so one table of the normal distribution serves all and a
// sum over components is a dot product.
void add_bins_by_table(LossPairBuilder& builder, const Group& group, int64_t m, int64_t bins) {
  const double s = group.present.s, width = 1 / static_cast<double>(m);
  const auto& w = group.present.binomial;
  const auto& v = group.blank.binomial;
  const auto w_last = w.first + static_cast<int64_t>(w.weight.size()) - 1;
  const auto v_last = v.first + static_cast<int64_t>(v.weight.size()) - 1;
  // Entry t stands for x = low + (t - w_last m) / m, so component i of P at bin k reads t = k + (w_last - i) m.
  const int64_t size = bins + 1 + (w_last + v_last) * m;
  std::vector<double> table_density(static_cast<size_t>(size)), table_mass(static_cast<size_t>(size));
  for (int64_t t = 0; t < size; ++t) {
    const double x = (group.low + static_cast<double>(t - w_last * m) * width) / s;
    table_density[static_cast<size_t>(t)] = std::exp(-0.5 * x * x);
    table_mass[static_cast<size_t>(t)] = interval_mass(x, x + width / s);
  }
  const auto sums = [&](const std::vector<double>& table, int64_t k) {
    Sums out{0, 0};
    const double* p_at = table.data() + k + (w_last - w.first) * m;
    for (size_t i = 0; i < w.weight.size(); ++i) out.p += w.weight[i] * p_at[-static_cast<int64_t>(i) * m];
    const double* q_at = table.data() + k + (w_last + v.first) * m;
    for (size_t j = 0; j < v.weight.size(); ++j) out.q += v.weight[j] * q_at[static_cast<int64_t>(j) * m];
    return out;
  };
  add_bins(
      builder, group, bins, width, [&](int64_t k) { return sums(table_density, k); },
      [&](int64_t k) { return sums(table_mass, k); });
}

// Bins wider than the distance between components (large noise): every term on its own.
void add_bins_directly(LossPairBuilder& builder, const Group& group, double width, int64_t bins) {
  const double s = group.present.s;
  const auto at = [&](int64_t k) { return group.low + static_cast<double>(k) * width; };
  const auto sum = [&](const Mixture& m, auto&& term) {
    double total = 0;
    for (size_t i = 0; i < m.binomial.weight.size(); ++i) total += m.binomial.weight[i] * term(m.center(i));
    return total;
  };
  add_bins(
      builder, group, bins, width,
      [&](int64_t k) {
        const auto density = [&](double c) { return std::exp(-0.5 * (at(k) - c) * (at(k) - c) / (s * s)); };
        return Sums{sum(group.present, density), sum(group.blank, density)};
      },
      [&](int64_t k) {
        const auto mass = [&](double c) { return interval_mass((at(k) - c) / s, (at(k + 1) - c) / s); };
        return Sums{sum(group.present, mass), sum(group.blank, mass)};
      });
}

}  // namespace

LossRange group_loss_range(double noise_multiplier, const PoissonGroup& sampling, double tail) {
  const Group group(noise_multiplier, sampling, tail);
  const double low = group.loss(group.low), high = group.loss(group.high);
  return {std::max(low, -kLargestLoss), std::min(high, kLargestLoss)};
}

LossPair discretize_group(double noise_multiplier, const PoissonGroup& sampling, double step, double tail) {
  const Group group(noise_multiplier, sampling, tail);
  const LossRange range{std::max(group.loss(group.low), -kLargestLoss), std::min(group.loss(group.high), kLargestLoss)};
  LossPairBuilder builder(step, range.low, range.high);
  // Bins no wider than half a lattice cell in loss, so that the second cut costs little beside the first.
  constexpr double kMostBins = 1 << 20;
  const double length = group.high - group.low;
  const double width = std::max(0.5 * step / std::max(group.largest_slope(), 1e-300), length / kMostBins);
  // The table spans the range and the farthest component on either side.
  const double span = length + std::fabs(group.present.center(group.present.binomial.weight.size() - 1)) +
                      std::fabs(group.blank.center(group.blank.binomial.weight.size() - 1));
  if (width < 1 && span * (1 / width + 1) < 4 * kMostBins) {
    const auto m = static_cast<int64_t>(std::ceil(1 / width));
    add_bins_by_table(builder, group, m, static_cast<int64_t>(std::ceil(length * static_cast<double>(m))));
  } else {
    const auto bins = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(std::min(length / width, kMostBins))));
    add_bins_directly(builder, group, length / static_cast<double>(bins), bins);
  }
  return std::move(builder).build();
}

}  // namespace graphveil::account
