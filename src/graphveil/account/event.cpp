#include "graphveil/account/event.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

// Beyond these nothing is meant, and squares and reciprocals would leave the range of a double.
constexpr double kSmallest = 1e-30, kLargest = 1e30;

void require_nonnegative(const std::string& label, const char* field, double value) {
  require(std::isfinite(value) && value >= 0, "event \"{}\": {} is {}; wanted a finite number >= 0", label, field,
          value);
  require(value == 0 || (value >= kSmallest && value <= kLargest),
          "event \"{}\": {} is {}; wanted 0 or a number in [{}, {}]", label, field, value, kSmallest, kLargest);
}

void require_rate(const std::string& label, double rate) {
  require(rate >= 0 && rate <= 1, "event \"{}\": rate is {}; wanted a number in [0, 1]", label, rate);
  require(rate == 0 || rate >= kSmallest, "event \"{}\": rate is {}; wanted 0 or a number in [{}, 1]", label, rate,
          kSmallest);
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
  void operator()(const DiscreteLaplace& m) const {
    require_nonnegative(label, "noise_multiplier", m.noise_multiplier);
  }
  void operator()(const DiscreteGaussian& m) const {
    require_nonnegative(label, "noise_multiplier", m.noise_multiplier);
  }
};

struct CheckSampling {
  const std::string& label;
  void operator()(const NoSampling&) const {}
  void operator()(const Poisson& s) const { require_rate(label, s.rate); }
  void operator()(const PoissonGroup& s) const {
    // More samples than any data set has; their sum stays exact.
    constexpr int64_t kMostSamples = 1'000'000'000'000;
    require_rate(label, s.rate);
    require(s.deletions >= 0 && s.deletions <= kMostSamples,
            "event \"{}\": deletions is {}; wanted a number in [0, {}]", label, s.deletions, kMostSamples);
    require(s.insertions >= 0 && s.insertions <= kMostSamples,
            "event \"{}\": insertions is {}; wanted a number in [0, {}]", label, s.insertions, kMostSamples);
  }
};

struct MechanismKind {
  const char* operator()(const Gaussian&) const { return "gaussian"; }
  const char* operator()(const Laplace&) const { return "laplace"; }
  const char* operator()(const Exponential&) const { return "exponential"; }
  const char* operator()(const RandomizedResponse&) const { return "randomized-response"; }
  const char* operator()(const DiscreteLaplace&) const { return "discrete-laplace"; }
  const char* operator()(const DiscreteGaussian&) const { return "discrete-gaussian"; }
};

struct SamplingKind {
  const char* operator()(const NoSampling&) const { return "none"; }
  const char* operator()(const Poisson&) const { return "poisson"; }
  const char* operator()(const PoissonGroup&) const { return "poisson-group"; }
};

struct BodyKind {
  const char* operator()(const Single& s) const { return kind(s.mechanism); }
  const char* operator()(const Sampled&) const { return "sampled"; }
  const char* operator()(const Composed&) const { return "composed"; }
  const char* operator()(const Tuned&) const { return "tuned"; }
};

struct TrialsKind {
  const char* operator()(const NegativeBinomial&) const { return "negative-binomial"; }
  const char* operator()(const PositivePoisson&) const { return "positive-poisson"; }
};

struct CheckTrials {
  const std::string& label;
  void operator()(const NegativeBinomial& t) const {
    require(t.shape > -1 && t.shape <= 1000, "event \"{}\": shape is {}; wanted a number in (-1, 1000]", label,
            t.shape);
    require(t.stop >= 1e-9 && t.stop < 1, "event \"{}\": stop is {}; wanted a number in [1e-9, 1)", label, t.stop);
  }
  void operator()(const PositivePoisson& t) const {
    require(t.rate >= 1e-9 && t.rate <= 1e9, "event \"{}\": rate is {}; wanted a number in [1e-9, 1e9]", label, t.rate);
  }
};

// Whether there is nothing but mechanisms, and lists of them.
struct Flat {
  bool operator()(const Single&) const { return true; }
  bool operator()(const Sampled&) const { return false; }
  bool operator()(const Composed& c) const {
    return std::all_of(c.events.begin(), c.events.end(), [](const Event& e) { return std::visit(Flat{}, e.body()); });
  }
  bool operator()(const Tuned&) const { return false; }
};

struct HoldsTuned {
  bool operator()(const Single&) const { return false; }
  bool operator()(const Sampled& s) const { return std::visit(*this, s.event->body()); }
  bool operator()(const Composed& c) const {
    return std::any_of(c.events.begin(), c.events.end(),
                       [](const Event& e) { return std::visit(HoldsTuned{}, e.body()); });
  }
  bool operator()(const Tuned&) const { return true; }
};

struct PairSupported {
  template <typename M, typename S>
  bool operator()(const M&, const S&) const {
    return true;
  }
  template <typename M>
  bool operator()(const M&, const PoissonGroup&) const {
    return std::is_same_v<M, Gaussian>;
  }
};

struct BodySupported {
  bool operator()(const Single& s) const { return std::visit(PairSupported{}, s.mechanism, s.sampling); }
  bool operator()(const Sampled& s) const { return supports(*s.event) && !std::visit(HoldsTuned{}, s.event->body()); }
  bool operator()(const Composed& c) const {
    return std::all_of(c.events.begin(), c.events.end(), [](const Event& e) { return supports(e); });
  }
  bool operator()(const Tuned& t) const { return supports(*t.event) && std::visit(Flat{}, t.event->body()); }
};

}  // namespace

bool Sampled::operator==(const Sampled& other) const {
  if (rate != other.rate) return false;
  if (event == other.event) return true;
  return event && other.event && *event == *other.event;
}

bool Composed::operator==(const Composed& other) const { return events == other.events; }

bool Tuned::operator==(const Tuned& other) const {
  if (trials != other.trials) return false;
  if (event == other.event) return true;
  return event && other.event && *event == *other.event;
}

Event::Event(std::string label, Mechanism mechanism, Sampling sampling, int64_t count)
    : label_(std::move(label)), body_(Single{mechanism, sampling}), count_(count) {
  check();
  std::visit(CheckMechanism{label_}, mechanism);
  std::visit(CheckSampling{label_}, sampling);
}

Event::Event(std::string label, Sampled sampled, int64_t count) : label_(std::move(label)), count_(count) {
  require(sampled.event != nullptr, "event \"{}\": nothing is sampled; wanted an event", label_);
  require_rate(label_, sampled.rate);
  depth_ += sampled.event->depth();
  size_ += sampled.event->size();
  body_ = std::move(sampled);
  check();
}

Event::Event(std::string label, Composed composed, int64_t count) : label_(std::move(label)), count_(count) {
  int deepest = 0;
  for (const Event& event : composed.events) {
    deepest = std::max(deepest, event.depth());
    size_ = std::min(size_ + event.size(), kMostEvents + 1);
  }
  depth_ += deepest;
  body_ = std::move(composed);
  check();
}

Event::Event(std::string label, Tuned tuned, int64_t count) : label_(std::move(label)), count_(count) {
  require(tuned.event != nullptr, "event \"{}\": nothing is tuned; wanted an event", label_);
  std::visit(CheckTrials{label_}, tuned.trials);
  depth_ += tuned.event->depth();
  size_ += tuned.event->size();
  body_ = std::move(tuned);
  check();
}

void Event::check() const {
  constexpr int64_t kMostRuns = 1'000'000'000'000;  // far beyond any use, and sums of counts stay exact
  require(count_ >= 0 && count_ <= kMostRuns, "event \"{}\": count is {}; wanted a number in [0, {}]", label_, count_,
          kMostRuns);
  require(depth_ <= kDeepestNesting, "event \"{}\": nested {} deep; wanted at most {}", label_, depth_,
          kDeepestNesting);
  require(size_ <= kMostEvents, "event \"{}\": holds more than {} events", label_, kMostEvents);
}

const Single& Event::single() const {
  const auto* single = std::get_if<Single>(&body_);
  if (!single) fail(ErrorKind::Internal, "event \"{}\" is {}, not one mechanism", label_, kind(body_));
  return *single;
}

const char* kind(const Mechanism& mechanism) { return std::visit(MechanismKind{}, mechanism); }
const char* kind(const Sampling& sampling) { return std::visit(SamplingKind{}, sampling); }
const char* kind(const Body& body) { return std::visit(BodyKind{}, body); }
const char* kind(const Trials& trials) { return std::visit(TrialsKind{}, trials); }

bool supports(const Event& event) { return std::visit(BodySupported{}, event.body()); }

}  // namespace graphveil::account
