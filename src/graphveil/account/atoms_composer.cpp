#include "graphveil/account/atoms_composer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

constexpr size_t kDouble = std::numeric_limits<size_t>::max(), kRough = 250;

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

}  // namespace

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

Composer::Composer(const std::vector<Term>& terms) : terms_(terms) {
  int64_t largest = 0;
  for (const Term& term : terms_) largest = std::max(largest, term.count);
  for (int bit = static_cast<int>(std::bit_width(static_cast<uint64_t>(largest))) - 1; bit >= 0; --bit) {
    if (!steps_.empty()) steps_.push_back(kDouble);
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i].count >> bit & 1) steps_.push_back(i);
    }
  }
}

AtomLoss Composer::first(size_t most, const std::vector<Guess>& guesses) {
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

AtomLoss Composer::again(size_t most, const std::vector<Place>& places) {
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

AtomLoss Composer::forward(size_t most, const std::vector<Importance>& of_terms,
                           const std::vector<Importance>& of_sums) {
  std::vector<AtomLoss> thin;
  for (size_t i = 0; i < terms_.size(); ++i) thin.push_back(thinned(terms_[i].loss, most, of_terms[i]));
  sums_.clear();
  for (size_t k = 0; k < steps_.size(); ++k) {
    if (k == 0) {
      sums_.push_back(thin[steps_[0]]);
    } else if (steps_[k] == kDouble) {
      sums_.push_back(account::composed(sums_.back(), sums_.back(), most, of_sums[k], of_sums[k - 1], of_sums[k - 1]));
    } else {
      const size_t i = steps_[k];
      sums_.push_back(account::composed(sums_.back(), thin[i], most, of_sums[k], of_sums[k - 1], of_terms[i]));
    }
  }
  return sums_.back();
}

}  // namespace graphveil::account
