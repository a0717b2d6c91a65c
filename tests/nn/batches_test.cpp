#include "graphveil/nn/batches.h"

#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/kernels/poisson_sample.h"

namespace graphveil::nn::batches_test {
namespace {

std::vector<int32_t> ids(int32_t count, int32_t first = 100) {
  std::vector<int32_t> list(static_cast<size_t>(count));
  std::iota(list.begin(), list.end(), first);
  return list;
}

std::vector<int32_t> copy(std::span<const int32_t> batch) { return {batch.begin(), batch.end()}; }

TEST(Batches, FullIsEverybody) {
  FullBatch full(ids(5), {.deletions = 3, .insertions = 2});
  EXPECT_EQ(copy(full.batch(7)), ids(5));
  EXPECT_EQ(full.draw().rate, 1);
  EXPECT_EQ(full.draw().deletions, 3);
  EXPECT_EQ(full.draw().insertions, 2);
  EXPECT_EQ(full.expected_size(), 5);
  EXPECT_THROW(FullBatch(ids(5), {.rate = 0.5}), Error);
}

TEST(Batches, PoissonDependsOnTheStepAlone) {
  PoissonBatches a(ids(1000), {.rate = 0.1}, Seed::from_number(1)), b(ids(1000), {.rate = 0.1}, Seed::from_number(1));
  const auto third = copy(a.batch(3));
  EXPECT_NE(copy(a.batch(4)), third);
  EXPECT_EQ(copy(b.batch(3)), third);
  EXPECT_EQ(copy(a.batch(3)), third);
}

// Batches are drawn some steps ahead: whatever was asked before, a step has its own.
TEST(Batches, PoissonComesInAnyOrder) {
  PoissonBatches a(ids(1000), {.rate = 0.1}, Seed::from_number(1));
  for (const int64_t step : {0, 15, 16, 40, 3, 31, 30}) {
    PoissonBatches fresh(ids(1000), {.rate = 0.1}, Seed::from_number(1));
    EXPECT_EQ(copy(a.batch(step)), copy(fresh.batch(step))) << step;
  }
}

// One listed twice would be in two samples of a step, and the draw says one.
TEST(Batches, RefuseANodeThatIsListedTwice) {
  EXPECT_THROW(FullBatch({3, 1, 3}), Error);
  EXPECT_THROW(PoissonBatches({3, 1, 3}, {.rate = 0.5}, Seed::from_number(1)), Error);
  EXPECT_NO_THROW(check_distinct({}));
}

// Inclusion of each id is binomial: over 4,000 steps the count of every id is within five standard deviations, and the
// size of a batch has the variance of independent draws.
TEST(Batches, PoissonRateAndIndependence) {
  constexpr int kSteps = 4000, kIds = 50;
  const double rate = 0.13;
  PoissonBatches batches(ids(kIds, 0), {.rate = rate}, Seed::from_number(2));
  std::vector<int> count(kIds, 0);
  double sum = 0, squares = 0;
  for (int step = 0; step < kSteps; ++step) {
    const auto batch = batches.batch(step);
    for (const int32_t id : batch) ++count[static_cast<size_t>(id)];
    sum += static_cast<double>(batch.size());
    squares += static_cast<double>(batch.size()) * static_cast<double>(batch.size());
  }
  const double deviation = std::sqrt(kSteps * rate * (1 - rate));
  for (const int c : count) EXPECT_NEAR(c, kSteps * rate, 5 * deviation);
  const double mean = sum / kSteps, variance = squares / kSteps - mean * mean;
  EXPECT_NEAR(mean, kIds * rate, 5 * std::sqrt(kIds * rate * (1 - rate) / kSteps));
  EXPECT_NEAR(variance, kIds * rate * (1 - rate), 0.1 * kIds * rate * (1 - rate));
}

// Every id is in a share of size / ids of the batches, and a batch never varies in size nor repeats an id.
TEST(Batches, FixedSizeDrawsWithoutReplacement) {
  constexpr int kSteps = 4000, kIds = 20, kSize = 6;
  FixedSizeBatches batches(ids(kIds, 0), kSize, Seed::from_number(2));
  std::vector<int> count(kIds, 0);
  for (int step = 0; step < kSteps; ++step) {
    const auto batch = copy(batches.batch(step));
    ASSERT_EQ(std::set<int32_t>(batch.begin(), batch.end()).size(), static_cast<size_t>(kSize));
    for (const int32_t id : batch) ++count[static_cast<size_t>(id)];
  }
  const double rate = double{kSize} / kIds;
  for (const int c : count) EXPECT_NEAR(c, kSteps * rate, 5 * std::sqrt(kSteps * rate * (1 - rate)));
  EXPECT_EQ(copy(batches.batch(3)), copy(FixedSizeBatches(ids(kIds, 0), kSize, Seed::from_number(2)).batch(3)));
  EXPECT_THROW(batches.draw(), Error) << "no proof, no ledger line";
  EXPECT_THROW(FixedSizeBatches(ids(5), 6, Seed::from_number(2)), Error);
}

// The exact sampler decides, by whole numbers: a batch is what it takes from the stream of the step.
TEST(Batches, PoissonIsTheExactSample) {
  const Seed seed = Seed::from_number(6);
  for (const double rate : {0.004, 0.3, 0.8}) {
    PoissonBatches batches(ids(3000), {.rate = rate}, seed);
    for (const int64_t step : {0, 7}) {
      std::vector<int32_t> want;
      for (const int64_t place :
           kernels::poisson_sample(3000, rate, {seed, "poisson batches", static_cast<uint64_t>(step)})) {
        want.push_back(static_cast<int32_t>(100 + place));
      }
      EXPECT_EQ(copy(batches.batch(step)), want);
    }
  }
}

// In which block an id is when it is drawn is the same in every step, whoever else is drawn.
TEST(Batches, PoissonBlocksDependOnTheIdAlone) {
  for (const double rate : {0.01, 0.2, 0.6, 0.97}) {
    constexpr int32_t kIds = 20'000;
    PoissonBatches batches(ids(kIds, 0), {.rate = rate}, Seed::from_number(8));
    std::vector<int64_t> block_of(kIds, -1);
    size_t blocks = 0;
    for (int64_t step = 0; step < 40; ++step) {
      const auto batch = batches.batch(step);
      const auto ends = batches.block_ends();
      if (step == 0) blocks = ends.size();
      ASSERT_EQ(ends.size(), blocks);
      ASSERT_EQ(ends.back(), static_cast<int64_t>(batch.size()));
      int64_t before = 0;
      for (size_t b = 0; b < ends.size(); ++b) {
        ASSERT_LE(ends[b] - before, bound::kMaxSamplesPerBlock);
        for (; before < ends[b]; ++before) {
          int64_t& block = block_of[static_cast<size_t>(batch[static_cast<size_t>(before)])];
          if (block < 0) block = static_cast<int64_t>(b);
          ASSERT_EQ(block, static_cast<int64_t>(b));
        }
      }
    }
    EXPECT_GT(static_cast<double>(kIds) * rate / static_cast<double>(blocks), 30) << "blocks are too small for speed";
  }
  PoissonBatches few(ids(5, 0), {.rate = 1e-9}, Seed::from_number(8));
  EXPECT_TRUE(few.batch(0).empty());
  EXPECT_EQ(few.block_ends().size(), 1u);
  EXPECT_TRUE(FullBatch(ids(5)).block_ends().empty());
}

TEST(Batches, PoissonCanBeEmptyOrWhole) {
  PoissonBatches rare(ids(3), {.rate = 1e-6}, Seed::from_number(3));
  EXPECT_TRUE(rare.batch(0).empty());
  PoissonBatches all(ids(3), {.rate = 1}, Seed::from_number(3));
  EXPECT_EQ(all.batch(0).size(), 3u);
  EXPECT_THROW(PoissonBatches(ids(3), {.rate = 0}, Seed::from_number(3)), Error);
  EXPECT_THROW(PoissonBatches(ids(3), {.rate = 1.1}, Seed::from_number(3)), Error);
}

TEST(Batches, ShuffledVisitsEverybodyOncePerEpoch) {
  ShuffledBatches batches(ids(10), 4, Seed::from_number(4));
  EXPECT_EQ(batches.steps_per_epoch(), 3);
  std::vector<int32_t> first, second;
  for (int64_t step = 0; step < 3; ++step) {
    for (const int32_t id : batches.batch(step)) first.push_back(id);
  }
  for (int64_t step = 3; step < 6; ++step) {
    for (const int32_t id : batches.batch(step)) second.push_back(id);
  }
  EXPECT_NE(first, second);
  EXPECT_EQ(std::set<int32_t>(first.begin(), first.end()).size(), 10u);
  EXPECT_EQ(first.size(), 10u);
  EXPECT_EQ(copy(batches.batch(1)), std::vector<int32_t>(first.begin() + 4, first.begin() + 8)) << "any step, any time";
  EXPECT_THROW(batches.draw(), Error) << "no accounting for shuffling";
}

// Ranks draw from stretches of the places: together they draw what one would, in the same blocks.
TEST(PoissonBatches, SharesAreThoseOfTheWhole) {
  constexpr int64_t kAll = 5000;
  constexpr double kRate = 0.05;
  std::vector<int32_t> ids(kAll);
  std::iota(ids.begin(), ids.end(), 100);
  const Seed seed = Seed::from_number(4);
  PoissonBatches whole(ids, {kRate}, seed);
  const int64_t block = places_per_block(kRate, kAll);
  EXPECT_FALSE(whole.shared_out());
  std::vector<PoissonBatches> shares;
  const std::vector<int64_t> cuts{0, block, 3 * block, kAll};
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    shares.emplace_back(std::vector<int32_t>(ids.begin() + cuts[i], ids.begin() + cuts[i + 1]),
                        bound::SampleDraw{kRate}, seed, Places{cuts[i], kAll});
    EXPECT_TRUE(shares.back().shared_out());
    EXPECT_EQ(shares.back().expected_size(), whole.expected_size());
  }
  for (int64_t step = 0; step < 5; ++step) {
    std::vector<int32_t> drawn;
    std::vector<int64_t> ends;
    for (PoissonBatches& share : shares) {
      const std::span<const int32_t> batch = share.batch(step);
      for (const int64_t end : share.block_ends()) ends.push_back(std::ssize(drawn) + end);
      drawn.insert(drawn.end(), batch.begin(), batch.end());
    }
    const std::span<const int32_t> expected = whole.batch(step);
    EXPECT_EQ(drawn, std::vector<int32_t>(expected.begin(), expected.end()));
    EXPECT_EQ(ends, std::vector<int64_t>(whole.block_ends().begin(), whole.block_ends().end()));
  }
  // A block on two ranks would be rounded twice.
  EXPECT_THROW(PoissonBatches(ids, {kRate}, seed, Places{1, kAll + 1}), Error);
  EXPECT_THROW(FullBatch({1, 2, 3}, {}, Places{64, 200}), Error);
  EXPECT_EQ(FullBatch({1, 2, 3}, {}, Places{64, 67}).expected_size(), 67);
}

}  // namespace
}  // namespace graphveil::nn::batches_test
