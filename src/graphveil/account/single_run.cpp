#include "graphveil/account/single_run.h"

#include <algorithm>
#include <cmath>

#include "graphveil/account/gdp.h"
#include "graphveil/account/zcdp.h"

namespace graphveil::account {
namespace {

// Losses are known to a few units in the last place.
constexpr double kOneRunUp = 1 + 1e-14;

// Each: the smallest e >= 0 with delta(e) <= d, 0 < d < 1.
struct Whole {
  double delta;

  double operator()(const Gaussian& m) const { return gdp_epsilon(1 / m.noise_multiplier, delta); }

  // delta(e) = 1 - e^((e-r)/2), 0 <= e <= r = 1/b.
  double operator()(const Laplace& m) const {
    const double r = 1 / m.noise_multiplier;
    return std::max(0.0, r + 2 * std::log1p(-delta)) + 1e-15 * r;
  }

  // delta(e) = (1 - e^((e-r)/2))^2 / (1 - e^-r).
  double operator()(const Exponential& m) const {
    const double root = std::sqrt(delta * -std::expm1(-m.range));
    return std::max(0.0, m.range + 2 * std::log1p(-root)) + 1e-15 * m.range;
  }

  // delta(e) = a - e^e b for e up to r = ln(a/b): only the record's own label speaks for it.
  double operator()(const RandomizedResponse& m) const {
    const double over = delta * (1 + static_cast<double>(m.classes - 1) * std::exp(-m.log_odds));  // delta / a
    return over >= 1 ? 0 : std::max(0.0, m.log_odds + std::log1p(-over)) + 1e-15 * m.log_odds;
  }

  double operator()(const DiscreteLaplace& m) const { return (*this)(RandomizedResponse{1 / m.noise_multiplier, 2}); }

  double operator()(const DiscreteGaussian& m) const {
    return zcdp_epsilon(0.5 / (m.noise_multiplier * m.noise_multiplier), delta);
  }
};

struct UnderSampling {
  const Mechanism& mechanism;
  double delta;

  std::optional<double> operator()(const NoSampling&) const { return std::visit(Whole{delta}, mechanism) * kOneRunUp; }
  std::optional<double> operator()(const Poisson& s) const {
    if (delta >= s.rate) return 0;
    const double whole = std::visit(Whole{delta / s.rate * (1 - 2e-16)}, mechanism);
    if (whole < 30) return std::log1p(s.rate * std::expm1(whole)) * kOneRunUp;
    return (whole + std::log(s.rate + (1 - s.rate) * std::exp(-whole))) * kOneRunUp;
  }
  std::optional<double> operator()(const PoissonGroup&) const { return std::nullopt; }
};

}  // namespace

std::optional<double> single_run_epsilon(const Mechanism& mechanism, const Sampling& sampling, double delta) {
  return std::visit(UnderSampling{mechanism, delta}, sampling);
}

}  // namespace graphveil::account
