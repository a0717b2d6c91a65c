#include "graphveil/learn/stacking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/shared_rows.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::learn {
namespace {

constexpr int kSteps = 25;
constexpr double kRidge = 1;  // in nodes, on scores of unit size

// x with a x = b, by elimination with pivots; a is small, positive definite and destroyed.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    size_t pivot = i;
    for (size_t r = i + 1; r < n; ++r) {
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    }
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (size_t r = 0; r < n; ++r) {
      if (r == i || a[i][i] == 0) continue;
      const double factor = a[r][i] / a[i][i];
      for (size_t k = i; k < n; ++k) a[r][k] -= factor * a[i][k];
      b[r] -= factor * b[i];
    }
  }
  for (size_t i = 0; i < n; ++i) b[i] = a[i][i] != 0 ? b[i] / a[i][i] : 0;
  return b;
}

// Sums over nodes: of all, or a rank's own, which go on with those of the ranks before.
void add_in_order(const SharedRows* shared, std::span<double> sums, const std::function<void()>& add) {
  shared != nullptr ? shared->in_turn(sums, add) : add();
}

// Typical size of the scores of each expert about their mean in each row.
std::vector<double> sizes_of(std::span<const Matrix> scores, std::span<const int32_t> nodes, const SharedRows* shared) {
  std::vector<double> squares(scores.size());
  add_in_order(shared, squares, [&] {
    for (size_t e = 0; e < scores.size(); ++e) {
      for (const int32_t v : nodes) {
        double mean = 0;
        for (const Real s : scores[e].row(v)) mean += s / static_cast<double>(scores[e].cols());
        for (const Real s : scores[e].row(v)) squares[e] += (s - mean) * (s - mean);
      }
    }
  });
  const int64_t rows = shared != nullptr ? shared->all() : std::ssize(nodes);
  std::vector<double> sizes;
  for (size_t e = 0; e < scores.size(); ++e) {
    const auto values = static_cast<double>(std::max<int64_t>(1, rows * scores[e].cols()));
    sizes.push_back(std::max(std::sqrt(squares[e] / values), 1e-12));
  }
  return sizes;
}

// Loss, gradient and curvature, in one array, so that they go from rank to rank together.
class Slope {
 public:
  explicit Slope(size_t experts) : experts_(experts), sums_(1 + experts + experts * experts) {}
  double& loss() { return sums_[0]; }
  double& gradient(size_t e) { return sums_[1 + e]; }
  double& curvature(size_t e, size_t f) { return sums_[1 + experts_ + e * experts_ + f]; }
  std::span<double> sums() { return sums_; }
  // Newton's.
  std::vector<double> step() {
    std::vector<double> gradients(experts_);
    std::vector<std::vector<double>> curvatures(experts_, std::vector<double>(experts_));
    for (size_t e = 0; e < experts_; ++e) {
      gradients[e] = gradient(e);
      for (size_t f = 0; f < experts_; ++f) curvatures[e][f] = curvature(e, f);
    }
    return solve(std::move(curvatures), std::move(gradients));
  }

 private:
  size_t experts_;
  std::vector<double> sums_;
};

// Of the penalized loss at w, on scores divided by their sizes.
Slope slope_at(std::span<const Matrix> scores, const std::vector<double>& sizes, const std::vector<double>& w,
               std::span<const int32_t> labels, std::span<const int32_t> nodes, const SharedRows* shared) {
  const size_t experts = scores.size();
  const auto classes = static_cast<size_t>(scores[0].cols());
  Slope out(experts);
  std::vector<double> p(classes), mean(experts);
  add_in_order(shared, out.sums(), [&] {
    for (const int32_t v : nodes) {
      const int32_t y = labels[static_cast<size_t>(v)];
      if (y == graph::kUnlabeled) continue;
      for (size_t j = 0; j < classes; ++j) {
        p[j] = 0;
        for (size_t e = 0; e < experts; ++e) p[j] += w[e] * scores[e](v, static_cast<int64_t>(j)) / sizes[e];
      }
      const double top = *std::max_element(p.begin(), p.end()), own = p[static_cast<size_t>(y)];
      double sum = 0;
      for (double& x : p) sum += x = std::exp(x - top);
      for (double& x : p) x /= sum;
      out.loss() += top + std::log(sum) - own;
      for (size_t e = 0; e < experts; ++e) {
        mean[e] = 0;
        for (size_t j = 0; j < classes; ++j) mean[e] += p[j] * scores[e](v, static_cast<int64_t>(j)) / sizes[e];
        out.gradient(e) += mean[e] - scores[e](v, y) / sizes[e];
      }
      for (size_t e = 0; e < experts; ++e) {
        for (size_t f = 0; f < experts; ++f) {
          double product = 0;
          for (size_t j = 0; j < classes; ++j) {
            product += p[j] * (scores[e](v, static_cast<int64_t>(j)) / sizes[e]) *
                       (scores[f](v, static_cast<int64_t>(j)) / sizes[f]);
          }
          out.curvature(e, f) += product - mean[e] * mean[f];
        }
      }
    }
  });
  for (size_t e = 0; e < experts; ++e) {
    out.loss() += 0.5 * kRidge * w[e] * w[e];
    out.gradient(e) += kRidge * w[e];
    out.curvature(e, e) += kRidge;
  }
  return out;
}

}  // namespace

std::vector<double> stack_weights(std::span<const Matrix> scores, std::span<const int32_t> labels,
                                  std::span<const int32_t> nodes, Ranks* ranks) {
  require(!scores.empty(), "nothing to weigh");
  std::optional<SharedRows> rows;
  if (ranks != nullptr) rows.emplace(*ranks, std::ssize(nodes));
  const SharedRows* const shared = rows ? &*rows : nullptr;
  const std::vector<double> sizes = sizes_of(scores, nodes, shared);
  std::vector<double> w(scores.size());
  Slope here = slope_at(scores, sizes, w, labels, nodes, shared);
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<double> move = here.step();
    // The loss is convex: a step that raises it was too long.
    double length = 1;
    bool better = false;
    for (int half = 0; half < 20 && !better; ++half, length /= 2) {
      std::vector<double> next = w;
      for (size_t e = 0; e < w.size(); ++e) next[e] -= length * move[e];
      Slope there = slope_at(scores, sizes, next, labels, nodes, shared);
      if (!(there.loss() < here.loss())) continue;
      better = true;
      w = std::move(next);
      here = std::move(there);
    }
    if (!better) break;
  }
  for (size_t e = 0; e < w.size(); ++e) w[e] /= sizes[e];
  return w;
}

Matrix stacked(std::span<const Matrix> scores, std::span<const double> weights) {
  Matrix out(scores[0].rows(), scores[0].cols());
  std::vector<double> row(static_cast<size_t>(out.cols()));
  for (int64_t v = 0; v < out.rows(); ++v) {
    for (size_t j = 0; j < row.size(); ++j) {
      row[j] = 0;
      for (size_t e = 0; e < scores.size(); ++e) row[j] += weights[e] * scores[e](v, static_cast<int64_t>(j));
    }
    const double top = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& x : row) sum += x = std::exp(x - top);
    for (size_t j = 0; j < row.size(); ++j) out(v, static_cast<int64_t>(j)) = static_cast<Real>(row[j] / sum);
  }
  return out;
}

}  // namespace graphveil::learn
