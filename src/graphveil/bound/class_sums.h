// Sums of records' rows by class, with what one record can do to them.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/bound/bounded.h"

namespace graphveil::bound {

// B (row width x classes) = sum over records u of row_u ⊗ (onehot(label_u) - 1 / classes), each row first scaled to
// norm at most 1. A record without a label (graph::kUnlabeled) or with a row that is not finite adds nothing.
//
// Guarantee: L2 sensitivity sqrt(1 - 1 / C) under `node`. One record adds one term, of Frobenius norm
// ‖row‖ ‖onehot - 1/C‖ <= sqrt((1 - 1/C)² + (C - 1) / C²) = sqrt(1 - 1/C), and blanking it leaves the others as they
// are. Row u must depend on record u alone, or on public data.
// Rows are scaled to a hair under 1, by the number of records (which is public), so that rounding the sums to float
// stays within the bound too. Throws InvalidArgument for fewer than 2 classes, labels out of range, or more than 4
// million records.
Bounded<Matrix> class_sums(ConstMatrixView rows, std::span<const int32_t> labels, int32_t classes);

// The sensitivity stated above.
double class_sums_sensitivity(int32_t classes);

}  // namespace graphveil::bound
