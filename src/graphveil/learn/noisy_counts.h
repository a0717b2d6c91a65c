// What whole counts were, seen through discrete Laplace noise of known scale. All of it is post-processing. Where
// `ranks` are given, each has some of the rows: they call it together, and priors are about the rows of all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/base/matrix.h"
#include "graphveil/base/ranks.h"

namespace graphveil::learn {

// Noisy counts in cells of a common width, so that neither long tails nor large noise make tables large: a cell is a
// few counts where the noise is many. Cells below `lowest` and above `highest` are taken as these.
class CountCells {
 public:
  // `scale` of the noise, at least 0; 0: the counts are true.
  CountCells(const IntegerMatrix<int64_t>& noisy, double scale, Ranks* ranks = nullptr);
  // The cells of another release with the same noise, as fine as those that were saved.
  CountCells(double scale, int64_t width, int64_t highest);

  int64_t cell(int64_t noisy) const;  // from 0 to size() - 1
  int64_t size() const { return highest_ - lowest_ + 1; }
  int64_t width() const { return width_; }
  int64_t highest() const { return highest_; }
  bool beyond(int64_t noisy) const { return noisy > highest_ * width_; }

  // Prior of the true cells 0 .. highest by expectation maximization (Kiefer and Wolfowitz 1956; Laird 1978) from a
  // histogram of noisy ones, plus `strength` observations spread as `toward` says (or none).
  std::vector<double> prior(std::span<const double> histogram, std::span<const double> toward = {},
                            double strength = 0) const;
  // The mean of the true count of each noisy cell, and the logarithm of the cell's own probability.
  std::vector<double> means(std::span<const double> prior) const;
  std::vector<double> log_likelihoods(std::span<const double> prior) const;

 private:
  void set_kernel();
  double weight(int64_t noisy_cell, int64_t true_cell) const;

  double scale_;
  int64_t width_ = 1;
  int64_t lowest_ = 0, highest_ = 0;
  std::vector<double> kernel_;  // by distance in cells
};

// E[count | noisy count] under one prior for all entries (empirical Bayes; Robbins 1956).
Matrix expected_counts(const IntegerMatrix<int64_t>& noisy, double scale, Ranks* ranks = nullptr);

// How likely a node's noisy counts are under each class, a prior for each class and column.
class CountLikelihood {
 public:
  // Fitted on `nodes`, by their labels. Columns are classes too: a prior is drawn toward that of all classes' own
  // columns, or of the column's other classes, as strongly as 20 nodes.
  CountLikelihood(const IntegerMatrix<int64_t>& noisy, double scale, std::span<const int32_t> labels,
                  std::span<const int32_t> nodes, int32_t classes, Ranks* ranks = nullptr);
  CountLikelihood(double scale, int64_t width, Matrix priors, int32_t classes);  // as saved

  // nodes x classes: the sum over the columns of log p(noisy | class).
  Matrix scores(const IntegerMatrix<int64_t>& noisy) const;
  const Matrix& priors() const { return priors_; }  // row class * columns + column
  int64_t width() const { return cells_.width(); }

 private:
  CountCells cells_;
  int32_t classes_;
  Matrix priors_;
};

}  // namespace graphveil::learn
