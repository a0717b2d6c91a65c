#include "graphveil/account/rdp_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "graphveil/account/careful.h"
#include "graphveil/account/normal.h"
#include "graphveil/base/error.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// ln(e^x - 1), x > 0.
double log_expm1(double x) { return x > 40 ? x : std::log(std::expm1(x)); }

// ln(1 + e^x).
double log1p_exp(double x) { return x > 40 ? x : std::log1p(std::exp(x)); }

// ln sum_l C(order, l) (1 - rate)^(order - l) rate^l e^log_moment(l) for integer order. Moments 0 and 1 are 1 and the
// binomial weights sum to 1, so the sum is 1 + sum_(l >= 2) weight_l (e^log_moment(l) - 1): no digit is lost when all
// moments are close to 1.
template <typename LogMoment>
double log_binomial_sum(double rate, int64_t order, LogMoment&& log_moment) {
  const double a = static_cast<double>(order), log_odds = std::log(rate) - std::log1p(-rate);
  double log_weight = a * std::log1p(-rate), excess = -kInfinity;
  for (int64_t l = 1; l <= order; ++l) {
    const double x = static_cast<double>(l);
    log_weight += std::log((a - x + 1) / x) + log_odds;
    if (l >= 2) excess = log_add(excess, log_weight + log_expm1(log_moment(x)));
  }
  // The running weight gathers a rounding error a step, of the size of its logarithm.
  return log1p_exp(excess + 1e-13 * a);
}

// Poisson sampling at rate g of any mechanism, with the pair P, Q. Write M = (1 - g) Q + g P. For integer order a
//   E_Q[(M/Q)^a] = sum_l C(a, l) (1 - g)^(a - l) g^l E_Q[(P/Q)^l],
// and log_moment(l) bounds both ln E_Q[(P/Q)^l] and ln E_P[(Q/P)^l]. The other direction, E_M[(Q/M)^a], is at most a
// mean of this sum and of the one with P and Q exchanged: the lemma on sampling in docs/guarantees.md.
// ln E[(P/Q)^a] is convex in a and 0 at a = 1: between integers the chord is above it.
template <typename LogMoment>
double sampled_moments(double rate, double order, LogMoment&& log_moment) {
  const double below = std::floor(order), above = std::ceil(order);
  const double upper = log_binomial_sum(rate, static_cast<int64_t>(above), log_moment);
  if (above == below) return nonnegative(upper / (order - 1));
  const double lower = below <= 1 ? 0 : log_binomial_sum(rate, static_cast<int64_t>(below), log_moment);
  return nonnegative((lower + (order - below) * (upper - lower)) / (order - 1));
}

// ln |C(a, i)| for real a and integer i, and its sign.
struct SignedLog {
  double log;
  bool positive;
};

// ln E_Q[((1 - q) + q P/Q)^a] for Gaussian noise and real a (Mironov, Talwar, Zhang 2019, section 3.3): the line is cut
// at z0 = s^2 ln(1/q - 1) + 1/2, where both terms are equal, and the power expanded around the larger one on either
// side:
//   sum_i C(a, i) (1-q)^(a-i) q^i e^((i^2 - i)/2s^2) Phi((z0 - i)/s)
//   + sum_i C(a, i) (1-q)^i q^j e^((j^2 - j)/2s^2) Phi((j - z0)/s),   j = a - i.
// The terms alternate in sign beyond i > a and fall; the sum stops when they no longer matter and the last one is added
// on top, which makes it an upper bound.
double log_moment_real_order(double s, double q, double a) {
  const double z0 = s * s * std::log(1 / q - 1) + 0.5, log_q = std::log(q), log_rest = std::log1p(-q);
  double positive = -kInfinity, negative = -kInfinity;
  SignedLog choose{0, true};
  constexpr int64_t kMostTerms = 1000;
  for (int64_t i = 0;; ++i) {
    const double x = static_cast<double>(i), j = a - x;
    const double left =
        choose.log + x * log_q + j * log_rest + (x * x - x) / (2 * s * s) + log_normal_cdf((z0 - x) / s);
    const double right =
        choose.log + j * log_q + x * log_rest + (j * j - j) / (2 * s * s) + log_normal_cdf((j - z0) / s);
    const double term = log_add(left, right);
    double& side = choose.positive ? positive : negative;
    side = log_add(side, term);
    if (x > a + 1 && (term < std::max(positive, negative) - 36 || i >= kMostTerms)) {
      positive = log_add(positive, term);
      break;
    }
    const double factor = (a - x) / (x + 1);
    choose.log += std::log(std::fabs(factor));
    choose.positive = choose.positive == (factor > 0);
  }
  // Rounding: terms of either sign are known to 1e-12 of the larger sum.
  return log_add(log_sub(positive, negative), positive + std::log(1e-12));
}

// ln( l/(2l-1) e^((l-1) r) + (l-1)/(2l-1) e^(-l r) ), zero at l = 0 and 1.
double laplace_log_moment(double r, double l) {
  if (l <= 1) return 0;
  const double up = l / (2 * l - 1), down = (l - 1) / (2 * l - 1);
  if ((l - 1) * r > 1) return log_add(std::log(up) + (l - 1) * r, std::log(down) - l * r) + 1e-15 * l * r;
  // Near zero the two terms cancel to second order; what rounding may hide is added.
  const double rise = up * std::expm1((l - 1) * r), fall = down * std::expm1(-l * r);
  return std::log1p(rise + fall + 1e-15 * (rise - fall));
}

struct RenyiOf {
  double order;

  double operator()(const Gaussian& m, const NoSampling&) const { return rdp_gaussian(m.noise_multiplier, order); }
  double operator()(const Laplace& m, const NoSampling&) const { return rdp_laplace(m.noise_multiplier, order); }
  double operator()(const Exponential& m, const NoSampling&) const { return rdp_exponential(m.range, order); }
  double operator()(const RandomizedResponse& m, const NoSampling&) const {
    return rdp_randomized_response(m, 1, order);
  }
  double operator()(const Gaussian& m, const Poisson& s) const {
    return rdp_sampled_gaussian(m.noise_multiplier, s.rate, order);
  }
  double operator()(const Laplace& m, const Poisson& s) const {
    return rdp_sampled_laplace(m.noise_multiplier, s.rate, order);
  }
  double operator()(const Exponential& m, const Poisson& s) const {
    return rdp_sampled_exponential(m.range, s.rate, order);
  }
  double operator()(const RandomizedResponse& m, const Poisson& s) const {
    return rdp_randomized_response(m, s.rate, order);
  }
  double operator()(const Gaussian& m, const PoissonGroup& s) const {
    return rdp_group_gaussian(m.noise_multiplier, s, order);
  }
  double operator()(const DiscreteLaplace& m, const NoSampling&) const { return (*this)(m, Poisson{1}); }
  double operator()(const DiscreteLaplace& m, const Poisson& s) const {
    if (m.noise_multiplier == 0) return s.rate == 0 ? 0 : kInfinity;
    return rdp_randomized_response({1 / m.noise_multiplier, 2}, s.rate, order);
  }
  // zCDP with the rho of the Gaussian (Canonne, Kamath, Steinke 2020).
  double operator()(const DiscreteGaussian& m, const NoSampling&) const {
    return rdp_gaussian(m.noise_multiplier, order);
  }
  double operator()(const DiscreteGaussian& m, const Poisson& s) const {
    if (s.rate == 0) return 0;
    if (m.noise_multiplier == 0) return kInfinity;
    return rdp_sampled_whole(
        s.rate, [&m](double a) { return rdp_gaussian(m.noise_multiplier, a); }, order);
  }
  template <typename M>
  double operator()(const M& m, const PoissonGroup&) const {
    fail(ErrorKind::Unsupported, "no Renyi bound is known for {} noise under poisson-group sampling",
         kind(Mechanism(m)));
  }
};

}  // namespace

double rdp_bound(const Mechanism& mechanism, const Sampling& sampling, double order) {
  require(order > 1 && std::isfinite(order), "order is {}; wanted a finite number > 1", order);
  return proven(std::visit(RenyiOf{order}, mechanism, sampling));
}

// N(1, s^2) against N(0, s^2).
double rdp_gaussian(double noise_multiplier, double order) { return order / (2 * noise_multiplier * noise_multiplier); }

// Mironov 2017, Proposition 6.
double rdp_laplace(double noise_multiplier, double order) {
  if (noise_multiplier == 0) return kInfinity;
  return laplace_log_moment(1 / noise_multiplier, order) / (order - 1);
}

// Bounded range r: two atoms at t and t - r for some t in [0, r] are the worst. With x = e^t, rho = e^-r,
//   E_Q[(P/Q)^a] = (x^(a-1) (1 - rho^a) - x^a (rho - rho^a)) / (1 - rho),
// largest at x = (a-1)(1 - rho^a) / (a (rho - rho^a)), within [1, 1/rho]. At most a r^2 / 8 (Cesar and Rogers 2021).
double rdp_exponential(double range, double order) {
  const double quadratic = order * range * range / 8;
  // Small ranges leave nothing to gain, and would lose digits below.
  if (range < 0.1) return std::min(quadratic, range);
  const double log_rest = std::log(-std::expm1(-order * range));  // ln(1 - rho^a)
  if (range > 30) {
    // t = range - below, with `below` a few units whatever the range: t + log_gap must not be left to rounding.
    const double log_rest_below = std::log(-std::expm1(-(order - 1) * range));  // ln(1 - rho^(a-1))
    const double below = std::clamp(log_rest_below - std::log((order - 1) / order) - log_rest, 0.0, range);
    const double log_factor = log_sub(log_rest, log_rest_below - below) - std::log(-std::expm1(-range));
    return std::min({range - below + log_factor / (order - 1) + 1e-14 * range, quadratic, range});
  }
  const double log_gap = -range + std::log(-std::expm1(-(order - 1) * range));  // ln(rho - rho^a)
  const double t = std::clamp(std::log((order - 1) / order) + log_rest - log_gap, 0.0, range);
  const double log_moment = (order - 1) * t + log_sub(log_rest, t + log_gap) - std::log(-std::expm1(-range));
  const double exact = log_moment / (order - 1) + 1e-12;
  return std::min({exact, quadratic, range});
}

// Three atoms: ln sum p^a q^(1-a), both ways.
double rdp_randomized_response(const RandomizedResponse& m, double rate, double order) {
  if (rate == 0 || m.log_odds == 0) return 0;
  const double others = static_cast<double>(m.classes - 1);
  const double log_a = -std::log1p(others * std::exp(-m.log_odds)), log_b = log_a - m.log_odds;
  const double log_rest = rate < 1 ? std::log1p(-rate) : -kInfinity, log_rate = std::log(rate);
  const double log_for = log_add(log_rest + log_b, log_rate + log_a);      // outcome i, present
  const double log_against = log_add(log_rest + log_a, log_rate + log_b);  // outcome j, present
  const double log_other = others > 1 ? std::log(others - 1) + log_b : -kInfinity;
  const auto moment = [&](double p_for, double q_for, double p_against, double q_against) {
    return log_add(log_add(order * p_for + (1 - order) * q_for, order * p_against + (1 - order) * q_against),
                   log_other);
  };
  const double log_moment =
      larger(moment(log_for, log_b, log_against, log_a), moment(log_b, log_for, log_a, log_against));
  // Each logarithm is off by a few units in the last place.
  return nonnegative(log_moment + 1e-14 * order) / (order - 1);
}

double rdp_sampled_gaussian(double noise_multiplier, double rate, double order) {
  const double s = noise_multiplier;
  if (rate == 0) return 0;
  if (s == 0) return kInfinity;
  if (rate == 1 || order > kHighestSampledOrder) return rdp_gaussian(s, order);
  if (order == std::floor(order) || order > 64) {
    // Divergences grow with the order, so a high one may be rounded up.
    const double up = std::ceil(order);
    const double log_moment =
        log_binomial_sum(rate, static_cast<int64_t>(up), [s](double l) { return (l * l - l) / (2 * s * s); });
    return nonnegative(log_moment / (up - 1));
  }
  return nonnegative(log_moment_real_order(s, rate, order) / (order - 1));
}

double rdp_sampled_laplace(double noise_multiplier, double rate, double order) {
  if (rate == 0) return 0;
  if (noise_multiplier == 0) return kInfinity;
  if (rate == 1 || order > kHighestSampledOrder) return rdp_laplace(noise_multiplier, order);
  const double r = 1 / noise_multiplier;
  return sampled_moments(rate, order, [r](double l) { return laplace_log_moment(r, l); });
}

double rdp_sampled_exponential(double range, double rate, double order) {
  if (rate == 0 || range == 0) return 0;
  return rdp_sampled_whole(
      rate, [range](double a) { return rdp_exponential(range, a); }, order);
}

double rdp_sampled_whole(double rate, const std::function<double(double)>& whole, double order) {
  if (rate == 0) return 0;
  const double unsampled = whole(order);
  if (rate == 1 || order > kHighestSampledOrder) return unsampled;
  return std::min(unsampled, sampled_moments(rate, order, [&](double l) { return l <= 1 ? 0.0 : (l - 1) * whole(l); }));
}

// e^((a-1) D_a) is jointly convex, so mixtures are bounded by the mean over any coupling of their components:
//   E[exp(a (a-1) (i + j)^2 / 2s^2)],  i ~ Binom(deletions, rate), j ~ Binom(insertions, rate).
// The function is convex in i + j: the coupling that pairs large i with small j makes it smallest.
double rdp_group_gaussian(double noise_multiplier, const PoissonGroup& group, double order) {
  if (group.rate == 0 || group.deletions + group.insertions == 0) return 0;
  if (noise_multiplier == 0) return kInfinity;
  // A group so large is priced as if all of it were drawn, always: every component moves by no more than that.
  constexpr int64_t kLargestGroup = 100'000;
  const double all = static_cast<double>(group.deletions) + static_cast<double>(group.insertions);
  if (group.deletions > kLargestGroup || group.insertions > kLargestGroup) {
    return rdp_gaussian(noise_multiplier / all, order);
  }
  const auto binomial = [&](int64_t n) {
    std::vector<double> p(static_cast<size_t>(n) + 1);
    const double log_rate = std::log(group.rate), log_rest = std::log1p(-group.rate), count = static_cast<double>(n);
    for (size_t i = 0; i < p.size(); ++i) {
      const double x = static_cast<double>(i);
      const double rest = x == count ? 0 : (count - x) * log_rest;  // no 0 * infinity at rate 1
      p[i] = std::exp(log_choose(count, x) + x * log_rate + rest);
    }
    return p;
  };
  const double factor = order * (order - 1) / (2 * noise_multiplier * noise_multiplier);
  // Half of the mass from either end, where the masses are smallest: what is left of a large one after many small ones
  // were taken from it has no digits for them. `falls` are the masses of the number that is large at this end.
  const auto half = [&](std::vector<double> falls, std::vector<double> rises) {
    double sum = -kInfinity, left = 0.5;
    size_t i = falls.size() - 1, j = 0;
    while (left > 0) {
      const double shared = std::min({falls[i], rises[j], left}), shift = static_cast<double>(i + j);
      if (shared > 0) sum = log_add(sum, std::log(shared) + factor * shift * shift);
      falls[i] -= shared;
      rises[j] -= shared;
      left -= shared;
      const bool i_done = falls[i] <= 0, j_done = rises[j] <= 0;
      if ((i_done && i == 0) || (j_done && j + 1 == rises.size())) {
        // Masses that add up to less than they should by rounding: the rest where this one ended, or dearer.
        const double most = static_cast<double>(falls.size() - 1 + rises.size() - 1);
        if (left > 1e-10) return factor * most * most;
        return log_add(sum, std::log(left) + factor * (shift + 1) * (shift + 1));
      }
      if (i_done) --i;
      if (j_done) ++j;
    }
    return sum;
  };
  const std::vector<double> up = binomial(group.deletions), down = binomial(group.insertions);
  // Log-gammas of n are off by n ln n units in the last place at most.
  const double log_moment = log_add(half(up, down), half(down, up)) + 1e-12 + 4e-16 * all * std::log(all + 1);
  return nonnegative(log_moment) / (order - 1);
}

double rdp_hypergeometric_group(double noise_multiplier, int64_t population, int64_t touched, int64_t batch,
                                double order) {
  require(order > 1, "order is {}; wanted a number > 1", order);
  require(population >= 1 && touched >= 0 && batch >= 0 && batch <= population,
          "population {}, touched {}, batch {}; wanted 0 <= batch <= population and touched >= 0", population, touched,
          batch);
  const int64_t marked = std::min(touched, population);
  if (noise_multiplier == 0) return marked > 0 && batch > 0 ? kInfinity : 0;
  const double n = static_cast<double>(population), k = static_cast<double>(marked), m = static_cast<double>(batch);
  const double factor = 2 * order * (order - 1) / (noise_multiplier * noise_multiplier);
  // E[e^f] = 1 + E[e^f - 1], as in log_binomial_sum.
  double excess = -kInfinity;
  for (int64_t i = std::max<int64_t>(1, batch + marked - population); i <= std::min(marked, batch); ++i) {
    const double x = static_cast<double>(i);
    const double log_weight = log_choose(k, x) + log_choose(n - k, m - x) - log_choose(n, m);
    excess = log_add(excess, log_weight + log_expm1(factor * x * x));
  }
  return log1p_exp(excess) / (order - 1);
}

}  // namespace graphveil::account
