#include "graphveil/method/aggregation.h"

#include <utility>

#include "graphveil/base/progress.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::method {
namespace {

void normalize(Matrix& rows) {
  std::vector<Real> norms(static_cast<size_t>(rows.rows()));
  kernels::normalize_rows(rows, rows, norms);
}

}  // namespace

std::vector<Matrix> private_aggregation(const graph::Graph& graph, Matrix rows, int64_t hops,
                                        const bound::NeighborSumOptions& options, double noise_multiplier,
                                        const std::string& label, mechanism::Release& release) {
  std::vector<Matrix> out;
  out.push_back(std::move(rows));
  Progress progress(label, hops);
  for (int64_t k = 1; k <= hops; ++k) {
    Matrix noisy = release.gaussian(label, bound::neighbor_sum(graph, out.back(), options), noise_multiplier).value();
    normalize(noisy);
    out.push_back(std::move(noisy));
    progress.advance();
  }
  return out;
}

std::vector<Matrix> plain_aggregation(const graph::Graph& graph, Matrix rows, int64_t hops) {
  std::vector<Matrix> out;
  out.push_back(std::move(rows));
  for (int64_t k = 1; k <= hops; ++k) {
    Matrix sums = Matrix::uninitialized(out.back().rows(), out.back().cols());
    kernels::spmm(graph.in_view(), out.back(), sums);
    normalize(sums);
    out.push_back(std::move(sums));
  }
  return out;
}

}  // namespace graphveil::method
