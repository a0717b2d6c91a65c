// Products with a weight, and biases. These carry most parameters, so each has a per-sample rule.
#pragma once

#include <optional>
#include <span>

#include "graphveil/base/sparse_matrix.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// x W.
Var matmul(Var x, Var w);
// x W + b, with b of one row.
Var linear(Var x, Var w, Var b);
// x + b, with b of one row: a bias, or a prompt added to every row.
Var add_bias(Var x, Var b);

// Rows of a sparse matrix as input to a product: row r is row (*rows)[r] of `matrix`, or row r without a list.
// Does not own; must outlive the step.
struct SparseInput {
  SparseView matrix;
  std::optional<std::span<const int32_t>> rows = std::nullopt;
  std::span<const int32_t> owners = {};  // of a per-sample step: the sample of each row; empty: row r is sample r
  // The transpose of these rows, where it is at hand: for the gradient of a weight that many steps want.
  const SparseMatrix* transposed = nullptr;
  // Of a step whose rows ranks share out: what one process would have (kernels/spmm.h).
  std::optional<kernels::WholeSparse> whole = std::nullopt;

  int64_t row_count() const { return rows ? static_cast<int64_t>(rows->size()) : matrix.rows; }
};

// X W, the rows gathered inside the product. With dropout each stored entry is dropped with that probability
// (training steps only), the rest scaled by 1 / (1 - dropout).
Var sparse_matmul(Tape& tape, const SparseInput& x, Var w, double dropout = 0);

// Rows of a dense matrix as input to a product: row r is row rows[r] of `matrix`. Does not own; must outlive the step.
struct GatheredInput {
  ConstMatrixView matrix;
  std::span<const int32_t> rows;
  std::span<const int32_t> owners = {};  // as for SparseInput
};

// X[rows] W, or X[rows] W + b with b of one row; the rows are gathered inside the product, so that one that many
// samples read is not copied for each.
Var gathered_matmul(Tape& tape, const GatheredInput& x, Var w);
Var gathered_linear(Tape& tape, const GatheredInput& x, Var w, Var b);

// table[ids[r]]: an embedding. `owners` as for SparseInput.
Var embedding(Var table, std::span<const int32_t> ids, std::span<const int32_t> owners = {});

}  // namespace graphveil::nn
