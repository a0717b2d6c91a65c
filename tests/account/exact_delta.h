// Slow, obvious answers for few runs, in long double: what the accountant must not be below.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace graphveil::account::exact {

using Real = long double;

// An outcome: its probabilities with the record present and blank.
struct Outcome {
  Real p, q;
};
using Outcomes = std::vector<Outcome>;

inline Outcomes product(const Outcomes& a, const Outcomes& b) {
  Outcomes out;
  for (const Outcome& x : a) {
    for (const Outcome& y : b) out.push_back({x.p * y.p, x.q * y.q});
  }
  return out;
}

inline Outcomes sampled(Outcomes outcomes, Real rate) {
  for (Outcome& o : outcomes) o.p = (1 - rate) * o.q + rate * o.p;
  return outcomes;
}

inline Real delta(const Outcomes& outcomes, Real epsilon) {
  const Real scale = std::exp(epsilon);
  Real present = 0, blank = 0;
  for (const Outcome& o : outcomes) {
    present += std::max<Real>(0, o.p - scale * o.q);
    blank += std::max<Real>(0, o.q - scale * o.p);
  }
  return std::max(present, blank);
}

inline Outcomes response(Real log_odds, int classes) {
  const Real a = 1 / (1 + (classes - 1) * std::exp(-log_odds)), b = a * std::exp(-log_odds);
  Outcomes out{{a, b}, {b, a}};
  if (classes > 2) out.push_back({(classes - 2) * b, (classes - 2) * b});
  return out;
}

// Discrete noise of the given log-weight on integers moved by `shift`, cut off where nothing is left.
template <typename LogWeight>
Outcomes discrete(int shift, int reach, LogWeight&& log_weight) {
  Real total = 0;
  for (int z = -reach; z <= reach; ++z) total += std::exp(log_weight(z));
  Outcomes out;
  for (int z = -reach; z <= reach + shift; ++z) {
    out.push_back({std::exp(log_weight(z - shift)) / total, std::exp(log_weight(z)) / total});
  }
  return out;
}

inline Real upper_tail(Real x) { return std::erfc(x / std::sqrt(Real(2))) / 2; }

// N(mu, 1) against N(0, 1).
inline Real gaussian_delta(Real mu, Real epsilon) {
  return upper_tail(epsilon / mu - mu / 2) - std::exp(epsilon) * upper_tail(epsilon / mu + mu / 2);
}

// One run moved by 1 with Laplace noise, r = 1 / scale; two runs; bounded range.
inline Real laplace_delta(Real r, Real e) { return e >= r ? 0 : -std::expm1((e - r) / 2); }
inline Real laplace_delta_twice(Real r, Real e) {
  if (e >= 2 * r) return 0;
  const Real u = (e - 2 * r) / 2;
  return -std::expm1(u) + u / 2 * std::exp(u);
}
inline Real range_delta(Real r, Real e) {
  const Real root = e >= r ? 0 : -std::expm1((e - r) / 2);
  return root * root / -std::expm1(-r);
}

// Poisson sampling of one run with a symmetric curve `whole`: both directions.
template <typename Whole>
Real sampled_delta(Real rate, Real epsilon, Whole&& whole) {
  const Real present = rate * whole(std::log1p(std::expm1(epsilon) / rate));
  const Real left = 1 - std::exp(epsilon) * (1 - rate);
  const Real blank = left > 0 ? left * whole(std::log(rate * std::exp(epsilon) / left)) : 0;
  return std::max(present, blank);
}

// sum_i Binom(i; deletions, rate) N(i, s^2) against sum_j Binom(j; insertions, rate) N(-j, s^2), one run: the loss
// rises with x, so the outcomes above e are a ray.
class Group {
 public:
  Group(Real s, Real rate, int deletions, int insertions)
      : s_(s), up_(binomial(deletions, rate)), down_(binomial(insertions, rate)) {}

  Real delta(Real epsilon) const {
    // Present: x with loss > e; blank: x with loss < -e.
    const Real high = root(epsilon), low = root(-epsilon), scale = std::exp(epsilon);
    const Real present = tail(up_, 1, high, 1) - scale * tail(down_, -1, high, 1);
    const Real blank = tail(down_, -1, low, -1) - scale * tail(up_, 1, low, -1);
    return std::max(present, blank);
  }

 private:
  static std::vector<Real> binomial(int n, Real rate) {
    std::vector<Real> out;
    Real term = std::pow(1 - rate, Real(n));
    for (int i = 0; i <= n; ++i) {
      out.push_back(term);
      term *= rate / (1 - rate) * (n - i) / (i + 1);
    }
    return out;
  }
  Real tail(const std::vector<Real>& w, int sign, Real x, int side) const {
    Real sum = 0;
    for (size_t i = 0; i < w.size(); ++i) sum += w[i] * upper_tail(side * (x - sign * Real(i)) / s_);
    return sum;
  }
  Real log_ratio(const std::vector<Real>& w, int sign, Real x) const {
    Real top = -1e30L, sum = 0;
    std::vector<Real> terms;
    for (size_t i = 0; i < w.size(); ++i) {
      terms.push_back(std::log(w[i]) + Real(i) * (sign * x - Real(i) / 2) / (s_ * s_));
      top = std::max(top, terms.back());
    }
    for (Real t : terms) sum += std::exp(t - top);
    return top + std::log(sum);
  }
  Real root(Real loss) const {
    Real low = -1e6L, high = 1e6L;
    for (int i = 0; i < 120; ++i) {
      const Real x = (low + high) / 2;
      (log_ratio(up_, 1, x) - log_ratio(down_, -1, x) > loss ? high : low) = x;
    }
    return (low + high) / 2;
  }

  Real s_;
  std::vector<Real> up_, down_;
};

}  // namespace graphveil::account::exact
