#include "graphveil/account/drawn.h"

#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

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

// The last prices. A run asks for one again and again: when its noise is chosen, before it draws, and for every
// statement of its certificate that costs the same.
class LastPrices {
 public:
  static LastPrices& instance() {
    static LastPrices prices;
    return prices;
  }
  double epsilon(const Ledger& ledger, double delta, Accountant accountant) {
    if (const std::optional<double> known = find(ledger, delta, accountant)) return *known;
    const double epsilon = spent_epsilon(ledger, delta, accountant);
    const std::lock_guard lock(mutex_);
    prices_.push_back({ledger, delta, accountant, epsilon});
    if (prices_.size() > kMost) prices_.pop_front();
    return epsilon;
  }

 private:
  static constexpr size_t kMost = 32;
  struct Price {
    Ledger ledger;
    double delta;
    Accountant accountant;
    double epsilon;
  };
  std::optional<double> find(const Ledger& ledger, double delta, Accountant accountant) {
    const std::lock_guard lock(mutex_);
    for (const Price& price : prices_) {
      if (price.delta == delta && price.accountant == accountant && price.ledger == ledger) return price.epsilon;
    }
    return std::nullopt;
  }
  std::mutex mutex_;
  std::deque<Price> prices_;
};

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
  const double epsilon = LastPrices::instance().epsilon(ledger, delta * (1 - owed), accountant);
  return std::nextafter(epsilon + owed, std::numeric_limits<double>::infinity());
}

}  // namespace graphveil::account
