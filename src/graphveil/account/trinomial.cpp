#include "graphveil/account/trinomial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/account/careful.h"
#include "graphveil/account/normal.h"

namespace graphveil::account {
namespace {

constexpr double kMostTerms = 1 << 21;
constexpr double kLargestLogOdds = 300;

// One run: probabilities under the first hypothesis of the outcome that speaks for it, of the one that speaks against
// it, and of all others, which are as likely under the second; and the losses of the first two. The losses stand for
// themselves: at a small rate the ratio of two probabilities near each other has few digits or none.
struct Outcomes {
  double p_for, p_against, other;
  double loss_for, loss_against;
};

struct Counts {
  int64_t low, high;
};

// X ~ Binom(n, p) lies outside with probability at most 2 e^-margin (Bernstein: P(|X - np| >= t) <=
// 2 exp(-t^2 / (2 (np(1-p) + t/3)))).
Counts likely_counts(int64_t n, double p, double margin) {
  const double mean = static_cast<double>(n) * p, variance = mean * (1 - p);
  const double t = margin / 3 + std::sqrt(margin * margin / 9 + 2 * margin * variance);
  return {std::max<int64_t>(0, static_cast<int64_t>(std::floor(mean - t))),
          std::min(n, static_cast<int64_t>(std::ceil(mean + t)))};
}

// One direction of the composition: for each number f of outcomes "for", running sums over the number g of outcomes
// "against" of P - Q, by the loss, and of Q. The loss f l_for + g l_against falls with g.
class Enumeration {
 public:
  // Leaves out outcomes of probability at most 4 e^-margin.
  Enumeration(const Outcomes& o, int64_t n, double margin)
      : loss_for_(o.loss_for),
        loss_against_(o.loss_against),
        dropped_(4 * std::exp(-margin)),
        n_(n),
        for_(likely_counts(n, o.p_for, margin)),
        against_(likely_counts(n, o.p_against, margin)) {
    terms_ = static_cast<double>(for_.high - for_.low + 1) * static_cast<double>(against_.high - against_.low + 1);
    if (!feasible()) return;
    const bool two = o.other <= 0;
    const double log_for = std::log(o.p_for), log_against = std::log(o.p_against);
    const double log_other = two ? 0 : std::log(o.other), log_all = log_gamma(static_cast<double>(n) + 1);
    std::vector<double> log_factorial_against;
    for (int64_t g = against_.low; g <= against_.high; ++g) {
      log_factorial_against.push_back(log_gamma(static_cast<double>(g) + 1));
    }
    // ln (n - f - g)! is shared by all pairs with the same sum.
    const int64_t least = std::max<int64_t>(0, n - for_.high - against_.high);
    std::vector<double> log_factorial_rest;
    for (int64_t r = least; r <= n - for_.low - against_.low; ++r) {
      log_factorial_rest.push_back(log_gamma(static_cast<double>(r) + 1));
    }
    for (int64_t f = for_.low; f <= for_.high; ++f) {
      double first = 0, second = 0;
      const double head = log_all - log_gamma(static_cast<double>(f) + 1) + static_cast<double>(f) * log_for;
      for (int64_t g = against_.low; g <= against_.high; ++g) {
        const int64_t rest = n - f - g;
        if (rest >= 0 && (!two || rest == 0)) {
          const double log_mass = head - log_factorial_against[static_cast<size_t>(g - against_.low)] -
                                  log_factorial_rest[static_cast<size_t>(rest - least)] +
                                  static_cast<double>(g) * log_against + static_cast<double>(rest) * log_other;
          first += std::exp(log_mass) * -std::expm1(-loss(f, g));
          second += std::exp(log_mass - loss(f, g));
        }
        sums_.push_back({first, second});
      }
    }
  }

  // Few terms, and losses of either sign that rounding has left.
  bool feasible() const { return terms_ <= kMostTerms && loss_for_ > 0 && loss_against_ < 0; }
  double largest_loss() const { return static_cast<double>(n_) * loss_for_; }

  // delta(e) = sum over outcomes with loss > e of (P - Q) - (e^e - 1) Q, and what was left out: two small numbers where
  // all losses are small.
  double delta(double epsilon) const {
    const double above = std::expm1(epsilon);
    const auto width = static_cast<size_t>(against_.high - against_.low + 1);
    double delta = 0, size = 0;
    for (int64_t f = for_.low; f <= for_.high; ++f) {
      // The largest g with f l_for + g l_against > e.
      const double most = std::ceil((static_cast<double>(f) * loss_for_ - epsilon) / -loss_against_) - 1;
      if (most < static_cast<double>(against_.low)) continue;
      const auto last = std::min(static_cast<size_t>(most - static_cast<double>(against_.low)), width - 1);
      const auto& [first, second] = sums_[static_cast<size_t>(f - for_.low) * width + last];
      delta += nonnegative(first - above * second);
      size += first;
    }
    // Log-gamma at n loses n ln n units in the last place at most, e^loss as many as the loss is large.
    const double n = static_cast<double>(n_);
    const double rounding = 1e-13 + 4e-16 * n * std::log(n + 1) + 1e-15 * (epsilon + n * loss_for_);
    return std::min(1.0, delta + rounding * size + dropped_);
  }

 private:
  double loss(int64_t f, int64_t g) const {
    return static_cast<double>(f) * loss_for_ + static_cast<double>(g) * loss_against_;
  }

  double loss_for_, loss_against_, dropped_, terms_;
  int64_t n_;
  Counts for_, against_;
  std::vector<std::pair<double, double>> sums_;
};

// Outcomes i (the record's label), j (the label without it), others. Present: (1 - g) M(j) + g M(i); blank: M(j). Both
// directions, present against blank first.
std::array<Outcomes, 2> both_directions(const RandomizedResponse& m, double rate) {
  const double others = static_cast<double>(m.classes - 1), odds = std::exp(-m.log_odds);
  const double a = 1 / (1 + others * odds), b = odds * a, rest = (others - 1) * b;
  const double up = std::log1p(rate * std::expm1(m.log_odds)), down = std::log1p(rate * std::expm1(-m.log_odds));
  return {{{(1 - rate) * b + rate * a, (1 - rate) * a + rate * b, rest, up, down}, {a, b, rest, -down, -up}}};
}

}  // namespace

std::optional<double> trinomial_epsilon(const RandomizedResponse& mechanism, double rate, int64_t count, double delta) {
  if (mechanism.log_odds > kLargestLogOdds) return std::nullopt;
  const double margin = std::log(4e9 / delta);
  double answer = 0;
  for (const Outcomes& direction : both_directions(mechanism, rate)) {
    const Enumeration sum(direction, count, margin);
    if (!sum.feasible()) return std::nullopt;
    if (sum.largest_loss() > 700) return std::nullopt;
    double low = 0, high = sum.largest_loss();
    if (sum.delta(0) <= delta) continue;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (sum.delta(middle) <= delta ? high : low) = middle;
    }
    answer = std::max(answer, high);
  }
  return answer;
}

std::optional<double> trinomial_delta(const RandomizedResponse& mechanism, double rate, int64_t count, double epsilon) {
  if (mechanism.log_odds > kLargestLogOdds || epsilon > 700) return std::nullopt;
  double answer = 0;
  for (const Outcomes& direction : both_directions(mechanism, rate)) {
    const Enumeration sum(direction, count, std::log(4e30));
    if (!sum.feasible()) return std::nullopt;
    answer = larger(answer, sum.delta(epsilon));
  }
  return answer;
}

}  // namespace graphveil::account
