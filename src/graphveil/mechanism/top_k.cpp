// The exponential mechanism by Gumbel noise, k picks at once (Durfee and Rogers 2019, Lemma 4.2: adding one Gumbel
// variable to each score and reading off the k largest is k exponential mechanisms, one after the other).
#include <algorithm>
#include <numeric>
#include <utility>

#include "graphveil/kernels/grid_noise.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {

Noisy<std::vector<int32_t>> Release::top_k(const std::string& label, bound::Bounded<bound::GridMatrix> scores,
                                           int64_t k) {
  const IntegerMatrix<int64_t>& steps = scores.value_.values;
  require(steps.rows() == 1 && k >= 1 && k <= steps.cols(),
          "'{}' picks {} of a {} x {} matrix, want one row and at most its length", label, k, steps.rows(),
          steps.cols());
  const PlanLine& planned = spend(label, scores.sensitivity(), k);
  planned_as<account::Exponential>(planned);
  // Raising one score by the sensitivity and lowering another moves the log-odds of two picks by 2 * amount / b.
  const double scale = noise_scale(planned);
  std::vector<int64_t> noisy(steps.values().begin(), steps.values().end());
  if (observer_ != nullptr) {
    std::vector<double> values(noisy.begin(), noisy.end());
    for (double& value : values) value *= scores.value_.step;
    observer_->saw(label, values, 1, scores.sensitivity());
  }
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    std::vector<int64_t> noise(noisy.size());
    kernels::fill_gumbel_grid(noise, scale / scores.value_.step, {seed_, name, point_.draws++});
    for (size_t i = 0; i < noisy.size(); ++i) noisy[i] += noise[i];
  }
  std::vector<int32_t> order(noisy.size());
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + k, order.end(),
                    [&](int32_t a, int32_t b) { return noisy[a] != noisy[b] ? noisy[a] > noisy[b] : a < b; });
  order.resize(static_cast<size_t>(k));
  return finish(label, std::move(order), scale);
}

}  // namespace graphveil::mechanism
