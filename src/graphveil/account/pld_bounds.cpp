#include "graphveil/account/pld_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/atoms_bounds.h"
#include "graphveil/account/normal.h"
#include "graphveil/account/zcdp.h"
#include "graphveil/base/error.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// Relative error of a tail probability: a few units in the last place of erfc or exp, and the rounding of the argument
// x, which moves ln P(Z > x) by x^2 units (|x| < 30 here).
constexpr double kTailError = 1e-13;

// A distribution function at one point, kept as whichever tail is the smaller so that differences stay accurate.
struct Tail {
  double mass;  // P(L <= z) when below, P(L > z) when above
  bool above;
};

double between(const Tail& low, const Tail& high) {
  if (low.above) return std::max(0.0, low.mass - high.mass);
  if (high.above) return 1 - low.mass - high.mass;
  return std::max(0.0, high.mass - low.mass);
}

double below(const Tail& t) { return t.above ? 1 - t.mass : t.mass; }
double above(const Tail& t) { return t.above ? t.mass : 1 - t.mass; }

// Each base mechanism: the distribution of its own loss z = ln(P/Q) under P and under Q. All are symmetric:
// L under Q has the law of -L under P, so Q(L <= z) = P(L >= -z).

// N(1, s^2) against N(0, s^2): z is normal with mean +-m^2/2 and deviation m = 1/s.
struct GaussianLoss {
  double m;
  explicit GaussianLoss(double noise_multiplier) : m(1 / noise_multiplier) {}
  Tail tail(double x) const { return {normal_cdf(-std::fabs(x)), x > 0}; }
  Tail p(double z) const { return tail(z / m - 0.5 * m); }
  Tail q(double z) const { return tail(z / m + 0.5 * m); }
  // P(Z > x) <= exp(-x^2 / 2), so x = sqrt(2 ln 1/t) leaves at most t outside.
  double reach(double t) const { return 0.5 * m * m + m * std::sqrt(-2 * std::log(t)); }
};

// Laplace of scale b moved by 1: z = (|x| - |x - 1|) / b lies in [-r, r], r = 1/b. Under P it has an atom 1/2 at +r and
// P(L <= z) = exp((z - r) / 2) / 2 below it.
struct LaplaceLoss {
  double r;
  explicit LaplaceLoss(double noise_multiplier) : r(1 / noise_multiplier) {}
  Tail p(double z) const {
    if (z >= r) return {0, true};
    return {z < -r ? 0 : 0.5 * std::exp(0.5 * (z - r)), false};
  }
  Tail q(double z) const {
    if (z < -r) return {0, false};
    return {z >= r ? 0 : 0.5 * std::exp(-0.5 * (z + r)), true};
  }
  double reach(double) const { return r; }
};

// Bounded range r: for some t in [0, r] the loss lies in [t - r, t], and the worst such pair has two atoms, so
//   delta(e) = sup_t (1 - e^(t-r)) (1 - e^(e-t)) / (1 - e^-r) = (1 - e^((e-r)/2))^2 / (1 - e^-r),  |e| <= r,
// at t = (e + r) / 2 (Dong, Durfee, Rogers 2020). A supremum of hockey-stick curves is convex in e^e and so is itself
// the curve of a pair (Zhu, Dong, Wang 2022), whose law is the second derivative: with c = e^(-r/2),
//   P(L <= z) = c (e^(z/2) - c) / (1 - c^2),  |z| <= r, no atoms.
struct ExponentialLoss {
  double r;
  explicit ExponentialLoss(double range) : r(range) {}
  Tail p(double z) const {
    if (z <= -r) return {0, false};
    if (z >= r) return {0, true};
    const double total = -std::expm1(-r);
    const double under = std::exp(-r) * std::expm1(0.5 * (z + r)) / total;
    if (under < 0.5) return {under, false};
    return {-std::expm1(0.5 * (z - r)) / total, true};
  }
  Tail q(double z) const {
    const Tail mirrored = p(-z);
    return {mirrored.mass, !mirrored.above};
  }
  double reach(double) const { return r; }
};

// Poisson sampling at rate g (Zhu, Dong, Wang 2022, Theorem 11): the record takes part with probability g, so
// P' = (1 - g) Q + g P against Q, and in the other direction Q against P'. The new loss is
// y = ln(1 - g + g e^z), increasing in the old one, and z(y) = ln(1 + (e^y - 1) / g).
double sampled_loss(double z, double rate) { return rate >= 1 ? z : std::log1p(rate * std::expm1(z)); }

double base_loss(double y, double rate) {
  if (rate >= 1) return y;
  const double u = std::expm1(y) / rate;
  return u <= -1 ? -kInfinity : std::log1p(u);
}

template <typename Base>
LossRange sampled_range(const Base& base, double rate, double tail) {
  const double reach = std::min(base.reach(tail), kLargestLoss);
  return {sampled_loss(-reach, rate), sampled_loss(reach, rate)};
}

template <typename Base>
LossPair sampled_pair(const Base& base, double rate, double step, double tail) {
  const LossRange range = sampled_range(base, rate, tail);
  LossPairBuilder builder(step, range.low, range.high);
  const auto at = [&](int64_t k) { return base_loss(static_cast<double>(k) * step, rate); };
  double z = at(builder.first()), ratio = std::exp(z);
  Tail p_low = base.p(z), q_low = base.q(z);
  builder.add_below((1 - rate) * below(q_low) + rate * below(p_low), below(q_low));
  for (int64_t k = builder.first(); k < builder.last(); ++k) {
    z = at(k + 1);
    const Tail p_high = base.p(z), q_high = base.q(z);
    const double p = between(p_low, p_high), q = between(q_low, q_high);
    const double p_error = kTailError * (p_low.mass + p_high.mass), q_error = kTailError * (q_low.mass + q_high.mass);
    // Sampling scales both differences: P' - Q e^y = rate (P - Q e^z), and Q - P' e^-y = rate e^(z-y) (Q - P e^-z).
    // Taken here, before it, they keep their digits at any rate. A lattice point below ln(1 - rate), the lowest loss,
    // has no z: there P' - Q e^y = rate P + Q (1 - rate - e^y).
    const double next = std::exp(z), factor = rate / ((1 - rate) / next + rate);
    double up = rate * (p - q * ratio + (p_error + q_error * ratio));
    if (ratio == 0) up = rate * (p + p_error) + (q + q_error) * (-rate - std::expm1(static_cast<double>(k) * step));
    const double down = next > 0 ? factor * (q - p / next + (q_error + p_error / next)) : q;
    builder.add_split_cell(k, (1 - rate) * q + rate * p, q, up, down);
    ratio = next;
    p_low = p_high;
    q_low = q_high;
  }
  builder.add_above((1 - rate) * above(q_low) + rate * above(p_low), above(q_low));
  return std::move(builder).build();
}

// C-ary randomized response between two labels i (present) and j (blank): a = P(keep), b = P(each other one).
// Outcomes i, j and all the rest: losses r, -r, 0 with r = ln(a / b).
struct Response {
  double a, b, rest;
  explicit Response(const RandomizedResponse& m) {
    const double others = static_cast<double>(m.classes - 1);
    b = std::exp(-m.log_odds) / (1 + others * std::exp(-m.log_odds));
    a = 1 / (1 + others * std::exp(-m.log_odds));
    rest = (others - 1) * b;
  }
};

LossPair response_pair(const RandomizedResponse& mechanism, double rate, double step) {
  const Response r(mechanism);
  const double top = sampled_loss(mechanism.log_odds, rate), bottom = sampled_loss(-mechanism.log_odds, rate);
  LossPairBuilder builder(step, std::max(bottom, -kLargestLoss), std::min(top, kLargestLoss));
  const auto add = [&](double loss, double p, double q) {
    builder.add_present_at(loss, p);
    builder.add_blank_at(loss, q);
  };
  // The losses by their own formula: at a small rate the ratio of the masses has few digits.
  add(top, (1 - rate) * r.b + rate * r.a, r.b);
  add(bottom, (1 - rate) * r.a + rate * r.b, r.a);
  if (r.rest > 0) add(0, r.rest, r.rest);
  return std::move(builder).build();
}

RandomizedResponse as_response(const DiscreteLaplace& m) { return {1 / m.noise_multiplier, 2}; }
double rho_of(const DiscreteGaussian& m) { return 0.5 / (m.noise_multiplier * m.noise_multiplier); }

// One visit per (mechanism, sampling) pair; what is not listed is refused.
template <typename Visitor, typename Result = LossRange>
struct Pairs {
  const Visitor& visitor;

  template <typename M>
  Result operator()(const M& m, const NoSampling&) const {
    return visitor(m, 1.0);
  }
  template <typename M>
  Result operator()(const M& m, const Poisson& s) const {
    return visitor(m, s.rate);
  }
  Result operator()(const Gaussian& m, const PoissonGroup& s) const { return visitor(m, s); }
  template <typename M>
  Result operator()(const M& m, const PoissonGroup&) const {
    fail(ErrorKind::Unsupported, "no privacy-loss distribution is known for {} noise under poisson-group sampling",
         kind(Mechanism(m)));
  }
};

struct RangeVisitor {
  double tail;
  LossRange operator()(const Gaussian& m, double rate) const {
    return sampled_range(GaussianLoss(m.noise_multiplier), rate, tail);
  }
  LossRange operator()(const Laplace& m, double rate) const {
    return sampled_range(LaplaceLoss(m.noise_multiplier), rate, tail);
  }
  LossRange operator()(const Exponential& m, double rate) const {
    return sampled_range(ExponentialLoss(m.range), rate, tail);
  }
  LossRange operator()(const RandomizedResponse& m, double rate) const {
    const double reach = std::min(m.log_odds, kLargestLoss);
    return {sampled_loss(-reach, rate), sampled_loss(reach, rate)};
  }
  LossRange operator()(const DiscreteLaplace& m, double rate) const { return (*this)(as_response(m), rate); }
  LossRange operator()(const DiscreteGaussian& m, double rate) const {
    const double reach = std::min(zcdp_epsilon(rho_of(m), std::min(tail, 0.5)), kLargestLoss);
    return {sampled_loss(-reach, rate), sampled_loss(reach, rate)};
  }
  LossRange operator()(const Gaussian& m, const PoissonGroup& s) const {
    return group_loss_range(m.noise_multiplier, s, tail);
  }
};

struct PairVisitor {
  double step, tail;
  LossPair operator()(const Gaussian& m, double rate) const {
    return sampled_pair(GaussianLoss(m.noise_multiplier), rate, step, tail);
  }
  LossPair operator()(const Laplace& m, double rate) const {
    return sampled_pair(LaplaceLoss(m.noise_multiplier), rate, step, tail);
  }
  LossPair operator()(const Exponential& m, double rate) const {
    return sampled_pair(ExponentialLoss(m.range), rate, step, tail);
  }
  LossPair operator()(const RandomizedResponse& m, double rate) const { return response_pair(m, rate, step); }
  LossPair operator()(const DiscreteLaplace& m, double rate) const { return response_pair(as_response(m), rate, step); }
  LossPair operator()(const DiscreteGaussian& m, double rate) const {
    const LossRange range = RangeVisitor{tail}(m, rate);
    const AtomPair atoms = sampled(zcdp_atoms(rho_of(m), tail), rate);
    LossPairBuilder builder(step, range.low, range.high);
    for (size_t i = 0; i < atoms.present.size(); ++i)
      builder.add_present_at(atoms.present.loss[i], atoms.present.mass[i]);
    for (size_t i = 0; i < atoms.blank.size(); ++i) builder.add_blank_at(-atoms.blank.loss[i], atoms.blank.mass[i]);
    builder.add_present_infinity(atoms.present.infinity);
    builder.add_blank_infinity(atoms.blank.infinity);
    return std::move(builder).build();
  }
  LossPair operator()(const Gaussian& m, const PoissonGroup& s) const {
    return discretize_group(m.noise_multiplier, s, step, tail);
  }
};

struct LargestVisitor {
  // Under sampling at rate g the upper direction has ln(1 - g + g e^r), the lower -ln(1 - g + g e^-r), which is
  // smaller: (1 - g + g e^r)(1 - g + g e^-r) >= 1.
  double operator()(const Gaussian&, double) const { return kInfinity; }
  double operator()(const Laplace& m, double rate) const { return bounded(1 / m.noise_multiplier, rate); }
  double operator()(const Exponential& m, double rate) const { return bounded(m.range, rate); }
  double operator()(const RandomizedResponse& m, double rate) const { return bounded(m.log_odds, rate); }
  double operator()(const DiscreteLaplace& m, double rate) const { return bounded(1 / m.noise_multiplier, rate); }
  double operator()(const DiscreteGaussian&, double) const { return kInfinity; }
  double operator()(const Gaussian&, const PoissonGroup&) const { return kInfinity; }

  static double bounded(double r, double rate) {
    // ln(1 - g + g e^r) = r + ln(g + (1 - g) e^-r): the second form does not overflow.
    return r < 30 ? sampled_loss(r, rate) : r + std::log(rate + (1 - rate) * std::exp(-r));
  }
};

}  // namespace

LossRange loss_range(const Mechanism& mechanism, const Sampling& sampling, double tail) {
  const RangeVisitor visitor{tail};
  return std::visit(Pairs<RangeVisitor>{visitor}, mechanism, sampling);
}

LossPair discretize(const Mechanism& mechanism, const Sampling& sampling, double step, double tail) {
  const PairVisitor visitor{step, tail};
  return std::visit(Pairs<PairVisitor, LossPair>{visitor}, mechanism, sampling);
}

double largest_loss(const Mechanism& mechanism, const Sampling& sampling) {
  const LargestVisitor visitor;
  return std::visit(Pairs<LargestVisitor, double>{visitor}, mechanism, sampling);
}

}  // namespace graphveil::account
