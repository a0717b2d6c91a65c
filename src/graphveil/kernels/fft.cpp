#include "graphveil/kernels/fft.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

namespace graphveil::kernels {
namespace {

// Buffers of the calling thread, kept between calls while they are small: fresh pages would cost as much as the
// transform.
constexpr size_t kLargestKept = size_t{1} << 20;

std::vector<double>& scratch_store() {
  thread_local std::vector<double> store;
  return store;
}

double* fft_scratch(size_t size) {
  auto& store = scratch_store();
  if (store.size() < size) store.resize(size);
  return store.data();
}

void release_large_scratch() {
  if (scratch_store().size() > kLargestKept) std::vector<double>().swap(scratch_store());
}

// One Stockham pass. The input holds n-point problems interleaved with stride s; the output has four times the stride
// and a quarter of the length. It sorts itself, so no bit reversal is needed.
struct Pass {
  size_t n, s;
  const double *xr, *xi;
  double *yr, *yi;
};

}  // namespace

RealFft::RealFft(size_t length) : length_(length), cosine_(length / 2), sine_(length / 2) {
  assert(std::has_single_bit(length) && length >= 4);
  for (size_t k = 0; k < length / 2; ++k) {
    const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(length);
    cosine_[k] = std::cos(angle);
    sine_[k] = std::sin(angle);
  }
}

std::shared_ptr<const RealFft> RealFft::shared(size_t length) {
  if (length > kLargestKept / 2) return std::make_shared<const RealFft>(length);
  static std::mutex mutex;
  static std::map<size_t, std::shared_ptr<const RealFft>> plans;
  const std::lock_guard lock(mutex);
  auto& plan = plans[length];
  if (!plan) plan = std::make_shared<const RealFft>(length);
  return plan;
}

double RealFft::relative_error_bound() const noexcept {
  return 12 * 1.12e-16 * (static_cast<double>(std::bit_width(length_)) + 1);
}

namespace {

// y[4p + k] = w^(kp) sum_m i^(-mk) x[p + m n/4], w = exp(-2 pi i / n), for every one of the s interleaved problems.
void radix4(const Pass& pass, const double* cosine, const double* sine, size_t table) noexcept {
  const size_t quarter = pass.n / 4, s = pass.s, half = table / 2, step = table / pass.n;
  for (size_t p = 0; p < quarter; ++p) {
    const size_t k1 = p * step, k2 = 2 * k1, k3 = 3 * k1;
    const bool wrap = k3 >= half;  // exp(-i (t + pi)) = -exp(-i t)
    const double c1 = cosine[k1], s1 = -sine[k1], c2 = cosine[k2], s2 = -sine[k2];
    const double c3 = wrap ? -cosine[k3 - half] : cosine[k3], s3 = wrap ? sine[k3 - half] : -sine[k3];
    const double *ar = pass.xr + s * p, *br = ar + s * quarter, *cr = br + s * quarter, *dr = cr + s * quarter;
    const double *ai = pass.xi + s * p, *bi = ai + s * quarter, *ci = bi + s * quarter, *di = ci + s * quarter;
    double* __restrict y0r = pass.yr + s * 4 * p, * __restrict y0i = pass.yi + s * 4 * p;
    double* __restrict y1r = y0r + s, * __restrict y1i = y0i + s;
    double* __restrict y2r = y1r + s, * __restrict y2i = y1i + s;
    double* __restrict y3r = y2r + s, * __restrict y3i = y2i + s;
    for (size_t q = 0; q < s; ++q) {
      const double er = ar[q] + cr[q], ei = ai[q] + ci[q], fr = ar[q] - cr[q], fi = ai[q] - ci[q];
      const double gr = br[q] + dr[q], gi = bi[q] + di[q], hr = br[q] - dr[q], hi = bi[q] - di[q];
      y0r[q] = er + gr;
      y0i[q] = ei + gi;
      const double ur = fr + hi, ui = fi - hr, vr = er - gr, vi = ei - gi, wr = fr - hi, wi = fi + hr;
      y1r[q] = ur * c1 - ui * s1;
      y1i[q] = ur * s1 + ui * c1;
      y2r[q] = vr * c2 - vi * s2;
      y2i[q] = vr * s2 + vi * c2;
      y3r[q] = wr * c3 - wi * s3;
      y3i[q] = wr * s3 + wi * c3;
    }
  }
}

// The last pass when the length is an odd power of two: n = 2, no factors.
void radix2(const Pass& pass) noexcept {
  const size_t s = pass.s;
  for (size_t q = 0; q < s; ++q) {
    const double ar = pass.xr[q], ai = pass.xi[q], br = pass.xr[q + s], bi = pass.xi[q + s];
    pass.yr[q] = ar + br;
    pass.yi[q] = ai + bi;
    pass.yr[q + s] = ar - br;
    pass.yi[q + s] = ai - bi;
  }
}

}  // namespace

// The complex transform of half the length, in place over fft_scratch(2 * length): the result ends in real, imag.
void RealFft::transform(double* real, double* imag) const {
  const size_t n = length_ / 2;
  double* other_real = fft_scratch(2 * length_) + length_;
  double* other_imag = other_real + n;
  Pass pass{n, 1, real, imag, other_real, other_imag};
  double *xr = real, *xi = imag, *yr = other_real, *yi = other_imag;
  while (pass.n > 1) {
    pass.xr = xr;
    pass.xi = xi;
    pass.yr = yr;
    pass.yi = yi;
    if (pass.n == 2) {
      radix2(pass);
      pass.n = 1;
    } else {
      radix4(pass, cosine_.data(), sine_.data(), length_);
      pass.n /= 4;
      pass.s *= 4;
    }
    std::swap(xr, yr);
    std::swap(xi, yi);
  }
  if (xr != real) {
    std::copy(xr, xr + n, real);
    std::copy(xi, xi + n, imag);
  }
}

void RealFft::forward(std::span<const double> signal, std::span<double> real, std::span<double> imag) const {
  const size_t half = length_ / 2;
  assert(signal.size() == length_ && real.size() == half + 1 && imag.size() == half + 1);
  // z_j = x_2j + i x_2j+1 holds two real transforms in one complex one of half the length.
  double* zr = fft_scratch(2 * length_);
  double* zi = zr + half;
  for (size_t j = 0; j < half; ++j) {
    zr[j] = signal[2 * j];
    zi[j] = signal[2 * j + 1];
  }
  transform(zr, zi);
  real[0] = zr[0] + zi[0];
  imag[0] = 0;
  real[half] = zr[0] - zi[0];
  imag[half] = 0;
  // X_k = E_k + w^k O_k, E_k = (Z_k + conj Z_(half-k)) / 2, O_k = (Z_k - conj Z_(half-k)) / 2i.
  for (size_t k = 1; k < half; ++k) {
    const size_t m = half - k;
    const double er = 0.5 * (zr[k] + zr[m]), ei = 0.5 * (zi[k] - zi[m]);
    const double ur = 0.5 * (zi[k] + zi[m]), ui = 0.5 * (zr[m] - zr[k]);
    real[k] = er + ur * cosine_[k] + ui * sine_[k];
    imag[k] = ei + ui * cosine_[k] - ur * sine_[k];
  }
  release_large_scratch();
}

void RealFft::inverse(std::span<const double> real, std::span<const double> imag, std::span<double> signal) const {
  const size_t half = length_ / 2;
  assert(signal.size() == length_ && real.size() == half + 1 && imag.size() == half + 1);
  double* zr = fft_scratch(2 * length_);
  double* zi = zr + half;
  zr[0] = 0.5 * (real[0] + real[half]);
  zi[0] = 0.5 * (real[0] - real[half]);
  // The steps of forward, backwards: Z_k = E_k + i O_k with O_k = (X_k - conj X_(half-k)) w^-k / 2.
  for (size_t k = 1; k < half; ++k) {
    const size_t m = half - k;
    const double er = 0.5 * (real[k] + real[m]), ei = 0.5 * (imag[k] - imag[m]);
    const double dr = 0.5 * (real[k] - real[m]), di = 0.5 * (imag[k] + imag[m]);
    const double ur = dr * cosine_[k] - di * sine_[k], ui = dr * sine_[k] + di * cosine_[k];
    zr[k] = er - ui;
    zi[k] = ei + ur;
  }
  // Exchanging real and imaginary parts before and after turns the forward transform into the inverse one.
  transform(zi, zr);
  const double scale = 1 / static_cast<double>(half);
  for (size_t j = 0; j < half; ++j) {
    signal[2 * j] = scale * zr[j];
    signal[2 * j + 1] = scale * zi[j];
  }
  release_large_scratch();
}

std::vector<double> convolve(std::span<const double> a, std::span<const double> b) {
  constexpr size_t kPlain = 32;
  if (a.empty() || b.empty()) return {};
  const size_t length = a.size() + b.size() - 1;
  if (std::min(a.size(), b.size()) <= kPlain) {
    std::vector<double> out(length, 0.0);
    for (size_t i = 0; i < a.size(); ++i) {
      for (size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
    }
    return out;
  }
  const auto fft = RealFft::shared(std::bit_ceil(length));
  const size_t bins = fft->length() / 2 + 1;
  std::vector<double> signal(fft->length(), 0.0), real_a(bins), imag_a(bins), real_b(bins), imag_b(bins);
  std::copy(a.begin(), a.end(), signal.begin());
  fft->forward(signal, real_a, imag_a);
  std::fill(signal.begin(), signal.end(), 0.0);
  std::copy(b.begin(), b.end(), signal.begin());
  fft->forward(signal, real_b, imag_b);
  for (size_t k = 0; k < bins; ++k) {
    const double real = real_a[k] * real_b[k] - imag_a[k] * imag_b[k];
    imag_a[k] = real_a[k] * imag_b[k] + imag_a[k] * real_b[k];
    real_a[k] = real;
  }
  fft->inverse(real_a, imag_a, signal);
  signal.resize(length);
  return signal;
}

}  // namespace graphveil::kernels
