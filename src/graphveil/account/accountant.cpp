#include "graphveil/account/accountant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "graphveil/account/gdp.h"
#include "graphveil/account/pld.h"
#include "graphveil/account/pld_bounds.h"
#include "graphveil/account/rdp.h"
#include "graphveil/account/trinomial.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Beyond this epsilon nobody needs four digits, and the Renyi bound may be the better one.
constexpr double kLargeEpsilon = 200;

// A ledger in its simplest equivalent form: nothing that costs nothing, equal lines joined, all unsampled Gaussians in
// one, in an order that does not depend on the ledger's.
struct Summary {
  bool unbounded = false;  // some release has no noise
  double gaussian_mu = 0;  // of all Gaussians without sampling
  std::vector<Release> others;

  bool empty() const { return !unbounded && gaussian_mu == 0 && others.empty(); }

  // For the accountants that take releases one by one.
  std::vector<Release> releases() const {
    std::vector<Release> all = others;
    if (gaussian_mu > 0) all.push_back({Gaussian{1 / gaussian_mu}, NoSampling{}, 1});
    return all;
  }
};

Sampling simplest(const Sampling& sampling) {
  if (const auto* s = std::get_if<Poisson>(&sampling)) {
    if (s->rate == 1) return NoSampling{};
  } else if (const auto* g = std::get_if<PoissonGroup>(&sampling)) {
    // Q is one Gaussian and P the mixture of two: the definition of Poisson sampling.
    if (g->deletions == 1 && g->insertions == 0 && g->rate < 1) return Poisson{g->rate};
  }
  return sampling;
}

bool reads_nothing(const Mechanism& mechanism, const Sampling& sampling) {
  if (const auto* s = std::get_if<Poisson>(&sampling); s && s->rate == 0) return true;
  if (const auto* s = std::get_if<PoissonGroup>(&sampling)) {
    if (s->rate == 0 || s->deletions + s->insertions == 0) return true;
  }
  if (const auto* m = std::get_if<Exponential>(&mechanism)) return m->range == 0;
  if (const auto* m = std::get_if<RandomizedResponse>(&mechanism)) return m->log_odds == 0;
  return false;
}

bool has_no_noise(const Mechanism& mechanism) {
  if (const auto* m = std::get_if<Gaussian>(&mechanism)) return m->noise_multiplier == 0;
  if (const auto* m = std::get_if<Laplace>(&mechanism)) return m->noise_multiplier == 0;
  return false;
}

// Any fixed order will do.
auto sort_key(const Release& r) {
  const auto numbers = std::visit(
      [](const auto& m) -> std::pair<double, double> {
        using M = std::decay_t<decltype(m)>;
        if constexpr (std::is_same_v<M, Exponential>)
          return {m.range, 0};
        else if constexpr (std::is_same_v<M, RandomizedResponse>)
          return {m.log_odds, static_cast<double>(m.classes)};
        else
          return {m.noise_multiplier, 0};
      },
      r.mechanism);
  const auto rate = std::visit(
      [](const auto& s) -> std::tuple<double, int64_t, int64_t> {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, NoSampling>)
          return {1, 0, 0};
        else if constexpr (std::is_same_v<S, Poisson>)
          return {s.rate, 0, 0};
        else
          return {s.rate, s.deletions, s.insertions};
      },
      r.sampling);
  return std::tuple(r.mechanism.index(), r.sampling.index(), numbers, rate);
}

Summary summarize(const Ledger& ledger) {
  Summary summary;
  double mu_squared = 0;
  for (const Event& event : ledger.events()) {
    const Sampling sampling = simplest(event.sampling());
    // Refuses unsupported pairs, whatever their count or rate.
    largest_loss(event.mechanism(), sampling);
    if (event.count() == 0 || reads_nothing(event.mechanism(), sampling)) continue;
    if (has_no_noise(event.mechanism())) {
      summary.unbounded = true;
      continue;
    }
    if (const auto* gaussian = std::get_if<Gaussian>(&event.mechanism())) {
      // Without sampling, or with every sample in the batch, k samples move the sum by k clip norms.
      double shift = 0;
      if (std::holds_alternative<NoSampling>(sampling)) shift = 1;
      if (const auto* g = std::get_if<PoissonGroup>(&sampling); g && g->rate == 1) {
        shift = static_cast<double>(g->deletions) + static_cast<double>(g->insertions);
      }
      if (shift > 0) {
        const double mu = shift / gaussian->noise_multiplier;
        mu_squared += static_cast<double>(event.count()) * mu * mu;
        continue;
      }
    }
    summary.others.push_back({event.mechanism(), sampling, event.count()});
  }
  summary.gaussian_mu = std::sqrt(mu_squared);
  if (summary.gaussian_mu == kInfinity) summary.unbounded = true;
  std::sort(summary.others.begin(), summary.others.end(),
            [](const Release& a, const Release& b) { return sort_key(a) < sort_key(b); });
  std::vector<Release> joined;
  for (const Release& r : summary.others) {
    if (!joined.empty() && sort_key(joined.back()) == sort_key(r)) {
      joined.back().count += r.count;
    } else {
      joined.push_back(r);
    }
  }
  summary.others = std::move(joined);
  return summary;
}

// The sum of the largest losses: (epsilon, 0)-DP by basic composition.
double pure_epsilon(const Summary& summary) {
  if (summary.unbounded || summary.gaussian_mu > 0) return kInfinity;
  double total = 0;
  for (const Release& r : summary.others) {
    total += static_cast<double>(r.count) * largest_loss(r.mechanism, r.sampling);
  }
  return total * (1 + 1e-15 * static_cast<double>(summary.others.size() + 4));
}

Ledger ledger_of(const Summary& summary) {
  Ledger ledger;
  for (const Release& r : summary.releases()) ledger.add(Event("", r.mechanism, r.sampling, r.count));
  return ledger;
}

// Composed in two ways that do not dominate each other: the lattice pair of a bounded-range mechanism must cover all
// its pairs at once, the Renyi bound takes the worst one per order.
bool renyi_may_win(const Summary& summary) {
  return std::any_of(summary.others.begin(), summary.others.end(),
                     [](const Release& r) { return std::holds_alternative<Exponential>(r.mechanism); });
}

struct SingleResponse {
  RandomizedResponse mechanism;
  double rate;
  int64_t count;
};

// The ledger when it is nothing but one kind of randomized response.
std::optional<SingleResponse> single_response(const Summary& summary) {
  if (summary.gaussian_mu > 0 || summary.others.size() != 1) return std::nullopt;
  const Release& r = summary.others[0];
  const auto* mechanism = std::get_if<RandomizedResponse>(&r.mechanism);
  if (!mechanism) return std::nullopt;
  const auto* poisson = std::get_if<Poisson>(&r.sampling);
  return SingleResponse{*mechanism, poisson ? poisson->rate : 1, r.count};
}

}  // namespace

double spent_epsilon(const Ledger& ledger, double delta, Accountant accountant) {
  require(delta >= 0 && delta <= 1, "delta is {}; wanted a number in [0, 1]", delta);
  const Summary summary = summarize(ledger);
  if (summary.empty() || delta == 1) return 0;
  if (summary.unbounded) return kInfinity;
  const double pure = pure_epsilon(summary);
  if (delta == 0) return pure;
  const auto renyi = [&] { return best_epsilon(renyi_curve(ledger_of(summary)), delta); };
  if (accountant == Accountant::Rdp) return std::min(pure, renyi());

  if (summary.others.empty()) return gdp_epsilon(summary.gaussian_mu, delta);
  if (const auto response = single_response(summary)) {
    if (const auto exact = trinomial_epsilon(response->mechanism, response->rate, response->count, delta)) {
      return std::min(*exact, pure);
    }
  }
  double epsilon = std::min(pure, pld_epsilon(summary.releases(), delta));
  if (epsilon > kLargeEpsilon || renyi_may_win(summary)) epsilon = std::min(epsilon, renyi());
  return epsilon;
}

double spent_delta(const Ledger& ledger, double epsilon, Accountant accountant) {
  require(epsilon >= 0, "epsilon is {}; wanted a number >= 0", epsilon);
  const Summary summary = summarize(ledger);
  if (summary.empty()) return 0;
  if (summary.unbounded) return 1;
  if (epsilon >= pure_epsilon(summary)) return 0;
  if (epsilon == kInfinity) return 0;
  const auto renyi = [&] { return best_delta(renyi_curve(ledger_of(summary)), epsilon); };
  if (accountant == Accountant::Rdp) return renyi();

  if (summary.others.empty()) return gdp_delta(summary.gaussian_mu, epsilon);
  if (const auto response = single_response(summary)) {
    if (const auto exact = trinomial_delta(response->mechanism, response->rate, response->count, epsilon))
      return *exact;
  }
  double delta = pld_delta(summary.releases(), epsilon);
  if (epsilon > kLargeEpsilon || renyi_may_win(summary)) delta = std::min(delta, renyi());
  return delta;
}

double amplified_epsilon(const Ledger& ledger, double rate, double delta, Accountant accountant) {
  require(rate >= 0 && rate <= 1, "rate is {}; wanted a number in [0, 1]", rate);
  require(delta >= 0 && delta <= 1, "delta is {}; wanted a number in [0, 1]", delta);
  // A record that never takes part costs nothing; one that takes part with probability <= delta may lose everything.
  if (delta >= rate) return 0;
  const double epsilon = spent_epsilon(ledger, delta / rate, accountant);
  if (epsilon > 30) return epsilon + std::log(rate + (1 - rate) * std::exp(-epsilon));
  return std::log1p(rate * std::expm1(epsilon));
}

double amplified_delta(const Ledger& ledger, double rate, double epsilon, Accountant accountant) {
  require(rate >= 0 && rate <= 1, "rate is {}; wanted a number in [0, 1]", rate);
  require(epsilon >= 0, "epsilon is {}; wanted a number >= 0", epsilon);
  if (rate == 0) return 0;
  // The inverse of e' = ln(1 + rate (e^e - 1)).
  const double whole = epsilon > 30 ? epsilon - std::log(rate) + std::log1p((rate - 1) * std::exp(-epsilon))
                                    : std::log1p(std::expm1(epsilon) / rate);
  return rate * spent_delta(ledger, whole, accountant);
}

}  // namespace graphveil::account
