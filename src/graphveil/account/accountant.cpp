#include "graphveil/account/accountant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/atoms_sum.h"
#include "graphveil/account/careful.h"
#include "graphveil/account/gdp.h"
#include "graphveil/account/looser.h"
#include "graphveil/account/pld.h"
#include "graphveil/account/rdp.h"
#include "graphveil/account/single_run.h"
#include "graphveil/account/summary.h"
#include "graphveil/account/trinomial.h"
#include "graphveil/account/zcdp.h"
#include "graphveil/base/error.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// Beyond this epsilon losses may leave the range of doubles, and the Renyi bound may be the better one.
constexpr double kLargeEpsilon = 200;
// Rounding of the Renyi divergences: near the largest loss a hair of epsilon is much of delta.
constexpr double kUp = 1 + 1e-12;

// Composed in two ways that do not dominate each other: the lattice pair of a bounded-range mechanism must cover all
// its pairs at once, and that of a discrete Gaussian all orders; the Renyi bound takes the worst one per order.
struct RenyiMayWin {
  bool operator()(const Gaussian&) const { return false; }
  bool operator()(const Laplace&) const { return false; }
  bool operator()(const Exponential&) const { return true; }
  bool operator()(const RandomizedResponse&) const { return false; }
  bool operator()(const DiscreteLaplace&) const { return false; }
  bool operator()(const DiscreteGaussian&) const { return true; }
};

bool renyi_may_win(const Summary& summary) {
  if (summary.discrete_mu > 0) return true;
  for (const EqualRuns& r : summary.releases) {
    if (std::visit(RenyiMayWin{}, r.mechanism)) return true;
  }
  return std::any_of(summary.nested.begin(), summary.nested.end(),
                     [](const SampledRuns& n) { return renyi_may_win(*n.whole); });
}

// The Renyi curve where one is known.
std::optional<RenyiCurve> known_curve(const Summary& summary) {
  try {
    return renyi_curve(summary);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return std::nullopt;
  }
}

struct SingleResponse {
  RandomizedResponse mechanism;
  double rate;
  int64_t count;
};

// The ledger when it is nothing but one kind of randomized response.
std::optional<SingleResponse> single_response(const Summary& summary) {
  if (summary.parts() != 1 || summary.releases.size() != 1) return std::nullopt;
  const EqualRuns& r = summary.releases[0];
  const auto* mechanism = std::get_if<RandomizedResponse>(&r.mechanism);
  if (!mechanism) return std::nullopt;
  const auto* poisson = std::get_if<Poisson>(&r.sampling);
  return SingleResponse{*mechanism, poisson ? poisson->rate : 1, r.count};
}

double best_of(const Summary& summary, double delta, Accountant accountant);
double best_delta_of(const Summary& summary, double epsilon, Accountant accountant);

// ln(1 + rate (e^epsilon - 1)).
double amplified(double epsilon, double rate) {
  if (epsilon > 30) return epsilon + std::log(rate + (1 - rate) * std::exp(-epsilon));
  return std::log1p(rate * std::expm1(epsilon));
}

// The inverse: the epsilon of the whole at which the sample has this one.
double unamplified(double epsilon, double rate) {
  return epsilon > 30 ? epsilon - std::log(rate) + std::log1p((rate - 1) * std::exp(-epsilon))
                      : std::log1p(std::expm1(epsilon) / rate);
}

// The ledger when it is nothing but one run of a whole mechanism on a sample. Then the theorem of amplification is
// exact in the direction present -> blank; only groups with more insertions than deletions may cost more in the other.
const SampledRuns* single_sample(const Summary& summary) {
  const bool single = summary.parts() == 1 && summary.nested.size() == 1 && summary.nested[0].count == 1;
  return single && !with_whole_groups(summary, 0) ? &summary.nested[0] : nullptr;
}

// Epsilon from the loss distributions: closed forms where there are, else the lattice, and atoms where the lattice does
// not know itself to be close.
double tight_epsilon(const Summary& summary, double delta) {
  if (summary.parts() == 1) {
    if (summary.gaussian_mu > 0) return gdp_epsilon(summary.gaussian_mu, delta);
    if (summary.discrete_mu > 0) return zcdp_epsilon(0.5 * summary.discrete_mu * summary.discrete_mu, delta);
    if (summary.releases.size() == 1 && summary.releases[0].count == 1) {
      const EqualRuns& r = summary.releases[0];
      if (const auto exact = single_run_epsilon(r.mechanism, r.sampling, delta)) return *exact;
    }
  }
  if (outcomes(summary) <= kFewOutcomes) return atoms_epsilon(summary, delta);
  if (const SampledRuns* sample = single_sample(summary)) {
    if (delta >= sample->rate) return 0;
    const double whole = best_of(*sample->whole, delta / sample->rate * (1 - 2e-16), Accountant::Pld);
    return amplified(whole, sample->rate) * (1 + 1e-14);
  }
  if (const auto response = single_response(summary)) {
    if (const auto exact = trinomial_epsilon(response->mechanism, response->rate, response->count, delta)) {
      return *exact;
    }
  }
  double best = kInfinity;
  if (summary.nested.empty()) {
    const PldAnswer answer = pld_answer(all_releases(summary), delta);
    if (answer.sharp) return answer.epsilon;
    best = answer.epsilon;
  }
  return std::min(best, atoms_epsilon(summary, delta));
}

double tight_delta(const Summary& summary, double epsilon) {
  if (summary.parts() == 1) {
    if (summary.gaussian_mu > 0) return gdp_delta(summary.gaussian_mu, epsilon);
    if (summary.discrete_mu > 0) {
      return std::exp(zcdp_log_delta(0.5 * summary.discrete_mu * summary.discrete_mu, epsilon));
    }
  }
  if (const auto response = single_response(summary)) {
    if (const auto exact = trinomial_delta(response->mechanism, response->rate, response->count, epsilon))
      return *exact;
  }
  if (const SampledRuns* sample = single_sample(summary)) {
    return sample->rate *
           best_delta_of(*sample->whole, unamplified(epsilon, sample->rate) * (1 - 1e-14), Accountant::Pld);
  }
  if (!summary.nested.empty()) return atoms_delta(summary, epsilon);
  const double lattice = pld_delta(all_releases(summary), epsilon);
  // Close when the way back ends where it began.
  if (lattice > 0 && lattice < 1 && tight_epsilon(summary, lattice) >= epsilon * (1 - 5e-4)) return lattice;
  return std::min(lattice, atoms_delta(summary, epsilon));
}

// Rates from which it may pay to count a group as drawn always: seldom, and the price takes twice as long.
constexpr double kFrequent = 0.5;

double best_of(const Summary& summary, double delta, Accountant accountant) {
  if (summary.empty() || delta >= 1) return 0;
  if (summary.unbounded) return kInfinity;
  const double pure = pure_epsilon(summary);
  if (delta == 0) return proven(pure);
  if (delta >= total_variation(summary)) return 0;
  double epsilon = proven(pure);
  // Of a search only Renyi divergences are known.
  if (accountant == Accountant::Rdp || !summary.tuned.empty()) {
    epsilon = std::min(epsilon, kUp * best_epsilon(renyi_curve(summary), delta));
  } else {
    epsilon = std::min(epsilon, proven(tight_epsilon(summary, delta)));
    if (epsilon > kLargeEpsilon || renyi_may_win(summary) || !summary.nested.empty()) {
      if (const auto curve = known_curve(summary)) epsilon = std::min(epsilon, kUp * best_epsilon(*curve, delta));
    }
  }
  if (const auto whole = with_whole_groups(summary, epsilon > kLargeEpsilon ? 0 : kFrequent)) {
    epsilon = std::min(epsilon, best_of(*whole, delta, accountant));
  }
  return epsilon;
}

double best_delta_of(const Summary& summary, double epsilon, Accountant accountant) {
  if (summary.empty()) return 0;
  if (summary.unbounded) return 1;
  if (epsilon >= pure_epsilon(summary)) return 0;
  if (epsilon == kInfinity) return 0;
  double delta = std::min(1.0, total_variation(summary));
  if (accountant == Accountant::Rdp || !summary.tuned.empty()) {
    delta = std::min(delta, best_delta(renyi_curve(summary), epsilon / kUp));
  } else {
    delta = std::min(delta, tight_delta(summary, epsilon));
    if (epsilon > kLargeEpsilon || renyi_may_win(summary) || !summary.nested.empty()) {
      if (const auto curve = known_curve(summary)) delta = std::min(delta, best_delta(*curve, epsilon / kUp));
    }
  }
  if (const auto whole = with_whole_groups(summary, epsilon > kLargeEpsilon ? 0 : kFrequent)) {
    delta = std::min(delta, best_delta_of(*whole, epsilon, accountant));
  }
  return delta;
}

// What can be priced in about two seconds and a gigabyte.
struct Task {
  Summary summary;
  std::string looser;
};

Task task(const Ledger& ledger) {
  // Beyond these the sums over all lines, or those within one sample, take seconds.
  constexpr size_t kMostReleases = 200, kFewestReleases = 8;
  Task out{summarize(ledger), {}};
  const size_t within = nests(out.summary), lines = different_releases(out.summary);
  require(within <= kMostNests, "{} different samples of whole mechanisms are too many to price; wanted at most {}",
          within, kMostNests);
  if (lines <= kMostReleases) return out;
  out.summary = joined(out.summary, std::max(kMostReleases / (1 + within + out.summary.tuned.size()), kFewestReleases));
  out.looser =
      fmt::format("{} different lines were joined into {} that cost no less", lines, different_releases(out.summary));
  return out;
}

}  // namespace

Price price(const Ledger& ledger, double delta, Accountant accountant) {
  require(delta >= 0 && delta <= 1, "delta is {}; wanted a number in [0, 1]", delta);
  Task what = task(ledger);
  return {best_of(what.summary, delta, accountant), std::move(what.looser)};
}

double spent_epsilon(const Ledger& ledger, double delta, Accountant accountant) {
  return price(ledger, delta, accountant).epsilon;
}

double spent_delta(const Ledger& ledger, double epsilon, Accountant accountant) {
  require(epsilon >= 0, "epsilon is {}; wanted a number >= 0", epsilon);
  return best_delta_of(task(ledger).summary, epsilon, accountant);
}

double amplified_epsilon(const Ledger& ledger, double rate, double delta, Accountant accountant) {
  require(rate >= 0 && rate <= 1, "rate is {}; wanted a number in [0, 1]", rate);
  require(delta >= 0 && delta <= 1, "delta is {}; wanted a number in [0, 1]", delta);
  // A record that never takes part costs nothing; one that takes part with probability <= delta may lose everything.
  if (delta >= rate) return 0;
  return amplified(spent_epsilon(ledger, delta / rate, accountant), rate);
}

double amplified_delta(const Ledger& ledger, double rate, double epsilon, Accountant accountant) {
  require(rate >= 0 && rate <= 1, "rate is {}; wanted a number in [0, 1]", rate);
  require(epsilon >= 0, "epsilon is {}; wanted a number >= 0", epsilon);
  if (rate == 0) return 0;
  return rate * spent_delta(ledger, unamplified(epsilon, rate), accountant);
}

}  // namespace graphveil::account
