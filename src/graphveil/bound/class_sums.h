// Sums of records' rows by class, with what one record can do to them.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/bound/bounded.h"
#include "graphveil/bound/grid.h"

namespace graphveil::bound {

// B (row width x classes) = sum over records u of row_u ⊗ (onehot(label_u) - 1 / classes), each row first scaled to
// norm at most 1, each term rounded toward zero to whole multiples of `step`, a power of two. A record without a label
// (graph::kUnlabeled) or with a row that is not finite adds nothing.
//
// Guarantee: L2 sensitivity sqrt(1 - 1 / C) under node and record. One record adds one term, of Frobenius norm
// ‖row‖ ‖onehot - 1/C‖ <= sqrt((1 - 1/C)² + (C - 1) / C²) = sqrt(1 - 1/C); rounding toward zero never lengthens it,
// sums of whole numbers are exact, and blanking the record leaves the other terms as they are. No edge is read, so this
// holds at every degree. Row u must depend on record u alone, or on public data. Throws InvalidArgument for fewer than
// 2 classes, labels out of range, a step below 2^-31, or a relation at edge level.
// `shared_out`: each rank has some of the records (base/ranks.h), and the sum is over those of all.
Bounded<GridMatrix> class_sums(ConstMatrixView rows, std::span<const int32_t> labels, int32_t classes,
                               Relation relation, double step, bool shared_out = false);

// The sensitivity stated above.
double class_sums_sensitivity(int32_t classes);
// The same for a plan's line.
Bound class_sums_bound(int32_t classes);

}  // namespace graphveil::bound
