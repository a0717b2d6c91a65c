#include "graphveil/nn/ops_linear.h"

#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_linear_test {
namespace {

class OpsLinear : public GradientCheck {
 protected:
  // 4 x 5, one row empty.
  std::vector<int64_t> offsets_ = {0, 2, 2, 3, 6};
  std::vector<int32_t> indices_ = {1, 3, 0, 0, 2, 4};
  std::vector<Real> values_ = {Real(0.5), -1, 2, 1, Real(-0.7), Real(0.3)};
  SparseView sparse() const { return {4, 5, offsets_, indices_, values_}; }
  SparseView pattern() const { return {4, 5, offsets_, indices_, {}}; }
  Matrix dense(const SparseView& a) const {
    Matrix m(a.rows, a.cols);
    for (int64_t r = 0; r < a.rows; ++r) {
      for (int64_t e = a.offsets[r]; e < a.offsets[r + 1]; ++e) m(r, a.indices[e]) = a.values.empty() ? 1 : a.values[e];
    }
    return m;
  }
};

TEST_F(OpsLinear, MatmulGradient) {
  const auto x = add_input(4, 3), w = add_input(3, 5);
  check_operation([&](Tape& t) { return matmul(parameter(t, x), parameter(t, w)); });
}

TEST_F(OpsLinear, LinearGradient) {
  const auto x = add_input(4, 3), w = add_input(3, 5), b = add_input(1, 5);
  check_operation([&](Tape& t) { return linear(parameter(t, x), parameter(t, w), parameter(t, b)); });
}

TEST_F(OpsLinear, BiasGradient) {
  const auto x = add_input(4, 3), b = add_input(1, 3);
  check_operation([&](Tape& t) { return add_bias(parameter(t, x), parameter(t, b)); });
}

TEST_F(OpsLinear, SparseMatmulGradient) {
  const auto w = add_input(5, 3);
  check_operation([&](Tape& t) { return sparse_matmul(t, {sparse()}, parameter(t, w)); });
  check_operation([&](Tape& t) { return sparse_matmul(t, {pattern()}, parameter(t, w)); });
}

TEST_F(OpsLinear, SparseMatmulOfListedRowsGradient) {
  const auto w = add_input(5, 3);
  const std::vector<int32_t> rows = {3, 0, 3, 1};
  check_operation([&](Tape& t) { return sparse_matmul(t, {sparse(), rows}, parameter(t, w)); });
}

TEST_F(OpsLinear, GatheredMatmulGradient) {
  const auto w = add_input(5, 3);
  const Matrix x = dense(sparse());
  const std::vector<int32_t> rows = {3, 0, 3, 1, 2};
  check_operation([&](Tape& t) { return gathered_matmul(t, {x, rows}, parameter(t, w)); });
  const auto b = add_input(1, 3);
  check_operation([&](Tape& t) { return gathered_linear(t, {x, rows}, parameter(t, w), parameter(t, b)); });
  Tape tape(Seed::from_number(1));
  tape.start();
  const std::vector<int32_t> beyond = {4};
  EXPECT_THROW(gathered_matmul(tape, {x, beyond}, parameter(tape, w)), Error);
}

TEST_F(OpsLinear, SparseMatmulWithDropoutGradient) {
  const auto w = add_input(5, 3);
  const std::vector<int32_t> rows = {3, 0, 3, 2};
  check_operation([&](Tape& t) { return sparse_matmul(t, {sparse(), rows}, parameter(t, w), 0.3); });
}

TEST_F(OpsLinear, EmbeddingGradient) {
  const auto table = add_input(4, 3);
  const std::vector<int32_t> ids = {2, 0, 2, 3, 2};
  check_operation([&](Tape& t) { return embedding(parameter(t, table), ids); });
}

TEST_F(OpsLinear, SharedWeightCollectsBothGradients) {
  const auto x = add_input(4, 3), w = add_input(3, 3);
  check_operation([&](Tape& t) {
    const Var weight = parameter(t, w);
    return matmul(matmul(parameter(t, x), weight), weight);
  });
}

TEST_F(OpsLinear, SparseEqualsDense) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix w = random_matrix(5, 3);
  const Matrix x = dense(sparse());
  const Var expected = matmul(tape.input(x), tape.constant(w));
  const Var got = sparse_matmul(tape, {sparse()}, tape.constant(w));
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t c = 0; c < 3; ++c) EXPECT_NEAR(got.value()(r, c), expected.value()(r, c), 1e-6);
  }
}

TEST_F(OpsLinear, NoListIsEveryRowAndAnEmptyListIsNone) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix w = random_matrix(5, 3);
  EXPECT_EQ(sparse_matmul(tape, {sparse()}, tape.constant(w)).rows(), 4);
  EXPECT_EQ(sparse_matmul(tape, {sparse(), std::span<const int32_t>{}}, tape.constant(w)).rows(), 0);
}

TEST_F(OpsLinear, RefusesShapesThatDoNotFit) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix a(2, 3), b(4, 2);
  EXPECT_THROW(matmul(tape.input(a), tape.constant(b)), Error);
  EXPECT_THROW(add_bias(tape.input(a), tape.constant(b)), Error);
  EXPECT_THROW(sparse_matmul(tape, {sparse()}, tape.constant(b)), Error);
  const std::vector<int32_t> ids = {0, 4};
  EXPECT_THROW(embedding(tape.constant(b), ids), Error);
}

}  // namespace
}  // namespace graphveil::nn::ops_linear_test
