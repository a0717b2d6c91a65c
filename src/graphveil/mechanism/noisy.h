// A value that noise has made safe to read.
#pragma once

#include <utility>

namespace graphveil::mechanism {

class Release;

// Made only by a mechanism, after its ledger line was written. Whatever is computed from it is post-processing
// and costs nothing more.
template <typename T>
class Noisy {
 public:
  const T& value() const& { return value_; }
  T&& value() && { return std::move(value_); }
  // Standard deviation (Gaussian) or scale (Laplace, Gumbel) of the noise in the value's own units; public.
  double noise_scale() const { return noise_scale_; }

 private:
  friend class Release;
  Noisy(T value, double noise_scale) : value_(std::move(value)), noise_scale_(noise_scale) {}
  T value_;
  double noise_scale_;
};

}  // namespace graphveil::mechanism
