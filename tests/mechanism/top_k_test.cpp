#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism::top_k_test {
namespace {

bound::SparseGrid grid_of(double step, const std::vector<std::vector<double>>& rows) {
  bound::SparseGrid grid{.cols = static_cast<int64_t>(rows[0].size()), .step = step};
  for (const std::vector<double>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i] == 0) continue;
      grid.indices.push_back(static_cast<int32_t>(i));
      grid.values.push_back(static_cast<int64_t>(row[i] / step));
    }
    grid.offsets.push_back(static_cast<int64_t>(grid.indices.size()));
  }
  return grid;
}

bound::Bounded<bound::SparseGrid> scores(const Release& release, const std::vector<double>& row) {
  return bound::TestVoucher::bounded(grid_of(release.grid("pick"), {row}), {.amount = 1, .norm = bound::Norm::LInf});
}

Release open(double range, int64_t picks) {
  const Plan plan{{account::Event("pick", account::Exponential{range}, {}, picks),
                   bound::TestVoucher::bound(1, bound::Norm::LInf)}};
  return Release::open(bound::Relation::Node, plan, {1e9, 0.5}, Seed::from_number(8));
}

TEST(TopK, OnePickFollowsTheExponentialMechanism) {
  // P(pick i) is proportional to exp(score_i / b), b = 2 / range.
  constexpr double kRange = 1.0;
  constexpr int kDraws = 20000;
  Release release = open(kRange, kDraws);
  std::array<int, 3> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[release.top_k("pick", scores(release, {0, 1, 2}), 1).value()[0]];
  const double total = 1 + std::exp(0.5) + std::exp(1.0);
  for (int i = 0; i < 3; ++i) {
    const double p = std::exp(0.5 * i) / total;
    EXPECT_NEAR(counts[i], kDraws * p, 4 * std::sqrt(kDraws * p * (1 - p))) << i;
  }
}

TEST(TopK, PicksDifferentEntriesAndChargesEachPick) {
  Release release = open(0.5, 5);
  const auto picks = release.top_k("pick", scores(release, {0, 0, 0, 9000}), 3).value();
  EXPECT_EQ(picks[0], 3);  // far ahead of any noise
  EXPECT_NE(picks[1], picks[2]);
  EXPECT_EQ(release.spent().lines()[0].event.count(), 3);
  EXPECT_THROW(release.top_k("pick", scores(release, {0, 1, 2}), 3), Error);  // only two picks left
  EXPECT_NO_THROW(release.top_k("pick", scores(release, {0, 1, 2}), 2));
}

// The order of two picks among three entries: one exponential mechanism after the other, without the first.
TEST(TopK, TwoPicksAreTwoExponentialMechanisms) {
  constexpr int kDraws = 20000;
  const std::vector<double> row{0.5, 0, 2};
  Release release = open(1.0, 2 * kDraws);
  std::map<std::pair<int32_t, int32_t>, double> seen;
  for (int i = 0; i < kDraws; ++i) {
    const auto picks = release.top_k("pick", scores(release, row), 2).value();
    ++seen[{picks[0], picks[1]}];
  }
  double chi_square = 0;
  for (int32_t a = 0; a < 3; ++a) {
    for (int32_t b = 0; b < 3; ++b) {
      if (a == b) continue;
      const auto weight = [&](int32_t i) { return std::exp(0.5 * row[static_cast<size_t>(i)]); };
      const double all = weight(0) + weight(1) + weight(2);
      const double expected = kDraws * weight(a) / all * weight(b) / (all - weight(a));
      chi_square += std::pow(seen[{a, b}] - expected, 2) / expected;
    }
  }
  EXPECT_LT(chi_square, 20.5);  // 5 degrees of freedom: one seed in a thousand
}

// Rows longer than a block, most of them zeros: every column has the same chance.
TEST(TopK, ZerosOfALongRowArePickedToo) {
  constexpr int64_t kColumns = 40'000;
  constexpr int kRows = 400;
  Release release = open(1e-3, kRows);
  bound::SparseGrid grid{.cols = kColumns, .step = release.grid("pick")};
  grid.offsets.assign(kRows + 1, 0);
  grid.left_out.assign(kRows, 7);
  const auto picks =
      release.top_k("pick", bound::TestVoucher::bounded(std::move(grid), {.amount = 1, .norm = bound::Norm::LInf}), 1)
          .value();
  double mean = 0;
  for (const int32_t pick : picks) {
    EXPECT_NE(pick, 7);
    mean += pick;
  }
  EXPECT_NEAR(mean / kRows, kColumns / 2.0, 4 * kColumns / std::sqrt(12.0 * kRows));
}

TEST(GaussianTopK, FindsWhatStandsOutAndGivesItsNoisyValue) {
  const Plan plan{{account::Event("rows", account::Gaussian{0.5}), bound::TestVoucher::bound(2)}};
  Release release = Release::open(bound::Relation::Node, plan, {1e9, 1e-5}, Seed::from_number(8));
  const double step = release.grid("rows");
  const LargestEntries found =
      release
          .gaussian_top_k(
              "rows", bound::TestVoucher::bounded(grid_of(step, {{0, 100, 0, 50}, {0, 0, -90, 70}}), {.amount = 2}), 2)
          .value();
  EXPECT_EQ(found.columns[0], 1);
  EXPECT_EQ(found.columns[1], 3);
  EXPECT_EQ(found.columns[2], 3);
  EXPECT_NE(found.columns[3], 2);
  EXPECT_NEAR(found.values[0], 100, 6);
  EXPECT_NE(found.values[0], 100);
  for (const double value : found.values) EXPECT_EQ(std::round(value / step), value / step);
  EXPECT_TRUE(release.complete());
}

// The same noise as on the whole matrix: the largest of n normal numbers.
TEST(GaussianTopK, TheLargestOfManyZerosHasTheLawOfAMaximum) {
  constexpr int64_t kColumns = 20'000;
  constexpr int kRows = 300;
  const Plan plan{{account::Event("rows", account::Gaussian{1}), bound::TestVoucher::bound(1)}};
  Release release = Release::open(bound::Relation::Node, plan, {1e9, 1e-5}, Seed::from_number(5));
  bound::SparseGrid grid{.cols = kColumns, .step = release.grid("rows")};
  grid.offsets.assign(kRows + 1, 0);
  const LargestEntries found =
      release.gaussian_top_k("rows", bound::TestVoucher::bounded(std::move(grid), {.amount = 1}), 1).value();
  // P(max <= x) = Phi(x)^n: half of the rows are below the median.
  const double median = 3.97863;  // Phi(x) = 2^(-1/20000)
  const auto below = std::ranges::count_if(found.values, [&](double x) { return x <= median; });
  EXPECT_NEAR(static_cast<double>(below), kRows / 2.0, 4 * std::sqrt(kRows / 4.0));
}

TEST(TopK, RefusesMorePicksThanEntries) {
  Release release = open(0.5, 9);
  EXPECT_THROW(release.top_k("pick", scores(release, {0, 1}), 3), Error);
  EXPECT_THROW(release.top_k("pick", scores(release, {0, 1}), 0), Error);
}

}  // namespace
}  // namespace graphveil::mechanism::top_k_test
