#include "cli/changed_noise.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace graphveil::cli {
namespace {

account::Event changed(const account::Event& event, const Change& change);

struct ChangeBody {
  const account::Event& event;
  const Change& change;
  std::shared_ptr<const account::Event> inner(const account::Event& e) const {
    return std::make_shared<const account::Event>(changed(e, change));
  }
  account::Event operator()(const account::Single& s) const {
    return account::Event(event.label(), change(s.mechanism), s.sampling, event.count());
  }
  account::Event operator()(const account::Sampled& s) const {
    return account::Event(event.label(), account::Sampled{s.rate, inner(*s.event)}, event.count());
  }
  account::Event operator()(const account::Composed& c) const {
    account::Composed body;
    for (const account::Event& e : c.events) body.events.push_back(changed(e, change));
    return account::Event(event.label(), std::move(body), event.count());
  }
  account::Event operator()(const account::Tuned& t) const {
    return account::Event(event.label(), account::Tuned{t.trials, inner(*t.event)}, event.count());
  }
};

account::Event changed(const account::Event& event, const Change& change) {
  return std::visit(ChangeBody{event, change}, event.body());
}

struct ScaleMechanism {
  double factor;
  account::Mechanism operator()(account::Gaussian m) const { return account::Gaussian{m.noise_multiplier * factor}; }
  account::Mechanism operator()(account::Laplace m) const { return account::Laplace{m.noise_multiplier * factor}; }
  account::Mechanism operator()(account::Exponential m) const { return account::Exponential{m.range / factor}; }
  account::Mechanism operator()(account::RandomizedResponse m) const {
    return account::RandomizedResponse{m.log_odds / factor, m.classes};
  }
  account::Mechanism operator()(account::DiscreteLaplace m) const {
    return account::DiscreteLaplace{m.noise_multiplier * factor};
  }
  account::Mechanism operator()(account::DiscreteGaussian m) const {
    return account::DiscreteGaussian{m.noise_multiplier * factor};
  }
};

// The nearest number of this many digits that is not below `x`, or not above it.
double rounded(double x, int digits, bool up) {
  double out = std::stod(fmt::format("{:.{}g}", x, digits));
  if (x == 0 || (up ? out >= x : out <= x)) return out;
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - (digits - 1));
  for (int steps = 1; up ? out < x : out > x; ++steps) {
    out = std::stod(fmt::format("{:.{}g}", up ? x + steps * unit : x - steps * unit, digits));
  }
  return out;
}

struct RoundMechanism {
  int digits;
  double up(double x) const { return rounded(x, digits, true); }
  double down(double x) const { return rounded(x, digits, false); }
  account::Mechanism operator()(account::Gaussian m) const { return account::Gaussian{up(m.noise_multiplier)}; }
  account::Mechanism operator()(account::Laplace m) const { return account::Laplace{up(m.noise_multiplier)}; }
  account::Mechanism operator()(account::Exponential m) const { return account::Exponential{down(m.range)}; }
  account::Mechanism operator()(account::RandomizedResponse m) const {
    return account::RandomizedResponse{down(m.log_odds), m.classes};
  }
  account::Mechanism operator()(account::DiscreteLaplace m) const {
    return account::DiscreteLaplace{up(m.noise_multiplier)};
  }
  account::Mechanism operator()(account::DiscreteGaussian m) const {
    return account::DiscreteGaussian{up(m.noise_multiplier)};
  }
};

}  // namespace

account::Ledger changed(const account::Ledger& ledger, const Change& change) {
  account::Ledger out;
  for (const account::Event& event : ledger.events()) out.add(changed(event, change));
  return out;
}

account::Mechanism scaled(const account::Mechanism& mechanism, double factor) {
  return std::visit(ScaleMechanism{factor}, mechanism);
}

account::Mechanism rounded(const account::Mechanism& mechanism, int digits) {
  return std::visit(RoundMechanism{digits}, mechanism);
}

double rounded_up(double x, int digits) { return rounded(x, digits, true); }

}  // namespace graphveil::cli
