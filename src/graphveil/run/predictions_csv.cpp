#include "graphveil/run/predictions_csv.h"

#include <vector>

#include <fmt/format.h>

#include "graphveil/nn/metrics.h"

namespace graphveil::run {

std::string predictions_csv(const Matrix& probabilities, std::span<const int32_t> ids) {
  std::string csv = "id,prediction";
  for (int64_t k = 0; k < probabilities.cols(); ++k) csv += fmt::format(",p{}", k);
  csv += '\n';
  const std::vector<int32_t> labels = nn::predictions(probabilities);
  for (int64_t v = 0; v < probabilities.rows(); ++v) {
    csv += fmt::format("{},{}", ids.empty() ? v : ids[v], labels[v]);
    for (const Real p : probabilities.row(v)) csv += fmt::format(",{:.6g}", p);
    csv += '\n';
  }
  return csv;
}

}  // namespace graphveil::run
