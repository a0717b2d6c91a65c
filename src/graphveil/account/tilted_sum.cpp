#include "graphveil/account/tilted_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "graphveil/kernels/fft.h"

namespace graphveil::account {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kLongestWindow = size_t{1} << 22;
// Tilted mass allowed outside the window, as ln(1 / mass): above it is charged to delta, below it folds onto the top.
constexpr double kAbove = 25, kBelow = 16;

// |z|^count by repeated squaring; count < 2^63.
void raise(double& re, double& im, double count) {
  auto n = static_cast<uint64_t>(count);
  double br = re, bi = im, rr = 1, ri = 0;
  while (true) {
    if (n & 1) {
      const double t = rr * br - ri * bi;
      ri = rr * bi + ri * br;
      rr = t;
    }
    n >>= 1;
    if (n == 0) break;
    const double t = br * br - bi * bi;
    bi = 2 * br * bi;
    br = t;
  }
  re = rr;
  im = ri;
}

}  // namespace

LossSum::LossSum(std::vector<LossTerm> terms) : terms_(std::move(terms)), step_(0), count_(0) {
  double log_finite = 0;
  for (const LossTerm& term : terms_) {
    step_ = term.loss->step;
    count_ += term.count;
    log_finite += term.count * std::log1p(-std::min(term.loss->infinity, 1.0));
    auto& logs = log_mass_.emplace_back(term.loss->mass.size());
    for (size_t i = 0; i < logs.size(); ++i) logs[i] = std::log(term.loss->mass[i]);
  }
  infinity_ = -std::expm1(log_finite);
}

Cumulants LossSum::cumulants(double t) const {
  Cumulants k{0, 0, 0};
  for (size_t part = 0; part < terms_.size(); ++part) {
    const LossDistribution& loss = *terms_[part].loss;
    const auto& logs = log_mass_[part];
    const double rise = t * step_;
    double top = -kInfinity;
    for (size_t i = 0; i < logs.size(); ++i) top = std::max(top, logs[i] + rise * static_cast<double>(i));
    double sum = 0, first = 0, second = 0;
    for (size_t i = 0; i < logs.size(); ++i) {
      const double x = static_cast<double>(i), w = std::exp(logs[i] + rise * x - top);
      sum += w;
      first += w * x;
      second += w * x * x;
    }
    const double mean = first / sum, count = terms_[part].count;
    k.value += count * (top + std::log(sum) + t * loss.loss(0));
    k.mean += count * (loss.loss(0) + mean * step_);
    k.variance += count * std::max(second / sum - mean * mean, 0.0) * step_ * step_;
  }
  return k;
}

double LossSum::log_moment(double t) const { return cumulants(t).value; }

double LossSum::scale() const { return std::max(std::sqrt(cumulants(0).variance), step_); }

double LossSum::log_delta_estimate(const Cumulants& k, double t) {
  return k.value - t * k.mean - std::log(t * (t + 1)) - 0.5 * std::log(2 * M_PI * std::max(k.variance, 1e-300));
}

namespace {

// The root of a decreasing function of t > 0, by bisection of ln t to within a few percent, within [start/1e4, start*1e4].
template <typename F>
double decreasing_root(double start, F&& f) {
  double low = start, high = start;
  if (f(start) > 0) {
    do {
      low = high;
      high *= 2;
    } while (high < 1e4 * start && f(high) > 0);
  } else {
    do {
      high = low;
      low *= 0.5;
    } while (low > 1e-4 * start && f(low) <= 0);
  }
  while (high > 1.03 * low) {
    const double middle = std::sqrt(low * high);
    (f(middle) > 0 ? low : high) = middle;
  }
  return low;
}

}  // namespace

double LossSum::tilt_for_delta(double delta) const {
  const double target = std::log(delta);
  const double start = std::max(std::sqrt(-2 * target), 0.1) / scale();
  return decreasing_root(start, [&](double t) { return log_delta_estimate(cumulants(t), t) - target; });
}

double LossSum::tilt_for_epsilon(double epsilon) const {
  return decreasing_root(1 / scale(), [&](double t) { return epsilon - cumulants(t).mean; });
}

TiltedSum::TiltedSum(const LossSum& sum, double tilt) : tilt_(tilt), step_(sum.step_) {
  const Cumulants k = sum.cumulants(tilt);
  const double deviation = std::max(std::sqrt(k.variance), step_);

  // The window [low, high] holds all but e^-kBelow and e^-kAbove of the tilted mass by Chernoff:
  //   P(L >= h) <= exp(K(tilt + s) - K(tilt) - s h),   P(L <= l) <= exp(K(tilt - s) - K(tilt) + s l),   s > 0.
  double high = kInfinity, low = -kInfinity, high_order = 0, high_moment = 0;
  for (double width : {1.0, 2.5, 4.0, 6.0}) {
    const double s = width / deviation;
    const double up = sum.log_moment(tilt + s) - k.value, down = sum.log_moment(tilt - s) - k.value;
    if ((up + kAbove) / s < high) {
      high = (up + kAbove) / s;
      high_order = s;
      high_moment = up;
    }
    low = std::max(low, -(down + kBelow) / s);
  }
  first_ = static_cast<int64_t>(std::floor(low / step_));
  const double wanted = std::ceil((high - low) / step_) + 2;
  const size_t length =
      wanted >= static_cast<double>(kLongestWindow) ? kLongestWindow : std::bit_ceil(std::max<size_t>(static_cast<size_t>(wanted), 64));
  const double top = static_cast<double>(first_ + static_cast<int64_t>(length)) * step_;

  // Tilted masses, folded onto the circle; transform; power; product.
  const auto plan = kernels::RealFft::shared(length);
  const double fft_error = plan->relative_error_bound();
  const size_t half = length / 2 + 1;
  std::vector<double> circle(length), re(half), im(half), product_re(half, 1.0), product_im(half, 0.0);
  error_norm_ = 0;
  const auto mask = static_cast<int64_t>(length - 1);
  for (size_t part = 0; part < sum.terms_.size(); ++part) {
    const LossDistribution& loss = *sum.terms_[part].loss;
    const auto& logs = sum.log_mass_[part];
    const double count = sum.terms_[part].count;
    std::fill(circle.begin(), circle.end(), 0.0);
    double peak = -kInfinity, total = 0;
    for (size_t i = 0; i < logs.size(); ++i) peak = std::max(peak, logs[i] + tilt * loss.loss(i));
    for (size_t i = 0; i < logs.size(); ++i) {
      const double w = std::exp(logs[i] + tilt * loss.loss(i) - peak);
      total += w;
      // Two's complement makes the mask a true remainder for negative indices too.
      circle[static_cast<size_t>((loss.first + static_cast<int64_t>(i)) & mask)] += w;
    }
    double squares = 0;
    for (double& w : circle) {
      w /= total;
      squares += w * w;
    }
    plan->forward(circle, re, im);
    // |(x + e)^n - x^n| <= n |e| (1 + |e|)^(n-1) for |x| <= 1: the error of the transform is met `count` times. The
    // transform of unit vectors has norm sqrt(length), which bounds |e| at each frequency.
    const double norm = std::sqrt(squares);
    error_norm_ += count * fft_error * norm * std::exp(count * fft_error * norm * std::sqrt(static_cast<double>(length)));
    // Where |x|^count < e^-90 the product is nothing; almost everywhere for large counts.
    const double threshold = std::exp(-180 / count);
    for (size_t f = 0; f < half; ++f) {
      if (re[f] * re[f] + im[f] * im[f] < threshold) {
        product_re[f] = product_im[f] = 0;
      } else if (product_re[f] != 0 || product_im[f] != 0) {
        raise(re[f], im[f], count);
        const double t = product_re[f] * re[f] - product_im[f] * im[f];
        product_im[f] = product_re[f] * im[f] + product_im[f] * re[f];
        product_re[f] = t;
      }
    }
  }
  plan->inverse(product_re, product_im, circle);

  // Unroll the circle into the window; negative round-off is raised to zero, which only adds.
  mass_.resize(length);
  double squares = 0;
  for (size_t i = 0; i < length; ++i) {
    mass_[i] = std::max(circle[static_cast<size_t>((first_ + static_cast<int64_t>(i)) & mask)], 0.0);
    squares += mass_[i] * mass_[i];
  }
  // Powers by squaring lose at most 5 u a copy; e^-90 was dropped at each frequency.
  error_norm_ += (fft_error + 16 * 1.12e-16 * sum.count_) * std::sqrt(squares) + 1e-36;

  mean_ = k.mean;
  log_factor_ = k.value - tilt * mean_;
  // P(L > top) untilted <= e^(K(tilt) - tilt top) times the tilted tail.
  const double log_above = k.value - tilt * top + std::min(0.0, high_moment - high_order * top);
  extra_ = sum.infinity_ + std::exp(std::min(log_above, 0.0));
  // exp and log of numbers of size about 100, once a copy.
  slack_ = 1 + 1e-13 * sum.count_ + 1e-9;
}

// delta(e) = factor * sum_(L > e) mass(L) e^(-tilt (L - mean)) (1 - e^(e - L)) + error + extra. Between lattice points
// it is A - e^(e - mean) B with running sums A, B from the top, so the scan stops at the cell where delta is reached.
double TiltedSum::epsilon(double delta) const {
  const double target = (delta - extra_) / (std::exp(log_factor_) * slack_);
  if (!(target > 0)) return kInfinity;
  double a = 0, b = 0, weight_squares = 0;
  for (size_t i = mass_.size(); i-- > 0;) {
    const double loss = static_cast<double>(first_ + static_cast<int64_t>(i)) * step_, offset = loss - mean_;
    const double error = error_norm_ * std::sqrt(weight_squares);
    const double ratio = std::exp(offset);
    if (a + error - ratio * b > target) {
      const double exact = mean_ + std::log((a + error - target) / b);
      return std::min(std::max(exact, loss), loss + step_);
    }
    const double weight = std::exp(-tilt_ * offset);
    a += mass_[i] * weight;
    b += mass_[i] * weight / ratio;
    weight_squares += weight * weight;
  }
  return static_cast<double>(first_) * step_;
}

double TiltedSum::delta(double epsilon) const {
  // Mass below the window was folded away: nothing better than 1 can be said there.
  if (epsilon < static_cast<double>(first_) * step_) return 1;
  double sum = 0, weight_squares = 0;
  for (size_t i = mass_.size(); i-- > 0;) {
    const double loss = static_cast<double>(first_ + static_cast<int64_t>(i)) * step_;
    if (loss <= epsilon) break;
    const double weight = std::exp(-tilt_ * (loss - mean_));
    sum += mass_[i] * weight * -std::expm1(epsilon - loss);
    weight_squares += weight * weight;
  }
  const double finite = sum + error_norm_ * std::sqrt(weight_squares);
  return std::min(1.0, std::exp(log_factor_) * slack_ * finite + extra_);
}

}  // namespace graphveil::account
