#include "graphveil/nn/orthogonal.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace graphveil::nn {

void fill_orthogonal(MatrixView weight, RandomStream& random) {
  const bool wide = weight.rows <= weight.cols;
  const int64_t count = wide ? weight.rows : weight.cols, length = wide ? weight.cols : weight.rows;
  std::vector<std::vector<double>> made;
  while (std::ssize(made) < count) {
    std::vector<double> v(static_cast<size_t>(length));
    for (double& x : v) x = random.gaussian();
    // Twice: the second pass takes out what rounding left of the first.
    for (int pass = 0; pass < 2; ++pass) {
      for (const std::vector<double>& other : made) {
        const double along = std::inner_product(v.begin(), v.end(), other.begin(), 0.0);
        for (size_t i = 0; i < v.size(); ++i) v[i] -= along * other[i];
      }
    }
    const double norm = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    for (double& x : v) x /= norm;
    made.push_back(std::move(v));
  }
  for (int64_t r = 0; r < weight.rows; ++r) {
    for (int64_t c = 0; c < weight.cols; ++c) {
      weight(r, c) = static_cast<Real>(wide ? made[static_cast<size_t>(r)][static_cast<size_t>(c)]
                                            : made[static_cast<size_t>(c)][static_cast<size_t>(r)]);
    }
  }
}

}  // namespace graphveil::nn
