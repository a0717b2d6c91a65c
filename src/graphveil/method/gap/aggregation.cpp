#include "graphveil/method/gap/aggregation.h"

#include <utility>

#include <fmt/format.h>

#include "graphveil/base/progress.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::method {

std::vector<Matrix> private_aggregation(const graph::Graph& graph, const Matrix& rows,
                                        const bound::NeighborSumOptions& options, const std::string& label,
                                        mechanism::Release& release, nn::State* released) {
  const int64_t hops = release.line(label).event.count();
  const double step = release.grid(label);
  std::vector<Matrix> out;
  std::vector<Real> norms(static_cast<size_t>(rows.rows()));
  Progress progress(label, hops);
  for (int64_t k = 0; k < hops; ++k) {
    const Matrix& before = k == 0 ? rows : out.back();
    Matrix noisy = release.gaussian(label, bound::neighbor_sum(graph, before, options, step)).value();
    if (released != nullptr) (*released)[fmt::format("{}/{}", label, k + 1)] = nn::to_tensor(noisy);
    kernels::normalize_rows(noisy, noisy, norms);
    out.push_back(std::move(noisy));
    progress.advance();
  }
  return out;
}

}  // namespace graphveil::method
