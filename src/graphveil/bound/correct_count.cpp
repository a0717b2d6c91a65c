#include "graphveil/bound/correct_count.h"

#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::bound {
namespace {

constexpr double kCorrectCountSensitivity = 1;
constexpr double kFinestCountStep = 0x1p-31;  // 2^31 nodes fit 64 bits

}  // namespace

Bounded<GridMatrix> correct_count(std::span<const int32_t> predictions, std::span<const int32_t> labels,
                                  std::span<const int32_t> nodes, Relation relation, double step) {
  require(!edge_level(relation), "right predictions hide records: relation {} is about edges", name(relation));
  require(predictions.size() == labels.size(), "{} predictions for {} labels", predictions.size(), labels.size());
  require(is_grid_step(step) && step >= kFinestCountStep, "grid step is {}, want a power of two, at least 2^-31", step);
  std::vector<bool> counted(labels.size(), false);
  int64_t right = 0;
  for (const int32_t v : nodes) {
    const auto at = static_cast<size_t>(v);
    require(v >= 0 && at < labels.size(), "there is no node {}: there are {}", v, labels.size());
    require(!counted[at], "node {} is counted twice", v);
    counted[at] = true;
    right += labels[at] != graph::kUnlabeled && predictions[at] == labels[at];
  }
  GridMatrix count{IntegerMatrix<int64_t>(1, 1), step};
  count.values(0, 0) = right * static_cast<int64_t>(1 / step);
  return Voucher::bounded(std::move(count),
                          {.amount = kCorrectCountSensitivity, .norm = Norm::L2, .relation = relation});
}

Bound correct_count_bound() { return Voucher::stated(source::Score{}, kCorrectCountSensitivity, Norm::L2); }

}  // namespace graphveil::bound
