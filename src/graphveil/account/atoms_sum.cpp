#include "graphveil/account/atoms_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "graphveil/account/atoms_bounds.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Part of delta given away where the base distributions are cut off.
constexpr double kTailShare = 1e-6;
// Products of masses that the finest sum may take, about a quarter of a second.
constexpr double kMostProducts = 3e7;

// One direction of all parts.
struct Term {
  AtomLoss loss;
  int64_t count;
  double mean, variance;  // of one run
};

Term make_term(AtomLoss loss, int64_t count) {
  double total = 0, mean = 0, square = 0;
  for (size_t i = 0; i < loss.size(); ++i) {
    total += loss.mass[i];
    mean += loss.mass[i] * loss.loss[i];
  }
  mean /= std::max(total, 1e-300);
  for (size_t i = 0; i < loss.size(); ++i) {
    square += loss.mass[i] * (loss.loss[i] - mean) * (loss.loss[i] - mean);
  }
  return {std::move(loss), count, mean, square / std::max(total, 1e-300)};
}

// K(t) = ln E[e^(tL)] of the sum, and K'(t).
struct Moment {
  double value, mean;
};

Moment moment(const std::vector<Term>& terms, double t) {
  Moment out{0, 0};
  for (const Term& term : terms) {
    double top = -kInfinity, sum = 0, first = 0;
    for (size_t i = 0; i < term.loss.size(); ++i) {
      top = std::max(top, std::log(term.loss.mass[i]) + t * term.loss.loss[i]);
    }
    for (size_t i = 0; i < term.loss.size(); ++i) {
      const double w = std::exp(std::log(term.loss.mass[i]) + t * term.loss.loss[i] - top);
      sum += w;
      first += w * term.loss.loss[i];
    }
    out.value += static_cast<double>(term.count) * (top + std::log(sum));
    out.mean += static_cast<double>(term.count) * first / sum;
  }
  return out;
}

// Where Chernoff's bound puts epsilon (see LossSum::tilt_for_delta), and the tilt there: a first guess.
struct Guess {
  double epsilon, tilt;
};

Guess chernoff_guess(const std::vector<Term>& terms, double delta) {
  double variance = 0;
  for (const Term& term : terms) variance += static_cast<double>(term.count) * term.variance;
  const double unit = 1 / std::max(std::sqrt(variance), 1e-30), target = std::log(delta);
  double low = std::log(1e-4 * unit), high = std::log(1e5 * unit);
  for (int i = 0; i < 16; ++i) {
    const double middle = 0.5 * (low + high), t = std::exp(middle);
    const Moment k = moment(terms, t);
    (k.value - t * k.mean - std::log1p(t) > target ? low : high) = middle;
  }
  return {std::max(moment(terms, std::exp(low)).mean, 0.0), std::exp(low)};
}

// The delta that an independent rest has at epsilon - x: D(y) = E[(1 - e^(y - R))+], for the losses x of a partial sum.
// The atoms of the rest are spread over the gaps between them, as what they stand for is smooth.
class RestCurve {
 public:
  explicit RestCurve(const AtomLoss& rest) {
    constexpr size_t kParts = 16;
    AtomLoss spread;
    for (size_t i = 0; i < rest.size(); ++i) {
      const double left = i > 0 ? 0.5 * (rest.loss[i] - rest.loss[i - 1]) : 0;
      const double right = i + 1 < rest.size() ? 0.5 * (rest.loss[i + 1] - rest.loss[i]) : 0;
      for (size_t k = 0; k < kParts; ++k) {
        const double place = (static_cast<double>(k) + 0.5) / kParts;
        spread.add(rest.loss[i] - left + place * (left + right), rest.mass[i] / kParts);
      }
    }
    at_ = std::move(spread.loss);
    delta_.resize(at_.size());
    tail_.resize(at_.size());
    double d = 0, t = 0;
    for (size_t i = at_.size(); i-- > 0;) {
      if (i + 1 < at_.size()) {
        const double gap = at_[i + 1] - at_[i];
        d -= std::expm1(-gap) * t;
        t *= std::exp(-gap);
      }
      t += spread.mass[i];
      delta_[i] = d;
      tail_[i] = t;
    }
  }

  // Adds factor D(epsilon - x) for every x, which ascend.
  void add(const std::vector<double>& x, double epsilon, double factor, std::vector<double>& out) const {
    size_t i = at_.size();  // at_[i] is the first atom above epsilon - x
    for (size_t k = 0; k < x.size(); ++k) {
      const double y = epsilon - x[k];
      while (i > 0 && at_[i - 1] > y) --i;
      if (i < at_.size()) out[k] += factor * (delta_[i] - std::expm1(y - at_[i]) * tail_[i]);
    }
  }

 private:
  std::vector<double> at_, delta_, tail_;
};

// A place where epsilon may lie, and how far from it.
struct Place {
  double epsilon, width;
};

// The sum of all terms by doubling: the counts' bits from the highest to the lowest.
class Composer {
 public:
  explicit Composer(const std::vector<Term>& terms) : terms_(terms) {
    int64_t largest = 0;
    for (const Term& term : terms_) largest = std::max(largest, term.count);
    for (int bit = static_cast<int>(std::bit_width(static_cast<uint64_t>(largest))) - 1; bit >= 0; --bit) {
      if (!steps_.empty()) steps_.push_back(kDouble);
      for (size_t i = 0; i < terms_.size(); ++i) {
        if (terms_[i].count >> bit & 1) steps_.push_back(i);
      }
    }
  }

  // How many times two distributions are composed.
  size_t operations() const { return steps_.size(); }

  // Knowing nothing but guesses: a partial sum x weighs e^(tilt x), up to where the mean of the rest completes it.
  AtomLoss first(size_t most, const std::vector<Guess>& guesses) {
    double all = 0;
    for (const Term& term : terms_) all += static_cast<double>(term.count) * term.mean;
    const auto importance = [&](double mean) -> Importance {
      return [&guesses, rest = all - mean](const AtomLoss& atoms) {
        std::vector<double> out(atoms.size(), 0.0), one(atoms.size());
        for (const Guess& g : guesses) {
          double total = 0;
          for (size_t i = 0; i < atoms.size(); ++i) {
            one[i] = std::exp(g.tilt * std::min(atoms.loss[i] - g.epsilon + rest, 0.0));
            total += one[i] * atoms.mass[i];
          }
          for (size_t i = 0; i < atoms.size(); ++i) out[i] += one[i] / std::max(total, 1e-300);
        }
        return out;
      };
    };
    std::vector<Importance> of_terms, of_sums;
    double mean = 0;
    for (const Term& term : terms_) of_terms.push_back(importance(term.mean));
    for (size_t step : steps_) {
      mean += step == kDouble ? mean : terms_[step].mean;
      of_sums.push_back(importance(mean));
    }
    return forward(most, of_terms, of_sums);
  }

  // Knowing the partial sums of the time before: what completes each of them is composed backward, roughly.
  AtomLoss again(size_t most, const std::vector<Place>& places) {
    const auto importance = [&](const AtomLoss& rest) -> Importance {
      return [&places, curve = RestCurve(rest)](const AtomLoss& atoms) {
        std::vector<double> out(atoms.size(), 0.0), one(atoms.size());
        for (const Place& p : places) {
          std::fill(one.begin(), one.end(), 0.0);
          for (double side : {-1.0, -0.33, 0.33, 1.0}) {
            curve.add(atoms.loss, p.epsilon + side * p.width, 0.25, one);
          }
          double total = 0;
          for (size_t i = 0; i < atoms.size(); ++i) total += one[i] * atoms.mass[i];
          for (size_t i = 0; i < atoms.size(); ++i) out[i] += one[i] / std::max(total, 1e-300);
        }
        return out;
      };
    };
    std::vector<Importance> of_terms(terms_.size()), of_sums(steps_.size());
    AtomLoss rest{{0}, {1}, 0};
    for (size_t k = steps_.size(); k-- > 0;) {
      of_sums[k] = importance(rest);
      if (k == 0) {
        if (!of_terms[steps_[0]]) of_terms[steps_[0]] = of_sums[0];
        break;
      }
      const AtomLoss before = thinned(sums_[k - 1], kRough, of_sums[k]);
      const Importance of_before = importance(before);
      if (steps_[k] == kDouble) {
        rest = account::composed(rest, before, kRough, of_before, of_before, of_sums[k]);
        continue;
      }
      if (!of_terms[steps_[k]]) {
        of_terms[steps_[k]] = importance(account::composed(rest, before, kRough, of_sums[k], of_before, of_sums[k]));
      }
      const AtomLoss term = thinned(terms_[steps_[k]].loss, kRough, of_terms[steps_[k]]);
      rest = account::composed(rest, term, kRough, of_before, of_before, of_terms[steps_[k]]);
    }
    return forward(most, of_terms, of_sums);
  }

 private:
  static constexpr size_t kDouble = std::numeric_limits<size_t>::max(), kRough = 250;

  AtomLoss forward(size_t most, const std::vector<Importance>& of_terms, const std::vector<Importance>& of_sums) {
    std::vector<AtomLoss> thin;
    for (size_t i = 0; i < terms_.size(); ++i) thin.push_back(thinned(terms_[i].loss, most, of_terms[i]));
    sums_.clear();
    for (size_t k = 0; k < steps_.size(); ++k) {
      if (k == 0) {
        sums_.push_back(thin[steps_[0]]);
      } else if (steps_[k] == kDouble) {
        sums_.push_back(
            account::composed(sums_.back(), sums_.back(), most, of_sums[k], of_sums[k - 1], of_sums[k - 1]));
      } else {
        const size_t i = steps_[k];
        sums_.push_back(account::composed(sums_.back(), thin[i], most, of_sums[k], of_sums[k - 1], of_terms[i]));
      }
    }
    return sums_.back();
  }

  const std::vector<Term>& terms_;
  std::vector<size_t> steps_;   // the term to add, or kDouble; the first is a term
  std::vector<AtomLoss> sums_;  // after each step
};

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
  if (std::isnan(best)) return kInfinity;
  if (best <= 0) return 0;
  if (best <= enough) return best;
  double at = epsilon_of(best), change = 1;
  for (size_t most : {kFirst, 2 * kFirst, 4 * kFirst, 8 * kFirst, 16 * kFirst}) {
    if (at == kInfinity) return best;
    // Half of the points where epsilon is expected, the others around it: a sum too coarse there must not end far away.
    std::vector<Place> places{{at * (1 - 0.5 * change), std::max(change, 0.01) * at}, {1.5 * at, 0.5 * at}};
    if (change > 0.2) places = {{at, 0.3 * at}, {0.3 * at, 0.2 * at}, {0.1 * at, 0.1 * at}, {2 * at, at}};
    const double now = value(composer.again(std::min(most, largest), places));
    if (!(now > 0)) return 0;
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

struct Directions {
  std::vector<Term> present, blank;
  bool symmetric = true;
};

AtomPair whole_atoms(const Summary& whole, double delta, double tail);

Directions directions(const Summary& summary, double delta, double tail) {
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
    add(sampled(whole_atoms(*n.whole, inner / static_cast<double>(n.count), tail / n.rate), n.rate), n.count);
    out.symmetric = false;
  }
  return out;
}

// The atoms of a composition that is not the last step: sharp over a range of deltas, as no single one decides.
AtomPair whole_atoms(const Summary& whole, double delta, double tail) {
  const Directions both = directions(whole, delta, std::min(tail, 1e-3));
  const auto compose = [&](const std::vector<Term>& terms) {
    std::vector<Guess> guesses;
    for (double d : {0.3, std::sqrt(std::min(delta, 0.1)), std::min(delta, 0.1), 1e-3 * std::min(delta, 0.1)}) {
      guesses.push_back(chernoff_guess(terms, d));
    }
    Composer composer(terms);
    return composer.first(std::min<size_t>(largest_size(composer, terms), 1500), guesses);
  };
  AtomPair out;
  out.present = compose(both.present);
  out.blank = both.symmetric ? out.present : compose(both.blank);
  return out;
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
  const double tail = std::max(kTailShare * delta / runs(summary), 1e-280);
  const Directions both = directions(summary, delta, tail);
  const bool few = outcomes(summary) <= kFewOutcomes;
  double answer = 0;
  for (const auto* terms : {&both.present, &both.blank}) {
    const double slack = slack_of(*terms);
    if (few) {
      const AtomLoss sum = Composer(*terms).first(static_cast<size_t>(kFewOutcomes) + 1, {{1, 1}});
      answer = std::max(answer, atoms_epsilon(sum, delta, slack));
      continue;
    }
    const double epsilon = refine(
        *terms, delta, 1e-3, answer, [&](const AtomLoss& sum) { return atoms_epsilon(sum, delta, slack); },
        [](double found) { return found; });
    answer = std::max(answer, epsilon);
    if (both.symmetric) break;
  }
  return answer * (1 + 1e-11);
}

double atoms_delta(const Summary& summary, double epsilon) {
  const double tail = 1e-30 / runs(summary);
  const Directions both = directions(summary, 1e-9, tail);
  double answer = 0;
  for (const auto* terms : {&both.present, &both.blank}) {
    const double slack = slack_of(*terms);
    const double delta = refine(
        *terms, 1e-6, 5e-3, answer, [&](const AtomLoss& sum) { return atoms_delta(sum, epsilon * (1 - 1e-11), slack); },
        [&](double) { return std::max(epsilon, 1e-6); });
    answer = std::max(answer, delta);
    if (both.symmetric) break;
  }
  return std::min(answer, 1.0);
}

}  // namespace graphveil::account
