#include "graphveil/learn/stacking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
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

// Typical size of an expert's scores about their mean in each row.
double size_of(const Matrix& scores, std::span<const int32_t> nodes) {
  double squares = 0;
  for (const int32_t v : nodes) {
    double mean = 0;
    for (const Real s : scores.row(v)) mean += s / static_cast<double>(scores.cols());
    for (const Real s : scores.row(v)) squares += (s - mean) * (s - mean);
  }
  return std::sqrt(squares /
                   static_cast<double>(std::max<int64_t>(1, static_cast<int64_t>(nodes.size()) * scores.cols())));
}

struct Slope {
  double loss = 0;
  std::vector<double> gradient;
  std::vector<std::vector<double>> curvature;
};

// Of the penalized loss at w, on scores divided by their sizes.
Slope slope_at(std::span<const Matrix> scores, const std::vector<double>& sizes, const std::vector<double>& w,
               std::span<const int32_t> labels, std::span<const int32_t> nodes) {
  const size_t experts = scores.size();
  const auto classes = static_cast<size_t>(scores[0].cols());
  Slope out{0, std::vector<double>(experts), std::vector<std::vector<double>>(experts, std::vector<double>(experts))};
  std::vector<double> p(classes), mean(experts);
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
    out.loss += top + std::log(sum) - own;
    for (size_t e = 0; e < experts; ++e) {
      mean[e] = 0;
      for (size_t j = 0; j < classes; ++j) mean[e] += p[j] * scores[e](v, static_cast<int64_t>(j)) / sizes[e];
      out.gradient[e] += mean[e] - scores[e](v, y) / sizes[e];
    }
    for (size_t e = 0; e < experts; ++e) {
      for (size_t f = 0; f < experts; ++f) {
        double product = 0;
        for (size_t j = 0; j < classes; ++j) {
          product += p[j] * (scores[e](v, static_cast<int64_t>(j)) / sizes[e]) *
                     (scores[f](v, static_cast<int64_t>(j)) / sizes[f]);
        }
        out.curvature[e][f] += product - mean[e] * mean[f];
      }
    }
  }
  for (size_t e = 0; e < experts; ++e) {
    out.loss += 0.5 * kRidge * w[e] * w[e];
    out.gradient[e] += kRidge * w[e];
    out.curvature[e][e] += kRidge;
  }
  return out;
}

}  // namespace

std::vector<double> stack_weights(std::span<const Matrix> scores, std::span<const int32_t> labels,
                                  std::span<const int32_t> nodes) {
  require(!scores.empty(), "nothing to weigh");
  std::vector<double> sizes, w(scores.size());
  for (const Matrix& expert : scores) sizes.push_back(std::max(size_of(expert, nodes), 1e-12));
  Slope here = slope_at(scores, sizes, w, labels, nodes);
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<double> move = solve(here.curvature, here.gradient);
    // The loss is convex: a step that raises it was too long.
    double length = 1;
    bool better = false;
    for (int half = 0; half < 20 && !better; ++half, length /= 2) {
      std::vector<double> next = w;
      for (size_t e = 0; e < w.size(); ++e) next[e] -= length * move[e];
      Slope there = slope_at(scores, sizes, next, labels, nodes);
      if (!(there.loss < here.loss)) continue;
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
