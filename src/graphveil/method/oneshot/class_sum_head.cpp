#include "graphveil/method/oneshot/class_sum_head.h"

#include <algorithm>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/kernels/gram.h"
#include "graphveil/kernels/symmetric_eigen.h"

namespace graphveil::method {

Matrix class_sum_head(ConstMatrixView public_rows, ConstMatrixView sums, double noise_stddev,
                      const ClassSumHeadOptions& options) {
  const int64_t d = public_rows.cols, classes = sums.cols;
  require(public_rows.rows > 0 && sums.rows == d, "sums are {} x {} and public rows {} x {}, want one dimension",
          sums.rows, classes, public_rows.rows, d);
  require(options.label_ridge > 0, "label ridge is {}, want more than 0", options.label_ridge);
  std::vector<double> gram(static_cast<size_t>(d * d)), memory(static_cast<size_t>(d * d));
  const DoubleView vectors(memory.data(), d, d);
  kernels::gram(public_rows, {gram.data(), d, d});
  const std::vector<double> values = kernels::symmetric_eigen({gram.data(), d, d}, vectors);

  const double scale = options.records / static_cast<double>(public_rows.rows);
  const double release_noise = options.noise_ridge * noise_stddev * noise_stddev;
  Matrix head = Matrix::uninitialized(d, classes);
  std::vector<double> along(static_cast<size_t>(d));  // one class's sums in the basis of eigenvectors
  for (int64_t c = 0; c < classes; ++c) {
    std::fill(along.begin(), along.end(), 0.0);
    for (int64_t i = 0; i < d; ++i) {
      for (int64_t k = 0; k < d; ++k) along[k] += vectors(i, k) * sums(i, c);
    }
    for (int64_t k = 0; k < d; ++k) {
      const double g = scale * values[k];
      // A direction in which no public row points (rounding may make g negative) has no weight.
      along[k] *= g > 0 ? g / (g * g + options.label_ridge * g + release_noise) : 0;
    }
    for (int64_t i = 0; i < d; ++i) {
      double sum = 0;
      for (int64_t k = 0; k < d; ++k) sum += vectors(i, k) * along[k];
      head(i, c) = static_cast<Real>(sum);
    }
  }
  return head;
}

}  // namespace graphveil::method
