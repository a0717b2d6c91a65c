#include "graphveil/account/scaling.h"

#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::account {

Event rescaled(const Event& event, double factor) {
  require(std::isfinite(factor) && factor > 0, "noise is scaled by {}, want a positive finite number", factor);
  struct Visitor {
    double factor;
    Mechanism operator()(const Gaussian& m) const { return Gaussian{m.noise_multiplier * factor}; }
    Mechanism operator()(const Laplace& m) const { return Laplace{m.noise_multiplier * factor}; }
    Mechanism operator()(const Exponential&) const { return refused("exponential"); }
    Mechanism operator()(const RandomizedResponse&) const { return refused("randomized-response"); }
    Mechanism operator()(const DiscreteLaplace& m) const { return DiscreteLaplace{m.noise_multiplier * factor}; }
    Mechanism operator()(const DiscreteGaussian& m) const { return DiscreteGaussian{m.noise_multiplier * factor}; }
    static Mechanism refused(const char* kind) {
      fail(ErrorKind::Internal, "{} noise has no size that a smaller shift could be compared to", kind);
    }
  };
  return {event.label(), std::visit(Visitor{factor}, event.mechanism()), event.sampling(), event.count()};
}

Event regrouped(const Event& event, int64_t planned, int64_t deletions, int64_t insertions) {
  require(planned >= 1 && deletions >= 1 && insertions >= 0,
          "{} samples in place of {}, and {} in their place: want at least 1, 1 and 0", deletions, planned, insertions);
  struct Visitor {
    const Event& event;
    int64_t planned, deletions, insertions;
    Event operator()(const NoSampling&) const {
      return rescaled(event, static_cast<double>(planned) / static_cast<double>(deletions + insertions));
    }
    Event operator()(const Poisson& s) const { return grouped(s.rate); }
    Event operator()(const PoissonGroup& s) const { return grouped(s.rate); }
    Event grouped(double rate) const {
      return {event.label(), event.mechanism(), PoissonGroup{rate, deletions, insertions}, event.count()};
    }
  };
  return std::visit(Visitor{event, planned, deletions, insertions}, event.sampling());
}

}  // namespace graphveil::account
