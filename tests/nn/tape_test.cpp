#include "graphveil/nn/tape.h"

#include <atomic>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_shape.h"
#include "graphveil/nn/optimizer.h"
#include "tests/nn/clipped_gradient_peer.h"
#include "tests/nn/test_layers.h"
#include "tests/ranks.h"
#include "tests/reference/rooted_batch.h"
#include "tests/threads.h"

// Every allocation of this program's own code is counted through the linker's --wrap option: operator new and
// aligned_alloc (matrices). What oneDNN does inside its library is not.
namespace {
std::atomic<int64_t> allocations{0};
}

extern "C" void* __real__Znwm(size_t size);
extern "C" void* __wrap__Znwm(size_t size) {
  ++allocations;
  return __real__Znwm(size);
}
extern "C" void* __real_aligned_alloc(size_t alignment, size_t size);
extern "C" void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __real_aligned_alloc(alignment, size);
}

namespace graphveil::nn::tape_test {
namespace {

TEST(Tape, CountsAllocations) {
  const int64_t before = allocations;
  const Matrix m(3, 3);
  EXPECT_EQ(allocations, before + 1) << "the hook for matrices does not work";
  const std::vector<int> v(10);
  EXPECT_EQ(allocations, before + 2) << "the hook for operator new does not work";
}

TEST(Tape, SharedRowsWantARule) {
  tests::on_ranks(2, [](Ranks& ranks) {
    const SharedRows rows(ranks, 3);
    const Matrix x(3, 2);
    const std::vector<int32_t> picked{0, 1};
    Tape tape(Seed::from_number(1));
    tape.start_shared(rows);
    EXPECT_EQ(tape.all_rows(3), 6);
    EXPECT_NO_THROW(scale(tape.input(x), 2));
    EXPECT_THROW(gather_rows(tape.input(x), picked), Error);
    tape.start();
    EXPECT_NO_THROW(gather_rows(tape.input(x), picked));
  });
}

TEST(Tape, ARepeatedTrainingStepAllocatesNothing) {
  Parameters parameters;
  RandomStream random(Seed::from_number(1), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {20, 16, 16, 6}, .dropout = 0.5}, random);
  Matrix x(300, 20);
  for (Real& v : x.values()) v = static_cast<Real>(random.gaussian());
  std::vector<int32_t> labels(300, 2);
  Tape tape(Seed::from_number(1));
  Adam adam;
  const auto step = [&](int64_t rows) {
    tape.start();
    parameters.zero_gradients();
    tape.backward(
        cross_entropy(mlp(tape.input(x.view().rows_at(0, rows))), std::span(labels).first(static_cast<size_t>(rows))));
    adam.step(parameters, 0.01);
  };
  step(300);
  const int64_t before = allocations;
  for (const int64_t rows : {300, 7, 250, 300, 1}) step(rows);
  EXPECT_EQ(allocations, before);
}

TEST(Tape, ARepeatedClippedStepAllocatesNothing) {
  Parameters parameters;
  RandomStream random(Seed::from_number(1), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {20, 16, 6}}, random);
  Matrix x(300, 20);
  for (Real& v : x.values()) v = static_cast<Real>(random.gaussian());
  std::vector<int32_t> labels(300, 2);
  Tape tape(Seed::from_number(1));
  ClippedGradient clipped(parameters, {});
  const auto step = [&](int64_t rows) {
    clipped.start();
    tape.start_per_sample(rows);
    clipped.add(cross_entropy(mlp(tape.input(x.view().rows_at(0, rows))),
                              std::span(labels).first(static_cast<size_t>(rows)), Reduction::Sum));
  };
  step(300);
  const int64_t before = allocations;
  for (const int64_t rows : {300, 7, 0, 250, 300}) step(rows);
  EXPECT_EQ(allocations, before);
}

TEST(Tape, RepeatedGraphStepsAllocateNothing) {
  set_thread_count(1);  // each thread keeps scratch memory of its own
  Parameters parameters;
  RandomStream random(Seed::from_number(1), "init");
  const GatLayer gat(parameters, "gat", {.in = 8, .width = 4, .heads = 2, .attention_dropout = 0.3}, random);
  const TransformerLayer transformer(parameters, "transformer", {.in = 8, .width = 3, .heads = 2, .concat = false},
                                     random);
  std::vector<int32_t> sources, targets;
  for (int e = 0; e < 200; ++e) {
    sources.push_back(static_cast<int32_t>(random.below(50)));
    targets.push_back(static_cast<int32_t>(random.below(50)));
  }
  const graph::Graph graph = graph::Graph::from_edges(50, sources, targets);
  Matrix features(50, 8);
  for (Real& v : features.values()) v = static_cast<Real>(random.gaussian());
  Buffer gathered;
  std::vector<int32_t> roots(50), labels(50, 1);
  for (int32_t v = 0; v < 50; ++v) roots[static_cast<size_t>(v)] = v;
  RootedBatch batch(graph, 2, {true, EdgeWeights::None});
  Tape tape(Seed::from_number(1));
  ClippedGradient clipped(parameters, {});
  const auto step = [&](size_t count) {
    batch.assign(std::span(roots).first(count));
    const MatrixView rows = gathered.resize(batch.rows(), 8);
    for (int64_t r = 0; r < rows.rows; ++r) {
      std::copy_n(features.row(batch.nodes()[static_cast<size_t>(r)]).data(), 8, rows.row(r).data());
    }
    clipped.start();
    tape.start_per_sample(static_cast<int64_t>(count));
    const Var h = transformer(gat(tape.input(rows, batch.owners()), batch.edges()), batch.edges());
    clipped.add(cross_entropy(gather_rows(h, batch.root_rows()), std::span(labels).first(count), Reduction::Sum));
  };
  step(50);
  const int64_t before = allocations;
  for (const size_t count : {50, 20, 3, 45}) step(count);
  EXPECT_EQ(allocations, before);
}

TEST(Tape, SameBitsForAnyNumberOfThreads) {
  Parameters parameters;
  RandomStream random(Seed::from_number(1), "init");
  const Mlp mlp(parameters, "mlp", {.widths = {50, 40, 10}, .dropout = 0.2}, random);
  Matrix x(3000, 50);
  for (Real& v : x.values()) v = static_cast<Real>(random.gaussian());
  const std::vector<int32_t> labels(3000, 4);
  std::vector<double> first;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    Tape tape(Seed::from_number(1));
    ClippedGradient clipped(parameters, {});
    clipped.start();
    tape.start_per_sample(3000);
    clipped.add(cross_entropy(mlp(tape.input(x)), labels, Reduction::Sum));
    const std::vector<double> got = ClippedGradientPeer::sum(clipped);
    if (first.empty()) first = got;
    EXPECT_EQ(got, first) << threads << " threads";
  }
  set_thread_count(1);
}

TEST(Tape, EvaluationKeepsNoGradients) {
  Parameters parameters;
  const ParameterId p = parameters.add("p", 1, 1);
  Tape tape(Seed::from_number(1));
  tape.start(Tape::Mode::Evaluate);
  const Var loss = sum(tape.parameter(parameters, p));
  EXPECT_THROW(tape.backward(loss), Error);
}

TEST(Tape, AFrozenParameterGetsNoGradient) {
  Parameters parameters, frozen;
  const ParameterId p = parameters.add("p", 1, 1), q = frozen.add("q", 1, 1);
  parameters.value(p)(0, 0) = 2;
  frozen.value(q)(0, 0) = 3;
  frozen.freeze();
  Tape tape(Seed::from_number(1));
  tape.start();
  tape.backward(matmul(tape.parameter(parameters, p), tape.parameter(frozen, q)));
  EXPECT_EQ(parameters.gradient(p)(0, 0), 3);
  EXPECT_EQ(frozen.gradient(q)(0, 0), 0);
}

TEST(Tape, RefusesWhatIsNotALossOfThisStep) {
  Parameters parameters;
  const ParameterId p = parameters.add("p", 2, 1);
  Tape tape(Seed::from_number(1)), other(Seed::from_number(1));
  tape.start();
  other.start();
  const Var v = tape.parameter(parameters, p);
  EXPECT_THROW(tape.backward(v), Error) << "2 x 1";
  EXPECT_THROW(tape.backward(sum(other.parameter(parameters, p))), Error);
  EXPECT_THROW(add(v, other.parameter(parameters, p)), Error);
}

TEST(Tape, PerSampleInputsSayWhoseTheyAre) {
  Tape tape(Seed::from_number(1));
  const Matrix x(3, 2);
  tape.start_per_sample(2);
  EXPECT_THROW(tape.input(x), Error) << "3 rows for 2 samples";
  const std::vector<int32_t> good = {0, 1, 1}, bad = {0, 1, 2};
  EXPECT_NO_THROW(tape.input(x, good));
  EXPECT_THROW(tape.input(x, bad), Error);
}

}  // namespace
}  // namespace graphveil::nn::tape_test
