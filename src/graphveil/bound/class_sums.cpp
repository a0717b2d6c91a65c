#include "graphveil/bound/class_sums.h"

#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/ranks.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::bound {
namespace {

// Rows are scaled to a hair under 1: products in double err by far less.
constexpr double kLongest = 1 - 1e-12;
// Sums of 2^31 records fit 64 bits.
constexpr double kFinestStep = 0x1p-31;

}  // namespace

double class_sums_sensitivity(int32_t classes) {
  require(classes >= 2, "{} classes have nothing to tell apart, want at least 2", classes);
  return std::sqrt(1 - 1 / static_cast<double>(classes));
}

Bound class_sums_bound(int32_t classes) {
  const double sensitivity = class_sums_sensitivity(classes);
  return Voucher::stated(source::ClassSums{classes}, sensitivity, Norm::L2);
}

Bounded<GridMatrix> class_sums(ConstMatrixView rows, std::span<const int32_t> labels, int32_t classes,
                               Relation relation, double step, bool shared_out) {
  const double sensitivity = class_sums_sensitivity(classes);
  require(!edge_level(relation), "class sums read no edge: relation {} has nothing to protect", name(relation));
  require(static_cast<int64_t>(labels.size()) == rows.rows, "{} labels for {} rows", labels.size(), rows.rows);
  require(is_grid_step(step) && step >= kFinestStep, "grid step is {}, want a power of two, at least 2^-31", step);

  const double own_share = 1 - 1 / static_cast<double>(classes), other_share = -1 / static_cast<double>(classes);
  GridMatrix sums{IntegerMatrix<int64_t>(rows.cols, classes), step};
  for (int64_t u = 0; u < rows.rows; ++u) {
    const int32_t label = labels[u];
    if (label == graph::kUnlabeled) continue;
    require(label >= 0 && label < classes, "label of record {} is {}, want 0 to {}", u, label, classes - 1);
    double squares = 0;
    for (const Real x : rows.row(u)) squares += static_cast<double>(x) * x;
    if (!std::isfinite(squares)) continue;
    const double norm = std::sqrt(squares);
    const double scale = (norm <= kLongest ? 1 : kLongest / norm) / step;
    for (int64_t i = 0; i < rows.cols; ++i) {
      const double entry = scale * static_cast<double>(rows(u, i));
      const auto other = static_cast<int64_t>(entry * other_share);
      for (int32_t c = 0; c < classes; ++c) sums.values(i, c) += other;
      sums.values(i, label) += static_cast<int64_t>(entry * own_share) - other;
    }
  }
  if (shared_out) add_over(*current_ranks(), sums.values.values());
  return Voucher::bounded(std::move(sums), {.amount = sensitivity, .norm = Norm::L2, .relation = relation});
}

}  // namespace graphveil::bound
