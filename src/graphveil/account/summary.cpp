#include "graphveil/account/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "graphveil/account/pld_bounds.h"
#include "graphveil/account/tuned.h"
#include "graphveil/account/zcdp.h"
#include "graphveil/base/error.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

constexpr int64_t kMostRuns = 1'000'000'000'000;

int64_t times(int64_t a, int64_t b) {
  require(b == 0 || a <= kMostRuns / std::max<int64_t>(b, 1), "{} times {} runs; wanted at most {} in all", a, b,
          kMostRuns);
  return a * b;
}

// Sampling in its simplest form.
struct Simplest {
  Sampling operator()(const NoSampling& s) const { return s; }
  Sampling operator()(const Poisson& s) const { return s.rate == 1 ? Sampling(NoSampling{}) : Sampling(s); }
  Sampling operator()(const PoissonGroup& s) const {
    // Q is one Gaussian and P the mixture of two: the definition of Poisson sampling.
    if (s.deletions == 1 && s.insertions == 0 && s.rate < 1) return Poisson{s.rate};
    return s;
  }
};

struct SamplesNothing {
  bool operator()(const NoSampling&) const { return false; }
  bool operator()(const Poisson& s) const { return s.rate == 0; }
  bool operator()(const PoissonGroup& s) const { return s.rate == 0 || s.deletions + s.insertions == 0; }
};

// By how many clip norms a sum moves, when it is the same in every run; 0 when it is not.
struct FixedShift {
  double operator()(const NoSampling&) const { return 1; }
  double operator()(const Poisson&) const { return 0; }
  double operator()(const PoissonGroup& s) const {
    return s.rate == 1 ? static_cast<double>(s.deletions) + static_cast<double>(s.insertions) : 0;
  }
};

enum class Noise { None, Some, Useless };  // of infinite cost, of some, of none

struct NoiseOf {
  static Noise of(double multiplier) { return multiplier == 0 ? Noise::None : Noise::Some; }
  Noise operator()(const Gaussian& m) const { return of(m.noise_multiplier); }
  Noise operator()(const Laplace& m) const { return of(m.noise_multiplier); }
  Noise operator()(const DiscreteLaplace& m) const { return of(m.noise_multiplier); }
  Noise operator()(const DiscreteGaussian& m) const { return of(m.noise_multiplier); }
  Noise operator()(const Exponential& m) const { return m.range == 0 ? Noise::Useless : Noise::Some; }
  // Beyond some log-odds the chance of another label is no double any more, and nobody draws it.
  Noise operator()(const RandomizedResponse& m) const {
    return m.log_odds == 0 ? Noise::Useless : m.log_odds > kMostLogOdds ? Noise::None : Noise::Some;
  }
};

// Any fixed order will do.
struct MechanismNumbers {
  using Numbers = std::pair<double, int64_t>;
  Numbers operator()(const Gaussian& m) const { return {m.noise_multiplier, 0}; }
  Numbers operator()(const Laplace& m) const { return {m.noise_multiplier, 0}; }
  Numbers operator()(const Exponential& m) const { return {m.range, 0}; }
  Numbers operator()(const RandomizedResponse& m) const { return {m.log_odds, m.classes}; }
  Numbers operator()(const DiscreteLaplace& m) const { return {m.noise_multiplier, 0}; }
  Numbers operator()(const DiscreteGaussian& m) const { return {m.noise_multiplier, 0}; }
};

struct SamplingNumbers {
  using Numbers = std::tuple<double, int64_t, int64_t>;
  Numbers operator()(const NoSampling&) const { return {1, 0, 0}; }
  Numbers operator()(const Poisson& s) const { return {s.rate, 0, 0}; }
  Numbers operator()(const PoissonGroup& s) const { return {s.rate, s.deletions, s.insertions}; }
};

auto sort_key(const EqualRuns& r) {
  return std::tuple(r.mechanism.index(), r.sampling.index(), std::visit(MechanismNumbers{}, r.mechanism),
                    std::visit(SamplingNumbers{}, r.sampling));
}

// Discrete Laplace is priced as the randomized response that dominates it.
struct Canonical {
  template <typename M>
  Mechanism operator()(const M& m) const {
    return m;
  }
  Mechanism operator()(const DiscreteLaplace& m) const { return RandomizedResponse{1 / m.noise_multiplier, 2}; }
};

class Summarizer {
 public:
  void add(const Event& event, int64_t runs) {
    const int64_t count = times(event.count(), runs);
    std::visit([&](const auto& body) { add_body(body, count); }, event.body());
  }

  Summary finish() && {
    auto& releases = summary_.releases;
    std::sort(releases.begin(), releases.end(),
              [](const EqualRuns& a, const EqualRuns& b) { return sort_key(a) < sort_key(b); });
    std::vector<EqualRuns> joined;
    for (const EqualRuns& r : releases) {
      if (!joined.empty() && sort_key(joined.back()) == sort_key(r)) {
        joined.back().count += r.count;
      } else {
        joined.push_back(r);
      }
    }
    releases = std::move(joined);
    summary_.gaussian_mu = std::sqrt(gaussian_);
    summary_.discrete_mu = std::sqrt(discrete_);
    if (summary_.gaussian_mu == kInfinity || summary_.discrete_mu == kInfinity) summary_.unbounded = true;
    return std::move(summary_);
  }

 private:
  void add_body(const Single& s, int64_t count) {
    const Sampling sampling = std::visit(Simplest{}, s.sampling);
    // Refuses unsupported pairs, whatever their count or rate.
    largest_loss(s.mechanism, sampling);
    const Noise noise = std::visit(NoiseOf{}, s.mechanism);
    if (count == 0 || noise == Noise::Useless || std::visit(SamplesNothing{}, sampling)) return;
    if (noise == Noise::None) {
      summary_.unbounded = true;
      return;
    }
    const double shift = std::visit(FixedShift{}, sampling),
                 mu = shift / std::visit(MechanismNumbers{}, s.mechanism).first;
    if (shift > 0 && std::holds_alternative<Gaussian>(s.mechanism)) {
      gaussian_ += static_cast<double>(count) * mu * mu;
    } else if (shift > 0 && std::holds_alternative<DiscreteGaussian>(s.mechanism)) {
      discrete_ += static_cast<double>(count) * mu * mu;
    } else {
      summary_.releases.push_back({std::visit(Canonical{}, s.mechanism), sampling, count});
    }
  }

  void add_body(const Composed& c, int64_t count) {
    for (const Event& event : c.events) add(event, count);
  }

  void add_body(const Tuned& t, int64_t count) {
    if (!supports(Event("", t))) {
      fail(ErrorKind::Unsupported, "what is tuned must be plain mechanisms that have a proof, one after the other");
    }
    Summarizer inner;
    inner.add(*t.event, 1);
    auto whole = std::make_shared<Summary>(std::move(inner).finish());
    if (count == 0 || whole->empty()) return;
    if (whole->unbounded) {
      summary_.unbounded = true;
      return;
    }
    for (TunedRuns& other : summary_.tuned) {
      if (other.trials == t.trials && *other.whole == *whole) {
        other.count = times(1, other.count + count);
        return;
      }
    }
    require(summary_.tuned.size() < kMostSearches, "more than {} different searches are too many to price",
            kMostSearches);
    summary_.tuned.push_back({t.trials, std::move(whole), count});
  }

  void add_body(const Sampled& s, int64_t count) {
    if (s.rate == 1) return add(*s.event, count);
    if (const auto* single = std::get_if<Single>(&s.event->body()); single && s.event->count() == 1) {
      // The same thing in two spellings costs the same to the last bit.
      const Sampling inside = std::visit(Simplest{}, single->sampling);
      if (std::holds_alternative<NoSampling>(inside)) {
        return add_body(Single{single->mechanism, Poisson{s.rate}}, count);
      }
    }
    Summarizer inner;
    inner.add(*s.event, 1);
    auto whole = std::make_shared<Summary>(std::move(inner).finish());
    if (!whole->tuned.empty())
      fail(ErrorKind::Unsupported, "no bound is known for a search on a sample of the records");
    if (count == 0 || s.rate == 0 || whole->empty()) return;
    if (whole->unbounded) {
      summary_.unbounded = true;
      return;
    }
    add_sampled(s.rate, std::move(whole), count);
  }

  // (1 - g) Q + g P of one mechanism is Poisson sampling, and sampling a sample multiplies the rates.
  void add_sampled(double rate, std::shared_ptr<const Summary> whole, int64_t count) {
    if (whole->parts() == 1) {
      if (whole->gaussian_mu > 0) {
        summary_.releases.push_back({Gaussian{noise_of_mu(whole->gaussian_mu)}, Poisson{rate}, count});
        return;
      }
      if (whole->discrete_mu > 0) {
        summary_.releases.push_back({DiscreteGaussian{noise_of_mu(whole->discrete_mu)}, Poisson{rate}, count});
        return;
      }
      if (whole->nested.size() == 1 && whole->nested[0].count == 1) {
        return add_sampled(product(rate, whole->nested[0].rate), whole->nested[0].whole, count);
      }
      if (whole->releases.size() == 1 && whole->releases[0].count == 1) {
        const EqualRuns& r = whole->releases[0];
        const double inner = std::holds_alternative<PoissonGroup>(r.sampling)
                                 ? 0
                                 : std::get<0>(std::visit(SamplingNumbers{}, r.sampling));
        if (inner > 0) {
          summary_.releases.push_back({r.mechanism, Poisson{product(rate, inner)}, count});
          return;
        }
      }
    }
    for (SampledRuns& other : summary_.nested) {
      if (other.rate == rate && *other.whole == *whole) {
        other.count = times(1, other.count + count);
        return;
      }
    }
    require(summary_.nested.size() < kMostNests,
            "more than {} different samples of whole mechanisms are too many to price", kMostNests);
    summary_.nested.push_back({rate, std::move(whole), count});
  }

  static double product(double a, double b) { return b == 1 ? a : std::min(1.0, a * b * (1 + 2.3e-16)); }
  static double noise_of_mu(double mu) { return (1 - 4e-16) / mu; }

  Summary summary_;
  double gaussian_ = 0, discrete_ = 0;  // mu^2
};

double largest(double loss, double rate) {
  if (rate >= 1) return loss;
  return loss < 30 ? std::log1p(rate * std::expm1(loss)) : loss + std::log(rate + (1 - rate) * std::exp(-loss));
}

// Of one run without sampling.
struct Variation {
  double operator()(const Gaussian& m) const { return std::erf(0.35355339059327379 / m.noise_multiplier); }
  double operator()(const Laplace& m) const { return -std::expm1(-0.5 / m.noise_multiplier); }
  double operator()(const Exponential& m) const { return std::tanh(0.25 * m.range); }
  double operator()(const RandomizedResponse& m) const {
    const double odds = std::exp(-m.log_odds);
    return -std::expm1(-m.log_odds) / (1 + static_cast<double>(m.classes - 1) * odds);
  }
  double operator()(const DiscreteLaplace& m) const { return std::tanh(0.5 / m.noise_multiplier); }
  double operator()(const DiscreteGaussian& m) const {
    return std::exp(zcdp_log_delta(0.5 / (m.noise_multiplier * m.noise_multiplier), 0));
  }
};

struct SampledVariation {
  double whole;
  double operator()(const NoSampling&) const { return whole; }
  double operator()(const Poisson& s) const { return s.rate * whole; }
  double operator()(const PoissonGroup& s) const {
    // At most the probability that any of the samples is drawn.
    return -std::expm1(static_cast<double>(s.deletions + s.insertions) * std::log1p(-std::min(s.rate, 1 - 1e-16)));
  }
};

}  // namespace

bool SampledRuns::operator==(const SampledRuns& other) const {
  return rate == other.rate && count == other.count && (whole == other.whole || *whole == *other.whole);
}

bool TunedRuns::operator==(const TunedRuns& other) const {
  return trials == other.trials && count == other.count && (whole == other.whole || *whole == *other.whole);
}

Summary summarize(const Ledger& ledger) {
  Summarizer summarizer;
  for (const Event& event : ledger.events()) summarizer.add(event, 1);
  return std::move(summarizer).finish();
}

std::vector<EqualRuns> all_releases(const Summary& summary) {
  std::vector<EqualRuns> all = summary.releases;
  if (summary.gaussian_mu > 0) all.push_back({Gaussian{1 / summary.gaussian_mu}, NoSampling{}, 1});
  if (summary.discrete_mu > 0) all.push_back({DiscreteGaussian{1 / summary.discrete_mu}, NoSampling{}, 1});
  return all;
}

double pure_epsilon(const Summary& summary) {
  if (summary.unbounded || summary.gaussian_mu > 0 || summary.discrete_mu > 0) return kInfinity;
  double total = 0;
  for (const EqualRuns& r : summary.releases) {
    total += static_cast<double>(r.count) * largest_loss(r.mechanism, r.sampling);
  }
  for (const SampledRuns& n : summary.nested) {
    total += static_cast<double>(n.count) * largest(pure_epsilon(*n.whole), n.rate);
  }
  for (const TunedRuns& t : summary.tuned) {
    total += static_cast<double>(t.count) * tuned_pure(t.trials, pure_epsilon(*t.whole), total_variation(*t.whole));
  }
  return total * (1 + 1e-15 * static_cast<double>(summary.parts() + 4));
}

double total_variation(const Summary& summary) {
  if (summary.unbounded) return 1;
  double total = 0;
  for (const EqualRuns& r : all_releases(summary)) {
    const double one = std::visit(SampledVariation{std::visit(Variation{}, r.mechanism)}, r.sampling);
    total += static_cast<double>(r.count) * one;
  }
  for (const SampledRuns& n : summary.nested) {
    total += static_cast<double>(n.count) * n.rate * total_variation(*n.whole);
  }
  // A search reads its trials and nothing else: one of them must differ.
  for (const TunedRuns& t : summary.tuned) {
    total += static_cast<double>(t.count) * mean_trials(t.trials) * total_variation(*t.whole);
  }
  return std::min(1.0, total * (1 + 1e-13));
}

}  // namespace graphveil::account
