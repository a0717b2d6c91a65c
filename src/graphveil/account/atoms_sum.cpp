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
// Sums of products that one answer may take, about half a second.
constexpr double kMostProducts = 3e8;

// Where the answer lies and how steeply delta falls there.
struct Focus {
  double epsilon, tilt;
};

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

// Where Chernoff's bound puts the answer (see LossSum::tilt_for_delta): a first guess.
Focus chernoff_focus(const std::vector<Term>& terms, double delta) {
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

// From a sum: Q(L > e) falls like e^(-(t+1) e), and rare large losses hardly weigh in it.
Focus local_focus(const AtomLoss& sum, double epsilon) {
  double q = 0, reach = epsilon, all = 0;
  for (size_t i = 0; i < sum.size(); ++i) {
    if (sum.loss[i] > epsilon) all += sum.mass[i] * std::exp(epsilon - sum.loss[i]);
  }
  for (size_t i = sum.size(); i-- > 0 && sum.loss[i] > epsilon;) {
    q += sum.mass[i] * std::exp(epsilon - sum.loss[i]);
    reach = sum.loss[i];
    if (q > 0.37 * all) break;
  }
  const double width = std::max(reach - epsilon, 1e-12 * epsilon + 1e-300);
  return {epsilon, std::max(1 / width - 1, 1e-3 / std::max(epsilon, 1e-9))};
}

// The sum of all terms by doubling: the counts' bits from the highest to the lowest.
class Composer {
 public:
  Composer(const std::vector<Term>& terms, size_t most, std::vector<Focus> foci)
      : terms_(terms), most_(most), foci_(std::move(foci)) {}

  AtomLoss compose() {
    int64_t largest = 0;
    for (const Term& term : terms_) largest = std::max(largest, term.count);
    std::vector<AtomLoss> thin;
    for (const Term& term : terms_) thin.push_back(thinned(term.loss, most_, importance(term.mean, term.variance)));
    AtomLoss sum;
    bool empty = true;
    double mean = 0, variance = 0;
    for (int bit = static_cast<int>(std::bit_width(static_cast<uint64_t>(largest))) - 1; bit >= 0; --bit) {
      if (!empty) {
        mean *= 2;
        variance *= 2;
        sum = account::composed(sum, sum, most_, importance(mean, variance));
      }
      for (size_t i = 0; i < terms_.size(); ++i) {
        if (!(terms_[i].count >> bit & 1)) continue;
        mean += terms_[i].mean;
        variance += terms_[i].variance;
        sum = empty ? thin[i] : account::composed(sum, thin[i], most_, importance(mean, variance));
        empty = false;
      }
    }
    return sum;
  }

  // How many times two distributions are composed.
  static double operations(const std::vector<Term>& terms) {
    double sum = 0;
    int64_t largest = 1;
    for (const Term& term : terms) {
      sum += std::popcount(static_cast<uint64_t>(term.count));
      largest = std::max(largest, term.count);
    }
    return sum + static_cast<double>(std::bit_width(static_cast<uint64_t>(largest)));
  }

 private:
  // A partial sum x of this mean and variance is completed by an independent rest: delta(epsilon) is the mean of the
  // rest's delta at epsilon - x, which rises like e^(tilt x) until the rest need add nothing, and is of the form
  // a + b e^-x, which splitting keeps exactly, beyond.
  Importance importance(double mean, double variance) const {
    double all_mean = 0, all_variance = 0;
    for (const Term& term : terms_) {
      all_mean += static_cast<double>(term.count) * term.mean;
      all_variance += static_cast<double>(term.count) * term.variance;
    }
    Importance out;
    for (const Focus& f : foci_) {
      const double cap = f.epsilon - (all_mean - mean), tilt = f.tilt;
      const double end = cap + 4 * std::sqrt(std::max(all_variance - variance, 0.0)) + 2 / tilt;
      out.push_back([cap, tilt, end](double x) {
        return std::exp(tilt * std::min(x - cap, 0.0)) * (x > end ? std::exp(-std::min(x - end, 600.0)) : 1.0);
      });
    }
    return out;
  }

  const std::vector<Term>& terms_;
  size_t most_;
  std::vector<Focus> foci_;
};

double slack_of(const std::vector<Term>& terms) {
  double count = 0;
  for (const Term& term : terms) count += static_cast<double>(term.count);
  return 1e-9 + 4e-13 * count;
}

std::vector<size_t> sizes(const std::vector<Term>& terms) {
  const double largest = std::sqrt(kMostProducts / Composer::operations(terms));
  if (largest < 64) {
    fail(ErrorKind::Unsupported, "{} different events are too many to compose in reasonable time", terms.size());
  }
  std::vector<size_t> out;
  for (double size : {200.0, 500.0, 1250.0, 2500.0}) {
    if (size < largest) out.push_back(static_cast<size_t>(size));
  }
  if (out.size() < 4) out.push_back(static_cast<size_t>(largest));
  return out;
}

// Finer and finer until the value no longer moves; `value` reads it off a sum, `focus` the foci for the next.
template <typename Value, typename FocusOf>
double refine(const std::vector<Term>& terms, Focus focus, double tolerance, Value&& value, FocusOf&& next_focus) {
  std::vector<Focus> foci{focus};
  double best = kInfinity;
  for (size_t most : sizes(terms)) {
    const AtomLoss sum = Composer(terms, most, foci).compose();
    const double now = value(sum);
    if (now <= 0) return 0;
    // An error of second order falls by six and more from one size to the next.
    if (best < kInfinity && best - now <= tolerance * now) return std::min(best, now);
    best = std::min(best, now);
    if (now < kInfinity) foci = {next_focus(sum, now), focus};
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
  for (const Release& r : all_releases(summary)) {
    add(base_atoms(r.mechanism, r.sampling, tail), r.count);
    out.symmetric = out.symmetric && std::holds_alternative<NoSampling>(r.sampling);
  }
  for (const SampledRelease& n : summary.nested) {
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
    std::vector<Focus> foci;
    for (double d : {0.3, std::sqrt(std::min(delta, 0.1)), std::min(delta, 0.1), 1e-3 * std::min(delta, 0.1)}) {
      foci.push_back(chernoff_focus(terms, d));
    }
    return Composer(terms, std::min<size_t>(sizes(terms).back(), 2000), std::move(foci)).compose();
  };
  AtomPair out;
  out.present = compose(both.present);
  out.blank = both.symmetric ? out.present : compose(both.blank);
  return out;
}

double runs(const Summary& summary) {
  double count = 1;
  for (const Release& r : summary.releases) count += static_cast<double>(r.count);
  for (const SampledRelease& n : summary.nested) count += static_cast<double>(n.count) * runs(*n.whole);
  return count;
}

}  // namespace

double atoms_epsilon(const Summary& summary, double delta) {
  const double tail = std::max(kTailShare * delta / runs(summary), 1e-280);
  const Directions both = directions(summary, delta, tail);
  double answer = 0;
  for (const auto* terms : {&both.present, &both.blank}) {
    const double slack = slack_of(*terms);
    const double epsilon = refine(
        *terms, chernoff_focus(*terms, delta), 1e-3,
        [&](const AtomLoss& sum) { return atoms_epsilon(sum, delta, slack); }, local_focus);
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
        *terms, chernoff_focus(*terms, 1e-6), 5e-3,
        [&](const AtomLoss& sum) { return atoms_delta(sum, epsilon * (1 - 1e-11), slack); },
        [&](const AtomLoss& sum, double) { return local_focus(sum, epsilon); });
    answer = std::max(answer, delta);
    if (both.symmetric) break;
  }
  return std::min(answer, 1.0);
}

}  // namespace graphveil::account
