#include "graphveil/account/tilted_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "graphveil/base/infinity.h"
#include "graphveil/kernels/fft.h"

namespace graphveil::account {
namespace {

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
  }
  infinity_ = -std::expm1(log_finite);
}

namespace {

// e^(t x) over a lattice as one exponential per block and a table of powers: the moments of a long lattice are wanted
// many times, and this is ten times cheaper than an exponential per point.
class ExponentialWeights {
 public:
  static constexpr size_t kBlock = 64;

  // x_i = start + i step; weights are e^(t (x_i - origin)).
  ExponentialWeights(double t, double start, double step, double origin)
      : t_(t), start_(start), step_(step), origin_(origin) {
    for (size_t i = 0; i < kBlock; ++i) powers_[i] = std::exp(t * step * static_cast<double>(i));
  }
  double block(size_t first) const { return std::exp(t_ * (start_ + static_cast<double>(first) * step_ - origin_)); }
  double power(size_t i) const { return powers_[i]; }

 private:
  double t_, start_, step_, origin_;
  double powers_[kBlock];
};

struct Moments {
  double log_sum, mean, variance;  // of the index
};

// sum_i m_i e^(t x_i): logarithm, and mean and variance of i under these weights.
Moments tilted_moments(const LossDistribution& loss, double t) {
  const auto& m = loss.mass;
  const double span = static_cast<double>(m.size()) * loss.step;
  double sum = 0, first = 0, second = 0, log_scale = 0;
  if (std::fabs(t) * span < 600) {
    const double origin = loss.loss(0) + 0.5 * span;
    const ExponentialWeights weights(t, loss.loss(0), loss.step, origin);
    for (size_t begin = 0; begin < m.size(); begin += ExponentialWeights::kBlock) {
      const size_t end = std::min(begin + ExponentialWeights::kBlock, m.size());
      double s0 = 0, s1 = 0, s2 = 0;
      for (size_t i = begin; i < end; ++i) {
        const double x = static_cast<double>(i - begin), w = m[i] * weights.power(i - begin);
        s0 += w;
        s1 += w * x;
        s2 += w * x * x;
      }
      const double factor = weights.block(begin), b = static_cast<double>(begin);
      sum += factor * s0;
      first += factor * (s1 + b * s0);
      second += factor * (s2 + b * (2 * s1 + b * s0));
    }
    log_scale = t * origin;
  } else {
    // A steep tilt: everything relative to the largest term.
    double top = -kInfinity;
    for (size_t i = 0; i < m.size(); ++i) top = std::max(top, std::log(m[i]) + t * loss.loss(i));
    for (size_t i = 0; i < m.size(); ++i) {
      const double x = static_cast<double>(i), w = std::exp(std::log(m[i]) + t * loss.loss(i) - top);
      sum += w;
      first += w * x;
      second += w * x * x;
    }
    log_scale = top;
  }
  const double mean = first / sum;
  return {log_scale + std::log(sum), mean, std::max(second / sum - mean * mean, 0.0)};
}

}  // namespace

Cumulants LossSum::cumulants(double t) const {
  Cumulants k{0, 0, 0};
  for (const LossTerm& term : terms_) {
    const Moments m = tilted_moments(*term.loss, t);
    k.value += term.count * m.log_sum;
    k.mean += term.count * (term.loss->loss(0) + m.mean * step_);
    k.variance += term.count * m.variance * step_ * step_;
  }
  return k;
}

double LossSum::scale() const { return std::max(std::sqrt(cumulants(0).variance), step_); }

double LossSum::log_delta_bound(double log_moment, double t, double epsilon) {
  return log_moment - t * epsilon - t * std::log1p(1 / t) - std::log1p(t);
}

namespace {

// The root in [lowest, highest] of a decreasing function of t > 0 to within a few percent, or the end nearest to it:
// bracket in ever larger steps of ln t from the start, then bisect.
template <typename F>
double decreasing_root(double start, double lowest, double highest, F&& f) {
  start = std::clamp(start, lowest, highest);
  const double sign = f(start) > 0 ? 1 : -1;
  double factor = 1.2, inner = start, outer = start;
  do {
    inner = outer;
    outer = std::clamp(outer * (sign > 0 ? factor : 1 / factor), lowest, highest);
    factor *= factor;
  } while (outer > lowest && outer < highest && sign * f(outer) > 0);
  double low = std::min(inner, outer), high = std::max(inner, outer);
  while (high > 1.05 * low) {
    const double middle = std::sqrt(low * high);
    (f(middle) > 0 ? low : high) = middle;
  }
  return low;
}

}  // namespace

// Tilts beyond kSteepest standard deviations lie in the last 1e-4 of a bounded loss, where epsilon is the largest loss.
constexpr double kSteepest = 1e4, kFlattest = 1e-4;

double LossSum::tilt_for_delta(double delta, double start) const {
  const double target = std::log(delta), unit = 1 / scale();
  if (start == 0) start = std::max(std::sqrt(-2 * target), 0.1) * unit;
  return decreasing_root(start, kFlattest * unit, kSteepest * unit, [&](double t) {
    const Cumulants k = cumulants(t);
    return k.value - t * k.mean - std::log1p(t) - target;
  });
}

double LossSum::tilt_for_epsilon(double epsilon, double start) const {
  const double unit = 1 / scale();
  return decreasing_root(start == 0 ? unit : start, kFlattest * unit, kSteepest * unit,
                         [&](double t) { return epsilon - cumulants(t).mean; });
}

namespace {

struct Workspace {
  std::span<double> circle, re, im, product_re, product_im;
};

// Buffers of the calling thread, kept between calls while they are small: fresh pages cost as much as the arithmetic.
std::vector<double>& workspace_store() {
  thread_local std::vector<double> store;
  return store;
}

Workspace workspace(size_t length, size_t half) {
  auto& store = workspace_store();
  if (store.size() < length + 4 * half) store.resize(length + 4 * half);
  const std::span<double> all(store);
  return {all.subspan(0, length), all.subspan(length, half), all.subspan(length + half, half),
          all.subspan(length + 2 * half, half), all.subspan(length + 3 * half, half)};
}

void release_large_workspace() {
  if (workspace_store().size() > (size_t{1} << 20)) std::vector<double>().swap(workspace_store());
}

}  // namespace

TiltedSum::TiltedSum(const LossSum& sum, double tilt) : tilt_(tilt), step_(sum.step_) {
  const Cumulants k = sum.cumulants(tilt);
  const double deviation = std::max(std::sqrt(k.variance), step_);

  // The window [low, high] holds all but e^-kBelow and e^-kAbove of the tilted mass by Chernoff:
  //   P(L >= h) <= exp(K(tilt + s) - K(tilt) - s h),   P(L <= l) <= exp(K(tilt - s) - K(tilt) + s l),   s > 0.
  double high = kInfinity, low = -kInfinity, high_order = 0, high_moment = 0;
  for (double width : {1.5, 5.0}) {
    const double s = width / deviation;
    const double up = sum.cumulants(tilt + s).value - k.value, down = sum.cumulants(tilt - s).value - k.value;
    if ((up + kAbove) / s < high) {
      high = (up + kAbove) / s;
      high_order = s;
      high_moment = up;
    }
    low = std::max(low, -(down + kBelow) / s);
  }
  if (!(std::fabs(low / step_) < 1e15 && std::fabs(high / step_) < 1e15)) {
    // Moments beyond the range of doubles: nothing can be said.
    first_ = 0;
    mean_ = log_factor_ = error_norm_ = 0;
    extra_ = slack_ = 1;
    return;
  }
  first_ = static_cast<int64_t>(std::floor(low / step_));
  const double wanted = std::ceil((high - low) / step_) + 2;
  const size_t length = wanted >= static_cast<double>(kLongestWindow)
                            ? kLongestWindow
                            : std::bit_ceil(std::max<size_t>(static_cast<size_t>(wanted), 64));
  const double top = static_cast<double>(first_ + static_cast<int64_t>(length)) * step_;

  // Tilted masses, folded onto the circle; transform; power; product.
  const auto plan = kernels::RealFft::shared(length);
  const double fft_error = plan->relative_error_bound();
  const size_t half = length / 2 + 1;
  const auto [circle, re, im, product_re, product_im] = workspace(length, half);
  std::fill(product_re.begin(), product_re.end(), 1.0);
  std::fill(product_im.begin(), product_im.end(), 0.0);
  error_norm_ = 0;
  const auto mask = static_cast<int64_t>(length - 1);
  for (const auto& [term, count] : sum.terms_) {
    const LossDistribution& loss = *term;
    const double log_total = tilted_moments(loss, tilt).log_sum;
    std::fill(circle.begin(), circle.end(), 0.0);
    for (size_t i = 0; i < loss.mass.size(); ++i) {
      const double exponent = tilt * loss.loss(i) - log_total;
      const double w = exponent < 600 ? loss.mass[i] * std::exp(exponent) : std::exp(std::log(loss.mass[i]) + exponent);
      // Two's complement makes the mask a true remainder for negative indices too.
      circle[static_cast<size_t>((loss.first + static_cast<int64_t>(i)) & mask)] += w;
    }
    double squares = 0;
    for (double w : circle) squares += w * w;
    plan->forward(circle, re, im);
    // |(x + e)^n - x^n| <= n |e| (1 + |e|)^(n-1) for |x| <= 1: the error of the transform is met `count` times. The
    // transform of unit vectors has norm sqrt(length), which bounds |e| at each frequency.
    const double norm = std::sqrt(squares);
    error_norm_ +=
        count * fft_error * norm * std::exp(count * fft_error * norm * std::sqrt(static_cast<double>(length)));
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
  release_large_workspace();
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

// With w_j = mass_j factor e^(-tilt (l_j - mean)) / target, the untilted mass in units of what is allowed, the sums
//   D_i = sum_(j > i) w_j (1 - e^(l_i - l_j)),   T_i = sum_(j > i) w_j e^(l_i - l_j)
// at lattice point i are delta(l_i) and e^(l_i) Q(L > l_i). One step down, with r = e^-step,
//   D_(i-1) = D_i + (1 - r) (T_i + w_i),   T_(i-1) = r (T_i + w_i):
// only positive terms, nothing cancels, and an underflow is a true nothing beside the target. Within the cell,
// delta(l_i - s) = D_i + (1 - e^-s) (T_i + w_i).
TiltedSum::Answer TiltedSum::epsilon(double delta) const {
  const double allowed = (delta - extra_) / slack_;
  if (!(allowed > 0)) return {kInfinity, 0, 1};
  const double log_scale = log_factor_ - std::log(allowed);
  constexpr size_t kBlock = 64;
  const double weight_step = std::exp(tilt_ * step_), r = std::exp(-step_), spread = -std::expm1(-step_);
  const bool steep = tilt_ * step_ * kBlock > 300;
  double d = 0, t = 0, weight_squares = 0, weight = 0;
  for (size_t i = mass_.size(); i-- > 0;) {
    const double loss = static_cast<double>(first_ + static_cast<int64_t>(i)) * step_;
    if (steep || weight < 1e-200 || i % kBlock == kBlock - 1) {
      weight = std::exp(log_scale - tilt_ * (loss - mean_));
    } else {
      weight *= weight_step;
    }
    const double w = mass_[i] * weight, error = error_norm_ * std::sqrt(weight_squares);
    const double next = d + spread * (t + w);
    weight_squares += weight * weight;
    // Written so that an overflow of a steep tilt, far below the answer, ends the scan on the safe side.
    if (!(next + error_norm_ * std::sqrt(weight_squares) <= 1)) {
      const double share = (1 - d - error) / (t + w);
      double epsilon = loss;  // where the errors alone reach delta, or w overflows
      if (share > 0 && share < 1) epsilon = std::max(loss + std::log1p(-share), loss - step_);
      // The density of L just above over |d delta / d e|.
      const size_t cells = std::min<size_t>(16, mass_.size() - i);
      double near = 0, factor = weight;
      for (size_t c = 0; c < cells; ++c, factor /= weight_step) near += mass_[i + c] * factor;
      return {epsilon, near / (static_cast<double>(cells) * step_ * (t + w)), (error * allowed + extra_) / delta};
    }
    d = next;
    t = r * (t + w);
  }
  return {static_cast<double>(first_) * step_, 0, 1};
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
