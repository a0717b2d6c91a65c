#include "graphveil/learn/feature_rows.h"

#include <gtest/gtest.h>

#include "graphveil/nn/ops_loss.h"

namespace graphveil::learn::feature_rows_test {
namespace {

Matrix numbered(int64_t rows, int64_t cols) {
  Matrix m(rows, cols);
  for (int64_t i = 0; i < m.size(); ++i) m.data()[i] = static_cast<Real>(i);
  return m;
}

SparseMatrix three_rows() {
  SparseMatrix matrix;
  matrix.rows = 3;
  matrix.cols = 2;
  matrix.offsets = std::vector<int64_t>{0, 1, 1, 3};
  matrix.indices = std::vector<int32_t>{1, 0, 1};
  matrix.values = std::vector<Real>{2, 3, 4};
  return matrix;
}

TEST(FeatureRows, DenseRowsAreThoseAskedFor) {
  FeatureRows rows{graph::Features(numbered(4, 2))};
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  const std::vector<int32_t> nodes{3, 0};
  const auto value = rows(tape, nodes).dense().value();
  EXPECT_EQ(value(0, 1), 7);
  EXPECT_EQ(value(1, 0), 0);
}

// Batches come in the same memory with other ids: rows of the batch before must never be served again.
TEST(FeatureRows, SameMemoryWithOtherIdsGivesOtherRows) {
  FeatureRows rows{graph::Features(numbered(4, 2))};
  nn::Tape tape(Seed::from_number(1));
  std::vector<int32_t> nodes{3, 0};
  tape.start();
  rows(tape, nodes).dense();
  nodes[0] = 1;
  tape.start();
  EXPECT_EQ(rows(tape, nodes).dense().value()(0, 0), 2);
}

TEST(GatheredRows, PiecesLeaveALongerListWhereItIs) {
  const Matrix matrix = numbered(9, 2);
  GatheredRows rows;
  const std::vector<int32_t> batch{8, 1, 3, 5}, one{0, 2}, two{4, 6}, three{7};
  const Real* const held = rows(matrix.view(), batch).data;
  for (const auto& piece : {one, two, three}) {
    const ConstMatrixView some = rows(matrix.view(), piece);
    ASSERT_EQ(some.rows, std::ssize(piece));
    for (int64_t r = 0; r < some.rows; ++r) EXPECT_EQ(some(r, 1), matrix(piece[static_cast<size_t>(r)], 1));
  }
  const ConstMatrixView again = rows(matrix.view(), batch);
  EXPECT_EQ(again.data, held);
  for (int64_t r = 0; r < again.rows; ++r) EXPECT_EQ(again(r, 0), matrix(batch[static_cast<size_t>(r)], 0));
}

// A step may ask for two lists before it uses the first.
TEST(GatheredRows, TheLastCopyStaysAsItIs) {
  const Matrix matrix = numbered(9, 1);
  GatheredRows rows;
  const std::vector<std::vector<int32_t>> lists{{8, 1, 3, 5}, {0}, {4, 6}, {7}, {2, 1}, {8, 1, 3, 5}, {3}, {0}};
  ConstMatrixView before = rows(matrix.view(), lists[0]);
  for (size_t i = 1; i < lists.size(); ++i) {
    const ConstMatrixView now = rows(matrix.view(), lists[i]);
    for (int64_t r = 0; r < before.rows; ++r) {
      EXPECT_EQ(before(r, 0), matrix(lists[i - 1][static_cast<size_t>(r)], 0)) << i;
    }
    before = now;
  }
}

TEST(FeatureRows, SparseRowsMultiplyLikeDenseOnes) {
  const SparseMatrix sparse = three_rows();
  FeatureRows rows{graph::Features(sparse)};
  nn::Parameters parameters;
  const nn::ParameterId weight = parameters.add("w", 2, 1);
  parameters.value(weight)(0, 0) = 1;
  parameters.value(weight)(1, 0) = 10;
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  const std::vector<int32_t> nodes{2, 1, 0};
  const auto value = rows(tape, nodes).times(tape.parameter(parameters, weight)).value();
  EXPECT_EQ(value(0, 0), 43);
  EXPECT_EQ(value(1, 0), 0);
  EXPECT_EQ(value(2, 0), 20);
}

// A full batch asks for the same rows in every step: their transpose is made once, and never served for others.
TEST(TransposedRows, AreThoseOfTheRowsAskedForTwice) {
  const SparseMatrix sparse = three_rows();
  TransposedRows transposed;
  std::vector<int32_t> rows{2, 0};
  EXPECT_EQ(transposed(sparse, rows), nullptr);
  const SparseMatrix* there = transposed(sparse, rows);
  ASSERT_NE(there, nullptr);
  EXPECT_EQ(there->rows, 2);
  EXPECT_EQ(there->cols, 2);
  EXPECT_EQ(std::vector<int32_t>(there->indices.span().begin(), there->indices.span().end()),
            (std::vector<int32_t>{0, 0, 1}));
  EXPECT_EQ(std::vector<Real>(there->values.span().begin(), there->values.span().end()), (std::vector<Real>{3, 4, 2}));
  rows[0] = 1;
  EXPECT_EQ(transposed(sparse, rows), nullptr);
  ASSERT_NE(transposed(sparse, rows), nullptr);
  EXPECT_EQ(transposed(sparse, rows)->entries(), 1);
}

// The gradient of a weight is the same with the transpose, from the second step on, as without.
TEST(FeatureRows, EveryStepHasTheSameGradient) {
  const SparseMatrix sparse = three_rows();
  FeatureRows rows{graph::Features(sparse)};
  nn::Parameters parameters;
  const nn::ParameterId weight = parameters.add("w", 2, 1);
  nn::Tape tape(Seed::from_number(1));
  const std::vector<int32_t> nodes{2, 1, 0, 2};
  for (int step = 0; step < 4; ++step) {
    tape.start();
    const nn::Var loss = nn::sum(rows(tape, nodes).times(tape.parameter(parameters, weight)));
    parameters.zero_gradients();
    tape.backward(loss);
    EXPECT_EQ(parameters.gradient(weight)(0, 0), 6) << step;
    EXPECT_EQ(parameters.gradient(weight)(1, 0), 10) << step;
  }
}

TEST(MatrixRows, GathersAndNoticesChanges) {
  const Matrix m = numbered(3, 1);
  MatrixRows rows(m);
  nn::Tape tape(Seed::from_number(1));
  std::vector<int32_t> nodes{2};
  tape.start();
  EXPECT_EQ(rows(tape, nodes).value()(0, 0), 2);
  nodes[0] = 1;
  tape.start();
  EXPECT_EQ(rows(tape, nodes).value()(0, 0), 1);
}

// Two lists in turn, as training and validation ask, then a third in the memory of one of them.
TEST(MatrixRows, KeepsTwoListsApart) {
  const Matrix m = numbered(4, 1);
  MatrixRows rows(m);
  nn::Tape tape(Seed::from_number(1));
  std::vector<int32_t> train{2, 0}, val{3};
  for (int turn = 0; turn < 3; ++turn) {
    tape.start();
    const auto a = rows(tape, train).value();
    EXPECT_EQ(a(0, 0), 2);
    EXPECT_EQ(a(1, 0), 0);
    EXPECT_EQ(rows(tape, val).value()(0, 0), 3);
    EXPECT_EQ(a(0, 0), 2) << "the other list's rows must not move these";
  }
  val[0] = 1;
  tape.start();
  EXPECT_EQ(rows(tape, val).value()(0, 0), 1);
  EXPECT_EQ(rows(tape, train).value()(0, 0), 2);
}

}  // namespace
}  // namespace graphveil::learn::feature_rows_test
