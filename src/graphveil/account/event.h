// One line of a ledger: a mechanism and how its records were sampled, or a nest of such lines, and how often it ran.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace graphveil::account {

// Normal noise. noise_multiplier = standard deviation / L2 sensitivity; 0 means no noise: infinite epsilon.
struct Gaussian {
  double noise_multiplier = 0;
  bool operator==(const Gaussian&) const = default;
};

// Laplace noise. noise_multiplier = scale / L1 sensitivity; 0 means no noise: infinite epsilon.
struct Laplace {
  double noise_multiplier = 0;
  bool operator==(const Laplace&) const = default;
};

// Any mechanism of bounded range: for every two neighbours the privacy loss takes values in some interval of
// length `range`. One Gumbel-max pick with scale b and per-entry sensitivity D has range 2 D / b.
struct Exponential {
  double range = 0;
  bool operator==(const Exponential&) const = default;
};

// A label kept with probability a, else one of the classes - 1 others, each with probability b;
// log_odds = ln(a / b) >= 0; beyond kMostLogOdds no label is ever changed: infinite epsilon. The record decides the
// label, so the pair compared is two different labels.
struct RandomizedResponse {
  double log_odds = 0;
  int64_t classes = 2;
  bool operator==(const RandomizedResponse&) const = default;
};

inline constexpr double kMostLogOdds = 700;

// Discrete Laplace noise on integers, P(z) proportional to exp(-|z| / scale), on every coordinate of an integer vector.
// noise_multiplier = scale / L1 sensitivity (an integer); 0 means no noise: infinite epsilon.
//
// Guarantee: pure epsilon = 1 / noise_multiplier for any number of coordinates and any integer shift of that L1 norm,
// and every pure mechanism is dominated by binary randomized response of the same epsilon (Kairouz, Oh, Viswanath
// 2015). That is how it is priced, and it is exact for one coordinate that moves by 1, where the loss takes the two
// values +-1/scale only. Two coordinates that move by 1 each are cheaper as two events of multiplier `scale` than as
// one of multiplier scale / 2.
struct DiscreteLaplace {
  double noise_multiplier = 0;
  bool operator==(const DiscreteLaplace&) const = default;
};

// Discrete Gaussian noise on integers, P(z) proportional to exp(-z^2 / 2 sigma^2), on every coordinate of an integer
// vector. noise_multiplier = sigma / L2 sensitivity; 0 means no noise: infinite epsilon.
//
// Guarantee: 1 / (2 noise_multiplier^2)-zCDP for any integer shift of that L2 norm (Canonne, Kamath, Steinke 2020,
// Theorem 4 and additivity over coordinates). It is priced from this bound alone: the loss distribution of one shifted
// coordinate is not known to dominate those of several.
struct DiscreteGaussian {
  double noise_multiplier = 0;
  bool operator==(const DiscreteGaussian&) const = default;
};

using Mechanism = std::variant<Gaussian, Laplace, Exponential, RandomizedResponse, DiscreteLaplace, DiscreteGaussian>;

// The mechanism reads every record.
struct NoSampling {
  bool operator==(const NoSampling&) const = default;
};

// Each record takes part with probability `rate`, independently, anew in every run.
struct Poisson {
  double rate = 1;
  bool operator==(const Poisson&) const = default;
};

// Poisson sampling of samples, where one record touches `deletions` samples when present and `insertions`
// changed samples stand in their place when it is blank. Noise multipliers are per clipped sample.
struct PoissonGroup {
  double rate = 1;
  int64_t deletions = 1;
  int64_t insertions = 0;
  bool operator==(const PoissonGroup&) const = default;
};

using Sampling = std::variant<NoSampling, Poisson, PoissonGroup>;

class Event;

// One mechanism.
struct Single {
  Mechanism mechanism;
  Sampling sampling;
  bool operator==(const Single&) const = default;
};

// A whole mechanism, possibly composed of many, run once on a Poisson sample of the records: each takes part in all of
// it with probability `rate`, or in nothing of it. Nothing else may tell who was sampled.
struct Sampled {
  double rate = 1;
  std::shared_ptr<const Event> event;
  bool operator==(const Sampled& other) const;
};

// Several mechanisms, one after the other, on the same records.
struct Composed {
  std::vector<Event> events;
  bool operator==(const Composed& other) const;
};

// How many trials a search makes: drawn at random, at least 1, and kept secret.
//
// The negative binomial distribution without its 0 (Papernot and Steinke 2022): P(k) proportional to
// (1 - stop)^k prod_(0 <= l < k) (l + shape) / (l + 1). shape > -1, 0 < stop < 1. 1: geometric; 0: logarithmic,
// P(k) proportional to (1 - stop)^k / k.
struct NegativeBinomial {
  double shape = 0;
  double stop = 0.5;
  bool operator==(const NegativeBinomial&) const = default;
};

// The Poisson distribution of this rate without its 0.
struct PositivePoisson {
  double rate = 1;
  bool operator==(const PositivePoisson&) const = default;
};

using Trials = std::variant<NegativeBinomial, PositivePoisson>;

// The best of a random number of runs of a whole mechanism, each with noise of its own and a score among what it gives
// out. Nothing else may tell how many there were, or what the others gave out.
struct Tuned {
  Trials trials;
  std::shared_ptr<const Event> event;
  bool operator==(const Tuned& other) const;
};

using Body = std::variant<Single, Sampled, Composed, Tuned>;

inline constexpr int kDeepestNesting = 32;
inline constexpr int64_t kMostEvents = 100'000;  // in one event, counting all levels

// Immutable. Construction throws InvalidArgument on NaN, infinity, negative noise, range, log-odds or counts, positive
// numbers beyond [1e-30, 1e30], a rate outside [0, 1], fewer than two classes, an empty Sampled or Tuned, trials out of
// range, nests too deep or big.
class Event {
 public:
  Event(std::string label, Mechanism mechanism, Sampling sampling = NoSampling{}, int64_t count = 1);
  Event(std::string label, Sampled sampled, int64_t count = 1);
  Event(std::string label, Composed composed, int64_t count = 1);
  Event(std::string label, Tuned tuned, int64_t count = 1);

  const std::string& label() const { return label_; }
  const Body& body() const { return body_; }
  int64_t count() const { return count_; }

  // Throw Internal unless the body is Single.
  const Mechanism& mechanism() const { return single().mechanism; }
  const Sampling& sampling() const { return single().sampling; }

  int depth() const { return depth_; }    // 1 for Single
  int64_t size() const { return size_; }  // events at all levels, this one included

  bool operator==(const Event& other) const = default;

 private:
  const Single& single() const;
  void check() const;

  std::string label_;
  Body body_;
  int64_t count_;
  int depth_ = 1;
  int64_t size_ = 1;
};

// The names used in JSON and messages: "gaussian", "randomized-response", "none", "poisson-group", "sampled", ...
const char* kind(const Trials& trials);  // "negative-binomial", "positive-poisson"
const char* kind(const Mechanism& mechanism);
const char* kind(const Sampling& sampling);
const char* kind(const Body& body);  // of a Single, that of its mechanism

// Whether the accountant has a proof for the event and all within it: poisson-group goes with Gaussian noise only, and
// what is tuned, itself no sample of records, holds neither samples of whole mechanisms nor what is tuned.
bool supports(const Event& event);

}  // namespace graphveil::account
