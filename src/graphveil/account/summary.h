// A ledger in its simplest equivalent form.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graphveil/account/ledger.h"

namespace graphveil::account {

// Equal releases, added together.
struct EqualRuns {
  Mechanism mechanism;
  Sampling sampling;
  int64_t count;
  bool operator==(const EqualRuns&) const = default;
};

struct Summary;

// Runs of a whole mechanism on Poisson samples of the records, that could not be written as one EqualRuns.
struct SampledRuns {
  double rate;
  std::shared_ptr<const Summary> whole;
  int64_t count;
  bool operator==(const SampledRuns& other) const;
};

// Searches for the best of several runs.
struct TunedRuns {
  Trials trials;
  std::shared_ptr<const Summary> whole;
  int64_t count;
  bool operator==(const TunedRuns& other) const;
};

// Nothing that costs nothing, nests flattened where that is exact, equal lines joined, all unsampled Gaussians in one,
// in an order that does not depend on the ledger's.
struct Summary {
  bool unbounded = false;  // some release has no noise
  double gaussian_mu = 0;  // of all Gaussians without sampling: one of noise multiplier 1 / mu
  double discrete_mu = 0;  // of all discrete Gaussians without sampling: zCDP with rho = mu^2 / 2
  std::vector<EqualRuns> releases;
  std::vector<SampledRuns> nested;
  std::vector<TunedRuns> tuned;

  bool empty() const { return !unbounded && parts() == 0; }
  size_t parts() const {
    return releases.size() + nested.size() + tuned.size() + (gaussian_mu > 0) + (discrete_mu > 0);
  }
  bool operator==(const Summary&) const = default;
};

// In one list: more different samples of whole mechanisms, or searches, take too long to price.
inline constexpr size_t kMostNests = 40, kMostSearches = 8;

// Throws Unsupported for a (mechanism, sampling) pair or a nest without a proof, InvalidArgument when the runs are too
// many, or the different nests are.
Summary summarize(const Ledger& ledger);

// Every part as a release: the unsampled Gaussians as one, the discrete ones as one.
std::vector<EqualRuns> all_releases(const Summary& summary);

// The largest loss of the whole in either direction: (epsilon, 0)-DP by basic composition; +infinity when unbounded.
double pure_epsilon(const Summary& summary);

// A bound on the total variation distance of the whole: delta at epsilon = 0.
double total_variation(const Summary& summary);

}  // namespace graphveil::account
