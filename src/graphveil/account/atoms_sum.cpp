#include "graphveil/account/atoms_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/atoms_bounds.h"
#include "graphveil/account/atoms_composer.h"
#include "graphveil/account/careful.h"
#include "graphveil/account/curve_pair.h"
#include "graphveil/account/looser.h"
#include "graphveil/account/rdp.h"
#include "graphveil/base/error.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// Part of delta given away where the base distributions are cut off.
constexpr double kSumTailShare = 1e-6;
// Products of masses that the finest sum may take, about a quarter of a second.
constexpr double kMostProducts = 3e7;

double slack_of(const std::vector<Term>& terms) {
  double count = 0;
  for (const Term& term : terms) count += static_cast<double>(term.count);
  return 1e-9 + 4e-13 * count;
}

// The largest number of atoms for which all sums take a reasonable time.
size_t largest_size(const Composer& composer, const std::vector<Term>& terms) {
  const double largest = std::sqrt(kMostProducts / static_cast<double>(composer.operations()));
  if (largest < 100) {
    fail(ErrorKind::Unsupported, "{} different events are too many to compose in reasonable time", terms.size());
  }
  return static_cast<size_t>(std::min(largest, 2400.0));
}

// Finer and finer until the value no longer moves, or is at most `enough`: the other direction costs that already.
// `value` reads it off a sum; `epsilon_of` says where to look next.
template <typename Value, typename EpsilonOf>
double refine(const std::vector<Term>& terms, double delta, double tolerance, double enough, Value&& value,
              EpsilonOf&& epsilon_of) {
  Composer composer(terms);
  const size_t largest = largest_size(composer, terms);
  constexpr size_t kFirst = 150;
  double best = value(composer.first(kFirst, {chernoff_guess(terms, delta)}));
  best = proven(best);
  if (best <= 0) return 0;
  if (best <= enough) return best;
  double at = epsilon_of(best), change = 1;
  for (size_t most : {kFirst, 2 * kFirst, 4 * kFirst, 8 * kFirst, 16 * kFirst}) {
    if (at == kInfinity) return best;
    // Half of the points where epsilon is expected, the others around it: a sum too coarse there must not end far away.
    std::vector<Place> places{{at * (1 - 0.5 * change), std::max(change, 0.01) * at}, {1.5 * at, 0.5 * at}};
    if (change > 0.2) places = {{at, 0.3 * at}, {0.3 * at, 0.2 * at}, {0.1 * at, 0.1 * at}, {2 * at, at}};
    const double now = value(composer.again(std::min(most, largest), places));
    if (now <= 0) return 0;
    const double before = best;
    best = std::min(best, now);
    if (best <= enough) return best;
    // An error of second order falls by four from one size to the next.
    if (most > kFirst && std::fabs(before - now) <= tolerance * now) return best;
    if (most > largest) return best;
    change = std::min(std::fabs(before - now) / now, 1.0);
    at = epsilon_of(best);
  }
  return best;
}

// Whether it holds a mechanism of which no pair is known that is not too much for it.
bool loose(const Summary& summary) {
  return summary.discrete_mu > 0 ||
         std::any_of(summary.releases.begin(), summary.releases.end(), [](const EqualRuns& r) {
           return std::holds_alternative<Exponential>(r.mechanism) ||
                  std::holds_alternative<DiscreteGaussian>(r.mechanism);
         });
}

struct Directions {
  std::vector<Term> present, blank;
  bool symmetric = true;
};

AtomPair whole_atoms(const Summary& whole, double delta, double tail, size_t most);

// `most` atoms for each of the nests.
Directions directions(const Summary& summary, double delta, double tail, size_t most) {
  Directions out;
  const auto add = [&](AtomPair pair, int64_t count) {
    out.present.push_back(make_term(std::move(pair.present), count));
    out.blank.push_back(make_term(std::move(pair.blank), count));
  };
  for (const EqualRuns& r : all_releases(summary)) {
    add(base_atoms(r.mechanism, r.sampling, tail), r.count);
    out.symmetric = out.symmetric && std::holds_alternative<NoSampling>(r.sampling);
  }
  for (const SampledRuns& n : summary.nested) {
    const double inner = std::min(delta / n.rate, 0.5);
    add(sampled(whole_atoms(*n.whole, inner / static_cast<double>(n.count), tail / n.rate, most), n.rate), n.count);
    out.symmetric = false;
  }
  return out;
}

// The atoms of a composition that is not the last step: sharp over a range of deltas, as no single one decides.
AtomPair whole_atoms(const Summary& whole, double delta, double tail, size_t most) {
  const Directions both = directions(whole, delta, std::min(tail, 1e-3), most);
  const auto compose = [&](const std::vector<Term>& terms) {
    std::vector<Guess> guesses;
    for (double d : {0.3, std::sqrt(std::min(delta, 0.1)), std::min(delta, 0.1), 1e-3 * std::min(delta, 0.1)}) {
      guesses.push_back(chernoff_guess(terms, d));
    }
    Composer composer(terms);
    return composer.first(std::min(largest_size(composer, terms), most), guesses);
  };
  AtomPair out;
  out.present = compose(both.present);
  out.blank = both.symmetric ? out.present : compose(both.blank);
  // Losses beyond kLargestAtom, or parts whose pairs must cover too much, leave a pair that costs more than is known.
  const bool known_better = out.present.infinity > 1e-3 * delta || out.blank.infinity > 1e-3 * delta || loose(whole);
  if (!known_better) return out;
  const RenyiCurve curve = renyi_curve(whole);
  const double variation = total_variation(whole);
  return lowered(
      out, [&](double e) { return std::min(variation, best_delta(curve, e)); }, pure_epsilon(whole));
}

// Of many nests each gets fewer atoms, so that all together take no longer.
size_t atoms_each(const Summary& summary) {
  constexpr double kAtoms = 1500, kFewNests = 4;
  return static_cast<size_t>(kAtoms * std::min(1.0, std::sqrt(kFewNests / static_cast<double>(nests(summary) + 1))));
}

double runs(const Summary& summary) {
  double count = 1;
  for (const EqualRuns& r : summary.releases) count += static_cast<double>(r.count);
  for (const SampledRuns& n : summary.nested) count += static_cast<double>(n.count) * runs(*n.whole);
  return count;
}

// How many values one run of a mechanism gives.
struct Values {
  double operator()(const Gaussian&) const { return kInfinity; }
  double operator()(const Laplace&) const { return kInfinity; }
  double operator()(const Exponential&) const { return kInfinity; }
  double operator()(const RandomizedResponse& m) const { return m.classes == 2 ? 2 : 3; }
  double operator()(const DiscreteLaplace&) const { return 2; }
  double operator()(const DiscreteGaussian&) const { return kInfinity; }
};

// Multisets of `count` out of `values`, capped. Of many runs equal sums no longer meet, as each is rounded differently.
double multisets(double values, int64_t count) {
  constexpr int64_t kMostRunsExact = 8;
  if (count > kMostRunsExact) return kInfinity;
  double out = 1;
  for (int64_t i = 1; i <= count && out <= kFewOutcomes; ++i) {
    out *= (values + static_cast<double>(i) - 1) / static_cast<double>(i);
  }
  return out;
}

}  // namespace

double outcomes(const Summary& summary) {
  if (summary.gaussian_mu > 0 || summary.discrete_mu > 0) return kInfinity;
  double all = 1;
  for (const EqualRuns& r : summary.releases) all *= multisets(std::visit(Values{}, r.mechanism), r.count);
  for (const SampledRuns& n : summary.nested) all *= multisets(outcomes(*n.whole) + 1, n.count);
  return all;
}

double atoms_epsilon(const Summary& summary, double delta) {
  const double tail = std::max(kSumTailShare * delta / runs(summary), 1e-280);
  const Directions both = directions(summary, delta, tail, atoms_each(summary));
  const bool few = outcomes(summary) <= kFewOutcomes;
  double answer = 0;
  for (const auto* terms : {&both.present, &both.blank}) {
    const double slack = slack_of(*terms);
    if (few) {
      const AtomLoss sum = Composer(*terms).first(static_cast<size_t>(kFewOutcomes) + 1, {{1, 1}});
      answer = larger(answer, atoms_epsilon(sum, delta, slack));
      continue;
    }
    const double epsilon = refine(
        *terms, delta, 1e-3, answer, [&](const AtomLoss& sum) { return atoms_epsilon(sum, delta, slack); },
        [](double found) { return found; });
    answer = larger(answer, epsilon);
    if (both.symmetric) break;
  }
  return answer * (1 + 1e-11);
}

double atoms_delta(const Summary& summary, double epsilon) {
  const double tail = 1e-30 / runs(summary);
  const Directions both = directions(summary, 1e-9, tail, atoms_each(summary));
  double answer = 0;
  for (const auto* terms : {&both.present, &both.blank}) {
    const double slack = slack_of(*terms);
    const double delta = refine(
        *terms, 1e-6, 5e-3, answer, [&](const AtomLoss& sum) { return atoms_delta(sum, epsilon * (1 - 1e-11), slack); },
        [&](double) { return std::max(epsilon, 1e-6); });
    answer = larger(answer, delta);
    if (both.symmetric) break;
  }
  return std::min(answer, 1.0);
}

}  // namespace graphveil::account
