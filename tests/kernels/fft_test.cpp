#include "graphveil/kernels/fft.h"

#include <cmath>
#include <complex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::kernels::fft_test {
namespace {

std::vector<double> noise(size_t n) {
  RandomStream stream(Seed::from_number(3), "fft test", n);
  std::vector<double> out(n);
  for (double& x : out) x = stream.gaussian();
  return out;
}

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v * v;
  return std::sqrt(sum);
}

struct Spectrum {
  std::vector<double> re, im;
};

Spectrum forward(const RealFft& fft, const std::vector<double>& x) {
  Spectrum s{std::vector<double>(x.size() / 2 + 1), std::vector<double>(x.size() / 2 + 1)};
  fft.forward(x, s.re, s.im);
  return s;
}

TEST(RealFft, MatchesTheDefinition) {
  for (size_t n : {4u, 8u, 16u, 32u, 128u, 512u}) {
    const RealFft fft(n);
    const auto x = noise(n);
    const Spectrum s = forward(fft, x);
    for (size_t k = 0; k <= n / 2; ++k) {
      std::complex<long double> sum = 0;
      for (size_t j = 0; j < n; ++j) {
        const long double angle = 2 * M_PIl * static_cast<long double>(j * k % n) / static_cast<long double>(n);
        sum += static_cast<long double>(x[j]) * std::complex<long double>(std::cos(angle), -std::sin(angle));
      }
      // Each coefficient is within the norm-wise bound of the whole.
      const double allowed = fft.relative_error_bound() * norm(x) * std::sqrt(static_cast<double>(n));
      EXPECT_NEAR(s.re[k], static_cast<double>(sum.real()), allowed) << n << " " << k;
      EXPECT_NEAR(s.im[k], static_cast<double>(sum.imag()), allowed) << n << " " << k;
    }
  }
}

TEST(RealFft, InverseBringsBackWithinTheBound) {
  for (size_t n = 4; n <= (size_t{1} << 20); n *= 2) {
    const RealFft fft(n);
    const auto x = noise(n);
    const Spectrum s = forward(fft, x);
    std::vector<double> back(n);
    fft.inverse(s.re, s.im, back);
    for (size_t i = 0; i < n; ++i) back[i] -= x[i];
    EXPECT_LE(norm(back), 2 * fft.relative_error_bound() * norm(x)) << n;
    EXPECT_LT(fft.relative_error_bound(), 1e-13);
  }
}

TEST(RealFft, MultiplicationIsCircularConvolution) {
  const size_t n = 64;
  const RealFft fft(n);
  const auto x = noise(n);
  std::vector<double> y(n);
  for (size_t i = 0; i < n; ++i) y[i] = x[(3 * i + 1) % n];
  const Spectrum a = forward(fft, x), b = forward(fft, y);
  Spectrum c = a;
  for (size_t k = 0; k <= n / 2; ++k) {
    c.re[k] = a.re[k] * b.re[k] - a.im[k] * b.im[k];
    c.im[k] = a.re[k] * b.im[k] + a.im[k] * b.re[k];
  }
  std::vector<double> z(n);
  fft.inverse(c.re, c.im, z);
  for (size_t k = 0; k < n; ++k) {
    double expected = 0;
    for (size_t j = 0; j < n; ++j) expected += x[j] * y[(k + n - j) % n];
    EXPECT_NEAR(z[k], expected, 1e-11);
  }
}

TEST(Convolve, MatchesThePlainSum) {
  for (auto [n, m] : {std::pair<size_t, size_t>{1, 1}, {5, 3}, {32, 500}, {33, 33}, {300, 71}, {1000, 1000}}) {
    const auto a = noise(n), b = noise(m);
    const std::vector<double> c = convolve(a, b);
    ASSERT_EQ(c.size(), n + m - 1);
    for (size_t k = 0; k < c.size(); ++k) {
      double expected = 0;
      for (size_t j = 0; j < n; ++j) expected += k >= j && k - j < m ? a[j] * b[k - j] : 0;
      EXPECT_NEAR(c[k], expected, 1e-11) << n << " " << m << " " << k;
    }
  }
  EXPECT_TRUE(convolve({}, noise(3)).empty());
}

TEST(RealFft, SharedPlansWorkFromManyThreads) {
  const auto x = noise(4096);
  const Spectrum expected = forward(*RealFft::shared(4096), x);
  std::vector<std::thread> threads;
  std::vector<int> same(4, 0);
  for (size_t t = 0; t < same.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const Spectrum s = forward(*RealFft::shared(4096), x);
        same[t] += s.re == expected.re && s.im == expected.im;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (int count : same) EXPECT_EQ(count, 20);
}

}  // namespace
}  // namespace graphveil::kernels::fft_test
