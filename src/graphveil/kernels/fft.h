// Fourier transforms of real sequences in double precision.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace graphveil::kernels {

// A plan for one length, a power of two >= 4. Immutable after construction: any number of threads may use it at once.
// A spectrum is its length() / 2 + 1 first coefficients, real and imaginary parts apart.
class RealFft {
 public:
  explicit RealFft(size_t length);

  // The plan for a length, made on first use; all but the longest are kept for the life of the program.
  static std::shared_ptr<const RealFft> shared(size_t length);

  size_t length() const noexcept { return length_; }

  // spectrum[k] = sum_j signal[j] exp(-2 pi i j k / length)
  void forward(std::span<const double> signal, std::span<double> real, std::span<double> imag) const;

  // The signal with this spectrum: inverse(forward(x)) = x. The imaginary parts at 0 and length / 2 count as zero.
  void inverse(std::span<const double> real, std::span<const double> imag, std::span<double> signal) const;

  // A bound on |computed - exact| / |exact| in the Euclidean norm, for either direction. Every radix-2 level costs at
  // most one complex product with a rounded root (3 u) and one addition (u), u = 2^-53 (Higham, Accuracy and Stability
  // of Numerical Algorithms, Theorem 24.2); taken three times as large, with two levels more for the real packing.
  double relative_error_bound() const noexcept;

 private:
  void transform(double* real, double* imag) const;

  size_t length_;
  std::vector<double> cosine_, sine_;  // of 2 pi k / length, k < length / 2
};

// out[k] = sum_j a[j] b[k - j], of length a.size() + b.size() - 1; empty when either is. By the transform above a few
// dozen terms, plainly below. The error of an entry is about 1e-15 times the product of the Euclidean norms.
std::vector<double> convolve(std::span<const double> a, std::span<const double> b);

}  // namespace graphveil::kernels
