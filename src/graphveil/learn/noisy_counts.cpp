#include "graphveil/learn/noisy_counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::learn {
namespace {

constexpr int64_t kMostCells = 1024;
constexpr double kCellsOfNoise = 8;  // cells in one scale of the noise, at most
constexpr double kFar = 30;          // scales beyond which noise is left out: e^-30
constexpr int kIterations = 30;
constexpr double kTiny = 1e-300;
constexpr int64_t kRowGrain = 4096;
constexpr double kStrength = 20;  // of what a class's prior is drawn toward, in nodes

int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

CountCells::CountCells(const IntegerMatrix<int64_t>& noisy, double scale, Ranks* ranks) : scale_(scale) {
  require(std::isfinite(scale) && scale >= 0, "the noise's scale is {}, want at least 0", scale);
  width_ = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(scale / kCellsOfNoise)));
  int64_t largest = 0;
  for (const int64_t z : noisy.values()) largest = std::max(largest, z);
  if (ranks != nullptr) largest = largest_over(*ranks, largest);
  highest_ = std::min(kMostCells, largest / width_ + 1);
  set_kernel();
}

CountCells::CountCells(double scale, int64_t width, int64_t highest) : scale_(scale), width_(width), highest_(highest) {
  require(width >= 1 && highest >= 1, "cells of width {} up to {} are out of range", width, highest);
  set_kernel();
}

void CountCells::set_kernel() {
  const double scale = scale_ / static_cast<double>(width_);
  const auto far = static_cast<int64_t>(std::ceil(kFar * scale));
  lowest_ = -far;
  kernel_.resize(static_cast<size_t>(far) + 1);
  for (int64_t d = 0; d <= far; ++d) {
    kernel_[static_cast<size_t>(d)] = d == 0 ? 1 : std::exp(-static_cast<double>(d) / scale);
  }
}

int64_t CountCells::cell(int64_t noisy) const {
  return std::clamp(floor_div(noisy, width_), lowest_, highest_) - lowest_;
}

double CountCells::weight(int64_t noisy_cell, int64_t true_cell) const {
  const auto distance = static_cast<size_t>(std::abs(noisy_cell + lowest_ - true_cell));
  return distance < kernel_.size() ? kernel_[distance] : 0;
}

std::vector<double> CountCells::prior(std::span<const double> histogram, std::span<const double> toward,
                                      double strength) const {
  const auto far = static_cast<int64_t>(kernel_.size()) - 1;
  std::vector<double> prior(static_cast<size_t>(highest_) + 1, 1 / static_cast<double>(highest_ + 1));
  if (!toward.empty()) prior.assign(toward.begin(), toward.end());
  std::vector<double> next(prior.size());
  for (int round = 0; round < kIterations; ++round) {
    for (size_t k = 0; k < next.size(); ++k) next[k] = toward.empty() ? 0 : strength * toward[k];
    for (int64_t i = 0; i < size(); ++i) {
      if (histogram[static_cast<size_t>(i)] <= 0) continue;
      const int64_t first = std::max<int64_t>(0, i + lowest_ - far), last = std::min(highest_, i + lowest_ + far);
      double sum = kTiny;
      for (int64_t k = first; k <= last; ++k) sum += weight(i, k) * prior[static_cast<size_t>(k)];
      const double share = histogram[static_cast<size_t>(i)] / sum;
      for (int64_t k = first; k <= last; ++k)
        next[static_cast<size_t>(k)] += share * weight(i, k) * prior[static_cast<size_t>(k)];
    }
    double total = 0;
    for (const double p : next) total += p;
    if (total <= 0) break;  // nothing was seen
    for (size_t k = 0; k < next.size(); ++k) prior[k] = next[k] / total;
  }
  return prior;
}

std::vector<double> CountCells::means(std::span<const double> prior) const {
  std::vector<double> means(static_cast<size_t>(size()));
  for (int64_t i = 0; i < size(); ++i) {
    double sum = kTiny, moment = 0;
    for (int64_t k = 0; k <= highest_; ++k) {
      const double p = weight(i, k) * prior[static_cast<size_t>(k)];
      sum += p;
      moment += p * static_cast<double>(k);
    }
    // A cell speaks for the middle of its counts.
    means[static_cast<size_t>(i)] = moment / sum * static_cast<double>(width_) + 0.5 * static_cast<double>(width_ - 1);
  }
  return means;
}

std::vector<double> CountCells::log_likelihoods(std::span<const double> prior) const {
  std::vector<double> logs(static_cast<size_t>(size()));
  for (int64_t i = 0; i < size(); ++i) {
    double sum = kTiny;
    for (int64_t k = 0; k <= highest_; ++k) sum += weight(i, k) * prior[static_cast<size_t>(k)];
    logs[static_cast<size_t>(i)] = std::log(sum);
  }
  return logs;
}

Matrix expected_counts(const IntegerMatrix<int64_t>& noisy, double scale, Ranks* ranks) {
  const CountCells cells(noisy, scale, ranks);
  std::vector<double> histogram(static_cast<size_t>(cells.size()));
  for (const int64_t z : noisy.values()) {
    if (!cells.beyond(z)) ++histogram[static_cast<size_t>(cells.cell(z))];
  }
  if (ranks != nullptr) add_over(*ranks, std::span(histogram));  // whole numbers: exact
  const std::vector<double> means = cells.means(cells.prior(histogram));
  Matrix expected = Matrix::uninitialized(noisy.rows(), noisy.cols());
  parallel_for(noisy.size(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t z = noisy.data()[i];
      expected.data()[i] = static_cast<Real>(scale <= 0 || cells.beyond(z) ? static_cast<double>(z)
                                                                           : means[static_cast<size_t>(cells.cell(z))]);
    }
  });
  return expected;
}

CountLikelihood::CountLikelihood(const IntegerMatrix<int64_t>& noisy, double scale, std::span<const int32_t> labels,
                                 std::span<const int32_t> nodes, int32_t classes, Ranks* ranks)
    : cells_(noisy, scale, ranks), classes_(classes), priors_(classes * noisy.cols(), cells_.highest() + 1) {
  const int64_t columns = noisy.cols();
  const auto size = static_cast<size_t>(cells_.size());
  std::vector<double> histograms(static_cast<size_t>(classes * columns) * size);
  const auto histogram = [&](int64_t label, int64_t column) {
    return std::span(histograms).subspan(static_cast<size_t>(label * columns + column) * size, size);
  };
  for (const int32_t v : nodes) {
    if (labels[static_cast<size_t>(v)] == graph::kUnlabeled) continue;
    for (int64_t m = 0; m < columns; ++m) {
      ++histogram(labels[static_cast<size_t>(v)], m)[static_cast<size_t>(cells_.cell(noisy(v, m)))];
    }
  }
  if (ranks != nullptr) add_over(*ranks, std::span(histograms));  // whole numbers: exact
  std::vector<double> own(size);
  for (int64_t j = 0; j < std::min<int64_t>(classes, columns); ++j) {
    for (size_t i = 0; i < size; ++i) own[i] += histogram(j, j)[i];
  }
  const std::vector<double> own_prior = cells_.prior(own);
  const Stretch mine = ranks != nullptr ? own_share(columns) : Stretch{0, columns};
  parallel_for(mine.end - mine.begin, 1, [&](int64_t begin, int64_t end) {
    for (int64_t m = mine.begin + begin; m < mine.begin + end; ++m) {
      std::vector<double> others(size);
      for (int64_t j = 0; j < classes; ++j) {
        if (j == m) continue;
        for (size_t i = 0; i < size; ++i) others[i] += histogram(j, m)[i];
      }
      const std::vector<double> other_prior = cells_.prior(others);
      for (int64_t j = 0; j < classes; ++j) {
        const std::vector<double> prior = cells_.prior(histogram(j, m), j == m ? own_prior : other_prior, kStrength);
        for (size_t k = 0; k < prior.size(); ++k) {
          priors_(j * columns + m, static_cast<int64_t>(k)) = static_cast<Real>(prior[k]);
        }
      }
    }
  });
  if (ranks == nullptr) return;
  // What others have made is 0 here.
  std::vector<double> all(priors_.values().begin(), priors_.values().end());
  add_over(*ranks, std::span(all));
  std::ranges::transform(all, priors_.values().begin(), [](double p) { return static_cast<Real>(p); });
}

CountLikelihood::CountLikelihood(double scale, int64_t width, Matrix priors, int32_t classes)
    : cells_(scale, width, priors.cols() - 1), classes_(classes), priors_(std::move(priors)) {}

Matrix CountLikelihood::scores(const IntegerMatrix<int64_t>& noisy) const {
  const int64_t columns = noisy.cols();
  require(priors_.rows() == classes_ * columns, "{} columns of counts for {} priors of {} classes", columns,
          priors_.rows(), classes_);
  std::vector<std::vector<double>> logs;
  for (int64_t r = 0; r < priors_.rows(); ++r) {
    const std::vector<double> prior(priors_.row(r).begin(), priors_.row(r).end());
    logs.push_back(cells_.log_likelihoods(prior));
  }
  Matrix scores(noisy.rows(), classes_);
  parallel_for(noisy.rows(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      for (int64_t j = 0; j < classes_; ++j) {
        double sum = 0;
        for (int64_t m = 0; m < columns; ++m) {
          sum += logs[static_cast<size_t>(j * columns + m)][static_cast<size_t>(cells_.cell(noisy(v, m)))];
        }
        scores(v, j) = static_cast<Real>(sum);
      }
    }
  });
  return scores;
}

}  // namespace graphveil::learn
