#include "graphveil/bound/class_sums.h"

#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/kernels/rows.h"

namespace graphveil::bound {
namespace {

constexpr int64_t kMaxRecords = 4'000'000;

// The sums of n terms of norm at most Δ have norm at most nΔ; rounding them to float moves them by at most 2^-24 of
// that, and the neighbor's sums too. What is left of Δ = 1 is for the record itself.
double row_limit(int64_t records) { return 1 - 1e-5 - static_cast<double>(records) * 0x1p-23; }

}  // namespace

double class_sums_sensitivity(int32_t classes) {
  require(classes >= 2, "{} classes have nothing to tell apart, want at least 2", classes);
  return std::sqrt(1 - 1 / static_cast<double>(classes));
}

Bounded<Matrix> class_sums(ConstMatrixView rows, std::span<const int32_t> labels, int32_t classes) {
  const double sensitivity = class_sums_sensitivity(classes);
  require(static_cast<int64_t>(labels.size()) == rows.rows, "{} labels for {} rows", labels.size(), rows.rows);
  require(rows.rows <= kMaxRecords, "{} records are more than float sums can bound, want at most {}", rows.rows,
          kMaxRecords);
  std::vector<Real> norms(labels.size());
  kernels::row_norms(rows, norms);
  const double limit = row_limit(rows.rows);

  // By class first: the term -1/C is the same for every class, so it is taken from the total at the end.
  const int64_t width = rows.cols;
  std::vector<double> sums(static_cast<size_t>(classes * width), 0.0), total(static_cast<size_t>(width), 0.0);
  for (int64_t u = 0; u < rows.rows; ++u) {
    const int32_t label = labels[u];
    if (label == graph::kUnlabeled) continue;
    require(label >= 0 && label < classes, "label of record {} is {}, want 0 to {}", u, label, classes - 1);
    if (!std::isfinite(norms[u])) continue;
    const double scale = norms[u] <= limit ? 1 : limit / norms[u];
    const std::span<const Real> row = rows.row(u);
    double* to = sums.data() + label * width;
    for (int64_t i = 0; i < width; ++i) to[i] += scale * row[i];
  }
  for (int32_t c = 0; c < classes; ++c) {
    for (int64_t i = 0; i < width; ++i) total[i] += sums[c * width + i];
  }
  Matrix out = Matrix::uninitialized(width, classes);
  for (int64_t i = 0; i < width; ++i) {
    for (int32_t c = 0; c < classes; ++c) out(i, c) = static_cast<Real>(sums[c * width + i] - total[i] / classes);
  }
  return {std::move(out), {.amount = sensitivity, .norm = Norm::L2, .relation = Relation::Node}};
}

}  // namespace graphveil::bound
