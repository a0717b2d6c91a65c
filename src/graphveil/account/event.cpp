#include "graphveil/account/event.h"

#include <cmath>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

void require_nonnegative(const std::string& label, const char* field, double value) {
  require(std::isfinite(value) && value >= 0, "event \"{}\": {} is {}; wanted a finite number >= 0", label, field,
          value);
}

void require_rate(const std::string& label, double rate) {
  require(rate >= 0 && rate <= 1, "event \"{}\": rate is {}; wanted a number in [0, 1]", label, rate);
}

struct CheckMechanism {
  const std::string& label;
  void operator()(const Gaussian& m) const { require_nonnegative(label, "noise_multiplier", m.noise_multiplier); }
  void operator()(const Laplace& m) const { require_nonnegative(label, "noise_multiplier", m.noise_multiplier); }
  void operator()(const Exponential& m) const { require_nonnegative(label, "range", m.range); }
  void operator()(const RandomizedResponse& m) const {
    require_nonnegative(label, "log_odds", m.log_odds);
    require(m.classes >= 2, "event \"{}\": classes is {}; wanted at least 2", label, m.classes);
  }
};

struct CheckSampling {
  const std::string& label;
  void operator()(const NoSampling&) const {}
  void operator()(const Poisson& s) const { require_rate(label, s.rate); }
  void operator()(const PoissonGroup& s) const {
    require_rate(label, s.rate);
    require(s.deletions >= 0, "event \"{}\": deletions is {}; wanted at least 0", label, s.deletions);
    require(s.insertions >= 0, "event \"{}\": insertions is {}; wanted at least 0", label, s.insertions);
  }
};

struct MechanismKind {
  const char* operator()(const Gaussian&) const { return "gaussian"; }
  const char* operator()(const Laplace&) const { return "laplace"; }
  const char* operator()(const Exponential&) const { return "exponential"; }
  const char* operator()(const RandomizedResponse&) const { return "randomized-response"; }
};

struct SamplingKind {
  const char* operator()(const NoSampling&) const { return "none"; }
  const char* operator()(const Poisson&) const { return "poisson"; }
  const char* operator()(const PoissonGroup&) const { return "poisson-group"; }
};

}  // namespace

Event::Event(std::string label, Mechanism mechanism, Sampling sampling, int64_t count)
    : label_(std::move(label)), mechanism_(mechanism), sampling_(sampling), count_(count) {
  constexpr int64_t kMostRuns = 1'000'000'000'000;  // far beyond any use, and sums of counts stay exact
  require(count_ >= 0 && count_ <= kMostRuns, "event \"{}\": count is {}; wanted a number in [0, {}]", label_, count_,
          kMostRuns);
  std::visit(CheckMechanism{label_}, mechanism_);
  std::visit(CheckSampling{label_}, sampling_);
}

const char* kind(const Mechanism& mechanism) { return std::visit(MechanismKind{}, mechanism); }
const char* kind(const Sampling& sampling) { return std::visit(SamplingKind{}, sampling); }

}  // namespace graphveil::account
