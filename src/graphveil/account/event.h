// One line of a ledger: a mechanism, how its records were sampled, and how often it ran.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

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
// log_odds = ln(a / b) >= 0. The record decides the label, so the pair compared is two different labels.
struct RandomizedResponse {
  double log_odds = 0;
  int64_t classes = 2;
  bool operator==(const RandomizedResponse&) const = default;
};

using Mechanism = std::variant<Gaussian, Laplace, Exponential, RandomizedResponse>;

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

// Immutable. Construction throws InvalidArgument on NaN, infinity, negative noise,
// range, log-odds or counts, a rate outside [0, 1], fewer than two classes.
class Event {
 public:
  Event(std::string label, Mechanism mechanism, Sampling sampling = NoSampling{}, int64_t count = 1);

  const std::string& label() const { return label_; }
  const Mechanism& mechanism() const { return mechanism_; }
  const Sampling& sampling() const { return sampling_; }
  int64_t count() const { return count_; }

  bool operator==(const Event&) const = default;

 private:
  std::string label_;
  Mechanism mechanism_;
  Sampling sampling_;
  int64_t count_;
};

// The names used in JSON and messages: "gaussian", "randomized-response", "none", "poisson-group", ...
const char* kind(const Mechanism& mechanism);
const char* kind(const Sampling& sampling);

}  // namespace graphveil::account
