#include "graphveil/account/drawn.h"

#include <cmath>
#include <limits>

#include "graphveil/account/accountant.h"

namespace graphveil::account {
namespace {

constexpr double kPerEvent = 0x1p-49;

struct OffBy {
  double operator()(const Gaussian&) const { return kPerEvent; }
  double operator()(const Laplace&) const { return kPerEvent; }
  double operator()(const Exponential&) const { return 0; }
  double operator()(const RandomizedResponse&) const { return 0; }
  double operator()(const DiscreteLaplace&) const { return 0; }
  double operator()(const DiscreteGaussian&) const { return kPerEvent; }
};

// How much more the best of several trials is off than one.
struct TimesInASearch {
  double operator()(const NegativeBinomial& t) const { return 1 + (1 + t.shape) / t.stop; }
  double operator()(const PositivePoisson& t) const { return 1 + t.rate; }
};

double off_by(const Event& event) {
  struct Visitor {
    double operator()(const Single& s) const { return std::visit(OffBy{}, s.mechanism); }
    double operator()(const Sampled& s) const { return off_by(*s.event); }
    double operator()(const Composed& s) const {
      double sum = 0;
      for (const Event& part : s.events) sum += off_by(part);
      return sum;
    }
    double operator()(const Tuned& s) const { return off_by(*s.event) * std::visit(TimesInASearch{}, s.trials); }
  };
  return static_cast<double>(event.count()) * std::visit(Visitor{}, event.body());
}

}  // namespace

double sampler_epsilon(const Ledger& ledger) {
  double k = 0;
  for (const Event& event : ledger.events()) k += off_by(event);
  return 3 * k * (1 + 0x1p-30);  // for the rounding of these sums
}

double drawn_epsilon(const Ledger& ledger, double delta, Accountant accountant) {
  const double owed = sampler_epsilon(ledger);
  if (owed == 0 || delta == 0) return spent_epsilon(ledger, delta, accountant);
  // The bounds above are for small k.
  if (owed > 0x1p-10) return std::numeric_limits<double>::infinity();
  const double epsilon = spent_epsilon(ledger, delta * (1 - owed), accountant);
  return std::nextafter(epsilon + owed, std::numeric_limits<double>::infinity());
}

}  // namespace graphveil::account
