// The exponential mechanism by Gumbel noise, k picks at once (Durfee and Rogers 2019, Lemma 4.2: adding one Gumbel
// variable to each score and reading off the k largest is k exponential mechanisms, one after the other).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graphveil/kernels/noise_fill.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {

Noisy<std::vector<int32_t>> Release::top_k(const std::string& label, bound::Bounded<Matrix> scores, int64_t k,
                                           double range) {
  const bound::Sensitivity sensitivity = scores.sensitivity();
  require(scores.value_.rows() == 1 && k >= 1 && k <= scores.value_.cols(),
          "'{}' picks {} of a {} x {} matrix, want one row and at most its length", label, k, scores.value_.rows(),
          scores.value_.cols());
  require(std::isfinite(range) && range > 0, "range of '{}' is {}, want a positive finite number", label, range);
  // Raising one score by the sensitivity and lowering another moves the log-odds of two picks by 2 * amount / b.
  const double scale = 2 * sensitivity.amount / range;
  spend(account::Event(label, account::Exponential{range}, sensitivity.sampling, k), sensitivity, bound::Norm::LInf,
        scale);
  Matrix noisy = std::move(scores.value_);
  const std::string purpose = "noise/" + label;
  kernels::fill_gumbel(noisy, scale, {seed_, purpose, point_.draws++}, kernels::Into::Add);

  std::vector<int32_t> order(static_cast<size_t>(noisy.cols()));
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + k, order.end(),
                    [&](int32_t a, int32_t b) { return noisy(0, a) > noisy(0, b); });
  order.resize(static_cast<size_t>(k));
  return {std::move(order), scale};
}

}  // namespace graphveil::mechanism
