#include "graphveil/kernels/nearest.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::kernels {
namespace {

constexpr int64_t kQueryBlock = 96;
constexpr int64_t kPointBlock = 1024;
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

double exact_distance(const Real* q, const Real* p, int64_t cols, Distance distance) {
  double difference = 0, inner = 0, qq = 0, pp = 0;
  for (int64_t c = 0; c < cols; ++c) {
    const double a = q[c], b = p[c];
    difference += (a - b) * (a - b);
    inner += a * b;
    qq += a * a;
    pp += b * b;
  }
  if (distance == Distance::Euclidean) return std::sqrt(difference);
  return qq > 0 && pp > 0 ? 1 - inner / std::sqrt(qq * pp) : 1.0;
}

// What orders the points for one query, from the inner product alone: base[p] + factor[p] <q, p>. Euclidean: |p|² - 2
// <q, p>; cosine: -<q, p> / |p|.
struct Scores {
  std::vector<Real> base, factor;
  Real largest_norm = 0;
};

Scores prepare_scores(ConstMatrixView points, Distance distance) {
  Scores scores;
  std::vector<Real> norms(static_cast<size_t>(points.rows));
  row_norms(points, norms);
  scores.base.assign(norms.size(), 0);
  scores.factor.assign(norms.size(), -2);
  for (size_t p = 0; p < norms.size(); ++p) {
    scores.largest_norm = std::max(scores.largest_norm, norms[p]);
    if (distance == Distance::Euclidean) {
      scores.base[p] = norms[p] * norms[p];
    } else {
      scores.factor[p] = norms[p] > 0 ? -1 / norms[p] : Real(0);
      if (!std::isfinite(norms[p])) scores.factor[p] = std::numeric_limits<Real>::quiet_NaN();
    }
  }
  return scores;
}

// The candidates of one query: every point whose score may be among the k least. Scores carry a rounding error of at
// most `error`, so a point is dropped only when its score is more than 2 error above k others.
class Candidates {
 public:
  Candidates(int64_t k, Real error) : k_(static_cast<size_t>(k)), slack_(2 * error) {}

  // Points first .. first + count - 1 have the inner products `products`.
  void offer(const Real* products, const Real* base, const Real* factor, int64_t first, int64_t count) {
    constexpr int64_t kRun = 16;
    int64_t i = 0;
    for (; i + kRun <= count; i += kRun) {
      // Most runs hold nothing good: look at a whole run at once.
      Real scores[kRun];
      int good = 0;
      for (int64_t l = 0; l < kRun; ++l) {
        scores[l] = base[i + l] + factor[i + l] * products[i + l];
        good |= scores[l] > limit_ && scores[l] < kInfinity ? 0 : 1;
      }
      if (good == 0) continue;
      for (int64_t l = 0; l < kRun; ++l) keep(scores[l], first + i + l);
    }
    for (; i < count; ++i) keep(base[i] + factor[i] * products[i], first + i);
  }
  // The points that are left.
  std::vector<int32_t> finish() {
    shrink();
    std::vector<int32_t> points = unsure_;
    for (const auto& [score, point] : kept_) points.push_back(point);
    return points;
  }

 private:
  void keep(Real score, int64_t point) {
    if (!std::isfinite(score)) {
      unsure_.push_back(static_cast<int32_t>(point));  // numbers so large that the score overflowed
    } else if (score <= limit_) {
      kept_.emplace_back(score, static_cast<int32_t>(point));
      if (kept_.size() >= full_) shrink();
    }
  }
  // Finds the k-th score, lowers the limit to it, and forgets what is above the limit.
  void shrink() {
    if (kept_.size() > k_) {
      std::nth_element(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(k_) - 1, kept_.end());
      limit_ = kept_[k_ - 1].first + slack_;
      std::erase_if(kept_, [&](const auto& candidate) { return candidate.first > limit_; });
    }
    full_ = std::max(4 * k_ + 64, 2 * kept_.size());
  }

  size_t k_;
  Real slack_;
  Real limit_ = kInfinity;
  size_t full_ = 4 * k_ + 64;
  std::vector<std::pair<Real, int32_t>> kept_;
  std::vector<int32_t> unsure_;  // whose score says nothing: never dropped
};

}  // namespace

Neighbors nearest(ConstMatrixView queries, ConstMatrixView points, int64_t k, Distance distance) {
  assert(queries.cols == points.cols && k >= 0);
  Neighbors result{.queries = queries.rows, .count = std::min(k, points.rows), .indices = {}, .distances = {}};
  const int64_t count = result.count;
  result.indices.resize(static_cast<size_t>(result.queries * count));
  result.distances.resize(result.indices.size());
  if (count == 0) return result;

  const Scores scores = prepare_scores(points, distance);
  std::vector<Real> query_norms(static_cast<size_t>(queries.rows));
  row_norms(queries, query_norms);
  // An inner product of n terms is off by at most about n eps |q| |p|, the square of a norm by (n + 3) eps |p|².
  const Real eps = std::numeric_limits<Real>::epsilon() * static_cast<Real>(points.cols + 8);
  const auto score_error = [&](Real query_norm) {
    if (distance == Distance::Cosine) return eps * query_norm;
    return eps * scores.largest_norm * (scores.largest_norm + 2 * query_norm);
  };

  parallel_for(queries.rows, kQueryBlock, [&](int64_t begin, int64_t end) {
    std::vector<Candidates> candidates;
    for (int64_t q = begin; q < end; ++q) candidates.emplace_back(count, score_error(query_norms[q]));
    Matrix products = Matrix::uninitialized(end - begin, kPointBlock);
    for (int64_t first = 0; first < points.rows; first += kPointBlock) {
      const int64_t block = std::min(kPointBlock, points.rows - first);
      gemm(Transpose::No, Transpose::Yes, 1, queries.rows_at(begin, end - begin), points.rows_at(first, block), 0,
           products.view().columns(0, block));
      for (int64_t q = begin; q < end; ++q) {
        candidates[q - begin].offer(products.data() + (q - begin) * kPointBlock, scores.base.data() + first,
                                    scores.factor.data() + first, first, block);
      }
    }
    // The few that are left are measured exactly and sorted.
    std::vector<std::pair<double, int32_t>> exact;
    for (int64_t q = begin; q < end; ++q) {
      exact.clear();
      for (const int32_t point : candidates[q - begin].finish()) {
        exact.emplace_back(exact_distance(queries.data + q * queries.stride, points.data + point * points.stride,
                                          points.cols, distance),
                           point);
      }
      std::sort(exact.begin(), exact.end());
      for (int64_t i = 0; i < count; ++i) {
        result.distances[q * count + i] = static_cast<Real>(exact[i].first);
        result.indices[q * count + i] = exact[i].second;
      }
    }
  });
  return result;
}

}  // namespace graphveil::kernels
