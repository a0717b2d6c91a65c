#include "graphveil/nn/ops_graph.h"

#include "graphveil/nn/unsound_rows.h"
#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_graph_test {
namespace {

class OpsGraph : public GradientCheck {
 protected:
  // 0 -> 1, 2 -> 1, 3 -> 1, 1 -> 2, 0 -> 3; node 0 has no in-edge.
  std::vector<int64_t> offsets_ = {0, 0, 3, 4, 5};
  std::vector<int32_t> sources_ = {0, 2, 3, 1, 0};
  SparseView in() const { return {4, 4, offsets_, sources_, {}}; }
};

TEST_F(OpsGraph, AggregateGradient) {
  const auto x = add_input(4, 3);
  const Edges plain(in(), {});
  const Edges mean(in(), {true, EdgeWeights::InverseDegree});
  const Edges symmetric(in(), {true, EdgeWeights::Symmetric});
  for (const Edges* edges : {&plain, &mean, &symmetric}) {
    check_operation([&](Tape& t) { return aggregate(parameter(t, x), *edges); });
  }
}

TEST_F(OpsGraph, AggregateOntoGradient) {
  const auto x = add_input(4, 3), base = add_input(4, 3), few = add_input(3, 3);
  const std::vector<int32_t> rows = {1, 3, 1};
  const Edges plain(in(), {});
  const Edges mean(in(), {true, EdgeWeights::InverseDegree});
  for (const Edges* edges : {&plain, &mean}) {
    check_operation([&](Tape& t) { return aggregate_onto(scale(parameter(t, base), 2), parameter(t, x), *edges); });
    check_operation(
        [&](Tape& t) { return aggregate_rows_onto(scale(parameter(t, few), 2), parameter(t, x), *edges, rows); });
  }
}

TEST_F(OpsGraph, AggregateOntoIsTheSum) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x = random_matrix(4, 3), base = random_matrix(4, 3), zeros(2, 3);
  const Edges edges(in(), {});
  const std::vector<int32_t> rows = {3, 1};
  const Var sum = aggregate(tape.input(x), edges);
  const Var onto = aggregate_onto(scale(tape.input(base), 1), tape.input(x), edges);
  const Var some = aggregate_rows_onto(scale(tape.input(zeros), 1), tape.input(x), edges, rows);
  for (int64_t c = 0; c < 3; ++c) {
    for (int64_t r = 0; r < 4; ++r) EXPECT_NEAR(onto.value()(r, c), base(r, c) + sum.value()(r, c), 1e-6);
    for (int64_t i = 0; i < 2; ++i) EXPECT_NEAR(some.value()(i, c), sum.value()(rows[i], c), 1e-6);
  }
  // Only an operation's own memory can be taken, of the right shape, and never where samples are told apart.
  EXPECT_THROW(aggregate_onto(tape.input(base), tape.input(x), edges), Error);
  EXPECT_THROW(aggregate_rows_onto(scale(tape.input(base), 1), tape.input(x), edges, rows), Error);
  tape.start_per_sample(4);
  EXPECT_THROW(aggregate_onto(scale(tape.input(base), 1), tape.input(x), edges), Error);
}

TEST_F(OpsGraph, EdgeAddGradient) {
  const auto a = add_input(4, 2), b = add_input(4, 2);
  const Edges edges(in(), {});
  check_operation([&](Tape& t) { return edge_add(parameter(t, a), parameter(t, b), edges); });
}

TEST_F(OpsGraph, EdgeDotGradient) {
  const auto k = add_input(4, 6), q = add_input(4, 6);
  const Edges edges(in(), {true, EdgeWeights::None});
  for (const int64_t heads : {1, 2, 3}) {
    check_operation([&](Tape& t) { return edge_dot(parameter(t, k), parameter(t, q), edges, heads, Real(0.5)); });
  }
}

TEST_F(OpsGraph, EdgeDotOfOneValueWithItselfGradient) {
  const auto k = add_input(4, 6);
  const Edges edges(in(), {});
  check_operation([&](Tape& t) {
    const Var v = parameter(t, k);
    return edge_dot(v, v, edges, 2, 1);
  });
}

TEST_F(OpsGraph, EdgeSoftmaxGradient) {
  const auto s = add_input(5, 3);
  const Edges edges(in(), {});
  check_operation([&](Tape& t) { return edge_softmax(parameter(t, s), edges); });
}

TEST_F(OpsGraph, AttendGradient) {
  const auto x = add_input(4, 6), w = add_input(5, 2);
  const Edges edges(in(), {});
  check_operation([&](Tape& t) { return attend(parameter(t, x), parameter(t, w), edges); });
}

TEST_F(OpsGraph, ValuesByHand) {
  Tape tape(Seed::from_number(1));
  tape.start();
  Matrix x(4, 1);
  for (int64_t r = 0; r < 4; ++r) x(r, 0) = static_cast<Real>(r + 1);
  const Var v = tape.input(x);
  const Edges plain(in(), {});
  EXPECT_EQ(aggregate(v, plain).value()(1, 0), 1 + 3 + 4);
  EXPECT_EQ(aggregate(v, plain).value()(0, 0), 0);
  const Edges mean(in(), {true, EdgeWeights::InverseDegree});
  EXPECT_EQ(aggregate(v, mean).value()(1, 0), Real(10) / 4);
  EXPECT_EQ(edge_add(v, scale(v, 10), plain).value()(3, 0), 2 + 30);
  EXPECT_EQ(edge_dot(v, v, plain, 1, 1).value()(2, 0), 4 * 2);
}

TEST_F(OpsGraph, RefusesShapesThatDoNotFit) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix five(5, 2), four(4, 3), edge_rows(5, 2);
  const Edges edges(in(), {});
  EXPECT_THROW(aggregate(tape.input(five), edges), Error);
  EXPECT_THROW(edge_add(tape.input(four), tape.input(five), edges), Error);
  EXPECT_THROW(edge_dot(tape.input(four), tape.input(four), edges, 2, 1), Error);
  EXPECT_THROW(edge_softmax(tape.input(four), edges), Error);
  EXPECT_THROW(attend(tape.input(four), tape.input(edge_rows), edges), Error);
}

// What sums over neighbors across samples has its own name, and computes the same.
TEST_F(OpsGraph, OnlyUnsoundRowsJoinSamples) {
  const Matrix x = random_matrix(4, 2);
  const Edges edges(in(), {});
  Tape tape(Seed::from_number(1));
  tape.start_per_sample(4);
  EXPECT_THROW(aggregate(tape.input(x), edges), Error);
  const ConstMatrixView joined = UnsoundRows::aggregate(tape.input(x), edges).value();
  Tape plain(Seed::from_number(1));
  plain.start();
  const ConstMatrixView whole = aggregate(plain.input(x), edges).value();
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t c = 0; c < 2; ++c) EXPECT_EQ(joined(r, c), whole(r, c));
  }
  const auto p = add_input(4, 3);
  check_operation([&](Tape& t) { return UnsoundRows::aggregate(parameter(t, p), edges); });
}

// Two targets that read four sources.
TEST_F(OpsGraph, FewerTargetsThanSourcesGradient) {
  const std::vector<int64_t> offsets = {0, 3, 5};
  const std::vector<int32_t> sources = {0, 2, 3, 1, 0};
  const Edges edges({2, 4, offsets, sources, {}}, {false, EdgeWeights::InverseDegree});
  const auto x = add_input(4, 6), q = add_input(2, 6), w = add_input(5, 2);
  check_operation([&](Tape& t) { return aggregate(parameter(t, x), edges); });
  check_operation([&](Tape& t) { return edge_dot(parameter(t, x), parameter(t, q), edges, 2, Real(0.5)); });
  check_operation([&](Tape& t) { return edge_add(parameter(t, x), parameter(t, q), edges); });
  check_operation([&](Tape& t) { return attend(parameter(t, x), parameter(t, w), edges); });
}

}  // namespace
}  // namespace graphveil::nn::ops_graph_test
