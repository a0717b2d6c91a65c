#include "graphveil/account/atoms_bounds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/account/normal.h"
#include "graphveil/account/zcdp.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

constexpr int64_t kCells = 4096;

// A cell of the base loss z = ln(P/Q) in [low, high]: masses under P and Q, the part of p that splitting moves to the
// high end and the part of q that it moves to the low end,
//   up = (p - q e^low) / (p (1 - e^-(high-low))),   down = (q - p e^-high) / (q (1 - e^-(high-low))).
struct Cell {
  double low, high, p, q, up, down;
};

// Collects cells and atoms of a symmetric base mechanism and turns them into what is left after Poisson sampling at
// `rate`: loss y = ln(1 - rate + rate e^z), P' = (1 - rate) Q + rate P. All differences are taken before sampling,
// where they are of the size of the cell: with
//   r = e^(y_high - y_low) - 1 = (e^(high-low) - 1) / ((1 - rate)/rate e^-low + 1)
// the excess P' - Q e^y_low is rate (p - q e^low), and Q - P' e^-y_high is rate e^(high - y_high) (q - p e^-high).
class Collector {
 public:
  explicit Collector(double rate) : rate_(rate) {}

  double loss(double z) const {
    if (rate_ >= 1) return z;
    return z < 30 ? std::log1p(rate_ * std::expm1(z)) : z + std::log(rate_ + (1 - rate_) * std::exp(-z));
  }

  void cell(const Cell& c) {
    const double mixed = (1 - rate_) * c.q + rate_ * c.p, width = c.high - c.low;
    const double r = std::expm1(width) / ((1 - rate_) / rate_ * std::exp(-c.low) + 1);
    const double stretch = -std::expm1(-width) * (1 + r) / r;
    const double upper = std::min(mixed, rate_ * c.p * std::clamp(c.up, 0.0, 1.0) * stretch * (1 + 1e-14));
    present(loss(c.low), mixed - upper);
    present(loss(c.high), upper);
    const double ratio = rate_ / ((1 - rate_) * std::exp(-c.high) + rate_);
    const double lower = std::min(c.q, ratio * c.q * std::clamp(c.down, 0.0, 1.0) * stretch * (1 + 1e-14));
    blank(-loss(c.low), lower);
    blank(-loss(c.high), c.q - lower);
  }

  void atom(double z, double p, double q) {
    present(loss(z), (1 - rate_) * q + rate_ * p);
    blank(-loss(z), q);
  }

  // All outcomes below the first cell, by their masses: at best the loss of its lower end, at worst that of P = 0.
  void below(double z, double p, double q) {
    present(loss(z), (1 - rate_) * q + rate_ * p);
    if (rate_ < 1) {
      blank(-std::log1p(-rate_), q);
    } else {
      out_.blank.infinity += q;
    }
  }
  void above(double z, double p, double q) {
    out_.present.infinity += (1 - rate_) * q + rate_ * p;
    blank(-loss(z), q);
  }

  AtomPair build() && { return {sorted(std::move(out_.present)), sorted(std::move(out_.blank))}; }

 private:
  void present(double at, double mass) {
    if (!(mass <= 0)) out_.present.add(at, mass);
  }
  void blank(double at, double mass) {
    if (!(mass <= 0)) out_.blank.add(at, mass);
  }

  double rate_;
  AtomPair out_;
};

// P(a < Z < b), relatively accurate to about 1e-16 / |b - a|.
double normal_between(double a, double b) {
  return a > 0 ? normal_cdf(-a) - normal_cdf(-b) : normal_cdf(b) - normal_cdf(a);
}

// The mean place in [0, 1] under a density as e^(-k s), |k| < 1, rounded up.
double mean_place(double k) { return 0.5 - k / 12 + std::fabs(k * k * k) / 720; }

// N(1, s^2) against N(0, s^2): z = m x + m^2/2 with m = 1/s and x standard normal under P, x + m under Q.
AtomPair gaussian_atoms(double noise_multiplier, double rate, double tail) {
  const double m = 1 / noise_multiplier, reach = std::sqrt(-2 * std::log(tail));
  const double first = std::max(-reach - m, -kLargestAtom / m - 0.5 * m);
  const double last = std::min(reach, kLargestAtom / m - 0.5 * m);
  Collector out(rate);
  const double dx = (last - first) / kCells;
  const auto z = [&](double x) { return m * (x + 0.5 * m); };
  out.below(z(first), normal_cdf(first), normal_cdf(first + m));
  for (int64_t k = 0; k < kCells; ++k) {
    const double a = first + static_cast<double>(k) * dx, b = first + static_cast<double>(k + 1) * dx;
    Cell c{z(a), z(b), normal_between(a, b), normal_between(a + m, b + m), 1, 1};
    if (!(c.p > 0) || !(c.q > 0)) {
      // Beyond the range of doubles on one side.
      if (c.p > 0) out.above(c.high, c.p, 0);
      if (c.q > 0) out.below(c.low, 0, c.q);
      continue;
    }
    const double width = m * dx, gap = -std::expm1(-width);
    const double error = 1e-14 / dx * (1 + std::max(std::fabs(a), std::fabs(b + m)));
    if (width > 1e-5) {
      c.up = (c.p - c.q * std::exp(c.low) * (1 - error * 1e-2)) / (c.p * gap) + 1e-2 * error / gap;
      c.down = (c.q - c.p * std::exp(-c.high) * (1 - error * 1e-2)) / (c.q * gap) + 1e-2 * error / gap;
    } else {
      // A log-concave density falls in a cell at least as steeply as at its near end, so its mean is below that of the
      // exponential with that slope; and 1 - e^-w s <= w s, w / (1 - e^-w) <= 1 + w.
      c.up = mean_place(a * dx) * (1 + width);
      c.down = mean_place(-(b + m) * dx) * (1 + width);
    }
    out.cell(c);
  }
  out.above(z(last), normal_cdf(-last), normal_cdf(-last - m));
  return std::move(out).build();
}

// Uniform cells in z over [-r, r] for a density under P as e^(z/2); `p_of(low, high)` is the mass under P. Under Q it
// is the mirror image.
template <typename Mass>
void add_bounded_cells(Collector& out, double r, Mass&& p_of) {
  const int64_t cells = std::clamp<int64_t>(static_cast<int64_t>(r / 0.01), 1024, 16 * kCells);
  const double width = 2 * r / static_cast<double>(cells);
  // Under P the mean of 1 - e^-s over the cell: the ratio of integrals of e^(s/2) (1 - e^-s) and e^(s/2), closed form
  // 2 (e^(w/2) + e^(-w/2) - 2) / (2 (e^(w/2) - 1)) = 1 - e^(-w/2).
  const double share = -std::expm1(-0.5 * width) / -std::expm1(-width) * (1 + 1e-14);
  for (int64_t k = 0; k < cells; ++k) {
    const double low = -r + static_cast<double>(k) * width;
    const double high = k + 1 == cells ? r : -r + static_cast<double>(k + 1) * width;
    out.cell({low, high, p_of(low, high), p_of(-high, -low), share, share});
  }
}

// Laplace of scale b moved by 1, r = 1/b: under P an atom 1/2 at +r, e^-r / 2 at -r, and density e^((z-r)/2) / 4.
AtomPair laplace_atoms(double noise_multiplier, double rate) {
  const double r = 1 / noise_multiplier;
  if (r > kLargestAtom) return {{{}, {}, 1}, {{}, {}, 1}};
  Collector out(rate);
  out.atom(-r, 0.5 * std::exp(-r), 0.5);
  add_bounded_cells(out, r, [r](double low, double high) {
    return 0.5 * std::exp(0.5 * (low - r)) * std::expm1(0.5 * (high - low));
  });
  out.atom(r, 0.5, 0.5 * std::exp(-r));
  return std::move(out).build();
}

// Bounded range: see ExponentialLoss in pld_bounds.cpp. Density c e^(z/2) / (2 (1 - c^2)), c = e^(-r/2).
AtomPair exponential_atoms(double r, double rate) {
  if (r > kLargestAtom) return {{{}, {}, 1}, {{}, {}, 1}};
  Collector out(rate);
  const double total = -std::expm1(-r);
  add_bounded_cells(out, r, [r, total](double low, double high) {
    return std::exp(0.5 * (low - r)) * std::expm1(0.5 * (high - low)) / total;
  });
  return std::move(out).build();
}

// Losses r, 0, -r with probabilities a, the rest, b = a e^-r.
AtomPair response_atoms(double r, double classes, double rate) {
  if (r > kLargestAtom) return {{{}, {}, 1}, {{}, {}, 1}};
  const double a = 1 / (1 + (classes - 1) * std::exp(-r)), b = a * std::exp(-r);
  Collector out(rate);
  out.atom(-r, b, a);
  if (classes > 2) out.atom(0, (classes - 2) * b, (classes - 2) * b);
  out.atom(r, a, b);
  return std::move(out).build();
}

struct PoissonVisitor {
  double rate, tail;
  AtomPair operator()(const Gaussian& m) const { return gaussian_atoms(m.noise_multiplier, rate, tail); }
  AtomPair operator()(const Laplace& m) const { return laplace_atoms(m.noise_multiplier, rate); }
  AtomPair operator()(const Exponential& m) const { return exponential_atoms(m.range, rate); }
  AtomPair operator()(const RandomizedResponse& m) const {
    return response_atoms(m.log_odds, static_cast<double>(m.classes), rate);
  }
  AtomPair operator()(const DiscreteLaplace& m) const { return response_atoms(1 / m.noise_multiplier, 2, rate); }
  AtomPair operator()(const DiscreteGaussian& m) const {
    return sampled(zcdp_atoms(0.5 / (m.noise_multiplier * m.noise_multiplier), tail), rate);
  }
};

struct AtomsOf {
  double tail;
  template <typename M>
  AtomPair operator()(const M& m, const NoSampling&) const {
    return PoissonVisitor{1, tail}(m);
  }
  template <typename M>
  AtomPair operator()(const M& m, const Poisson& s) const {
    return PoissonVisitor{s.rate, tail}(m);
  }
  AtomPair operator()(const Gaussian& m, const PoissonGroup& s) const {
    return group_atoms(m.noise_multiplier, s, tail);
  }
  template <typename M>
  AtomPair operator()(const M& m, const PoissonGroup&) const {
    fail(ErrorKind::Unsupported, "no privacy-loss distribution is known for {} noise under poisson-group sampling",
         kind(Mechanism(m)));
  }
};

}  // namespace

AtomPair base_atoms(const Mechanism& mechanism, const Sampling& sampling, double tail) {
  return std::visit(AtomsOf{tail}, mechanism, sampling);
}

}  // namespace graphveil::account
