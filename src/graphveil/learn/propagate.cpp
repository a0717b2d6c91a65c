#include "graphveil/learn/propagate.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/softmax.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::learn {
namespace {

constexpr Real kSmallest = 1e-30F;  // softmax may underflow to 0

}  // namespace

Matrix propagate(const graph::Graph& graph, const Matrix& probabilities, int64_t steps, double alpha, Propagated what) {
  require(probabilities.rows() == graph.nodes(), "{} rows for a graph of {} nodes", probabilities.rows(),
          graph.nodes());
  require(alpha >= 0 && alpha <= 1, "alpha is {}, want a number in [0, 1]", alpha);
  Matrix own = probabilities.clone();
  // Scores are log-probabilities up to a constant per node, which moves all classes of a neighbor alike.
  if (what == Propagated::Logits) {
    parallel_for(own.rows(), 4096, [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v) {
        for (Real& x : own.row(v)) x = std::log(std::max(x, kSmallest));
      }
    });
  }
  Matrix now = own.clone(), sums = Matrix::uninitialized(own.rows(), own.cols());
  for (int64_t step = 0; step < steps; ++step) {
    kernels::spmm(graph.in_view(), now, sums);
    parallel_for(own.rows(), 4096, [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v) {
        const Real share = static_cast<Real>((1 - alpha) / static_cast<double>(graph.in_degree(v) + 1));
        for (int64_t k = 0; k < own.cols(); ++k) {
          now(v, k) = share * (sums(v, k) + now(v, k)) + static_cast<Real>(alpha) * own(v, k);
        }
      }
    });
  }
  if (what == Propagated::Logits) kernels::softmax(now, now);
  return now;
}

}  // namespace graphveil::learn
