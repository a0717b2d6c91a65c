#include "graphveil/mechanism/recording.h"

#include <utility>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism::recording_test {
namespace {

using bound::Norm;
using bound::TestVoucher;

constexpr auto kRelation = bound::Relation::Edge;

Plan plan() {
  return {{account::Event("matrix", account::Gaussian{2}), TestVoucher::bound(1)},
          {account::Event("gradient", account::Gaussian{2}), TestVoucher::bound(1)},
          {account::Event("count", account::DiscreteLaplace{2}), TestVoucher::bound(1, Norm::L1)},
          {account::Event("picks", account::Exponential{1}, {}, 2), TestVoucher::bound(1, Norm::LInf)},
          {account::Event("labels", account::RandomizedResponse{1, 3}), TestVoucher::bound(1, Norm::Hamming)},
          {account::Event("cells", account::RandomizedResponse{1, 2}), TestVoucher::bound(1, Norm::Hamming)}};
}

template <typename T>
bound::Bounded<T> bounded(T value, Norm norm = Norm::L2) {
  return TestVoucher::bounded(std::move(value), {.amount = 1, .norm = norm, .relation = kRelation});
}

bound::GridMatrix grid(int64_t rows, int64_t value, double step) {
  bound::GridMatrix out{IntegerMatrix<int64_t>(rows, 3), step};
  for (int64_t& x : out.values.values()) x = value;
  return out;
}

bound::SparseGrid sparse_row(int64_t value, double step) {
  return {.cols = 3, .offsets = {0, 2}, .indices = {0, 2}, .values = {value, 2 * value}, .step = step};
}

struct Outputs {
  Matrix matrix;
  std::vector<double> gradient;
  int64_t count;
  std::vector<int32_t> picks, labels;
  std::vector<int64_t> cells;
};

// Every mechanism once; `value` is what goes in.
Outputs run(Release& release, int64_t value) {
  const double step = release.grid("matrix");
  const auto whole = static_cast<int32_t>(value);
  return {
      release.gaussian("matrix", bounded(grid(2, value, step))).value().clone(),
      release.gaussian("gradient", bounded(bound::GradientSum{{double(value), 2.0 * double(value)}, 0x1p-20})).value(),
      release.discrete_laplace("count", bounded(value, Norm::L1)).value(),
      release.top_k("picks", bounded(sparse_row(value, release.grid("picks")), Norm::LInf), 2).value(),
      release.randomized_response("labels", bounded(std::vector<int32_t>{whole % 3, 1}, Norm::Hamming)).value(),
      release.randomized_set("cells", bounded(std::vector<int64_t>{value, value + 2}, Norm::Hamming), 50, 1).value()};
}

void expect_same(const Outputs& a, const Outputs& b) {
  EXPECT_TRUE(std::ranges::equal(a.matrix.values(), b.matrix.values()));
  EXPECT_EQ(a.gradient, b.gradient);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.picks, b.picks);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.cells, b.cells);
}

TEST(Recording, AReplayGivesOutWhatWasRecordedWhateverComesIn) {
  Recording recording;
  Release release = Release::open(kRelation, plan(), {1e9, 1e-5}, Seed::from_number(1));
  release.record(recording);
  const Outputs first = run(release, 5);
  ASSERT_EQ(recording.size(), 6u);
  EXPECT_EQ(recording[2].label, "count");
  Release replay = Release::replay(kRelation, plan(), recording);
  expect_same(first, run(replay, 20));
  EXPECT_TRUE(replay.complete());
  EXPECT_EQ(replay.spent(), release.spent());
}

TEST(Recording, AReplayCanBeRecordedAgain) {
  Recording recording, again;
  Release release = Release::open(kRelation, plan(), {1e9, 1e-5}, Seed::from_number(2));
  release.record(recording);
  const Outputs first = run(release, 5);
  Release replay = Release::replay(kRelation, plan(), recording);
  replay.record(again);
  run(replay, 1);
  Release twice = Release::replay(kRelation, plan(), again);
  expect_same(first, run(twice, 2));
}

TEST(Recording, AReplayThatAsksForSomethingElseIsRefused) {
  Recording recording;
  Release release = Release::open(kRelation, plan(), {1e9, 1e-5}, Seed::from_number(3));
  release.record(recording);
  release.discrete_laplace("count", bounded(int64_t{1}, Norm::L1));
  // Another label, another kind of value under the label, more than was recorded.
  Release other = Release::replay(kRelation, plan(), recording);
  EXPECT_THROW(other.gaussian("gradient", bounded(bound::GradientSum{{1.0}, 0x1p-20})), Error);
  Recording wrong_kind;
  wrong_kind.push_back({"count", std::vector<double>{1.0}});
  Release kind = Release::replay(kRelation, plan(), wrong_kind);
  EXPECT_THROW(kind.discrete_laplace("count", bounded(int64_t{1}, Norm::L1)), Error);
  const Recording nothing;
  Release more = Release::replay(kRelation, plan(), nothing);
  EXPECT_THROW(more.discrete_laplace("count", bounded(int64_t{1}, Norm::L1)), Error);
}

}  // namespace
}  // namespace graphveil::mechanism::recording_test
