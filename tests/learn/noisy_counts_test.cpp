#include "graphveil/learn/noisy_counts.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/kernels/discrete_noise.h"
#include "tests/ranks.h"

namespace graphveil::learn::noisy_counts_test {
namespace {

// Two classes of 1000 nodes: class j has 4 neighbors of class j and 1 of the other.
struct Drawn {
  IntegerMatrix<int64_t> truth, noisy;
  std::vector<int32_t> labels, nodes;
};

Drawn drawn(double scale) {
  Drawn out{IntegerMatrix<int64_t>(2000, 2), {}, {}, {}};
  for (int32_t v = 0; v < 2000; ++v) {
    out.labels.push_back(v % 2);
    if (v < 1000) out.nodes.push_back(v);
    for (int64_t m = 0; m < 2; ++m) out.truth(v, m) = m == v % 2 ? 4 : 1;
  }
  out.noisy = out.truth.clone();
  kernels::add_discrete_laplace(out.noisy.values(), kernels::exact_rational(scale), {Seed::from_number(5), "test"});
  return out;
}

double mean_error(const Drawn& d, const Matrix& values) {
  double error = 0;
  for (int64_t i = 0; i < values.size(); ++i) {
    error += std::abs(values.data()[i] - static_cast<double>(d.truth.data()[i])) / static_cast<double>(values.size());
  }
  return error;
}

TEST(NoisyCounts, DenoisedAreNearerToTheTruth) {
  const Drawn d = drawn(1);
  Matrix raw(2000, 2);
  for (int64_t i = 0; i < raw.size(); ++i) raw.data()[i] = static_cast<Real>(d.noisy.data()[i]);
  EXPECT_LT(mean_error(d, expected_counts(d.noisy, 1)), 0.8 * mean_error(d, raw));
}

// Of ranks each has some of the rows, and some of the labels.
TEST(NoisyCounts, RanksExpectTheSame) {
  const Drawn d = drawn(3);
  const Matrix want = expected_counts(d.noisy, 3);
  const CountLikelihood alone(d.noisy, 3, d.labels, d.nodes, 2);
  for (const std::vector<int64_t>& cuts : {std::vector<int64_t>{0, 700, 2000}, {0, 1, 1500, 2000}}) {
    tests::on_ranks(static_cast<int>(cuts.size()) - 1, [&](Ranks& ranks) {
      const auto r = static_cast<size_t>(ranks.rank());
      const int64_t begin = cuts[r], rows = cuts[r + 1] - begin;
      IntegerMatrix<int64_t> noisy(rows, 2);
      std::vector<int32_t> labels, nodes;
      for (int64_t v = 0; v < rows; ++v) {
        std::ranges::copy(d.noisy.row(begin + v), noisy.row(v).begin());
        labels.push_back(d.labels[static_cast<size_t>(begin + v)]);
        if (begin + v < 1000) nodes.push_back(static_cast<int32_t>(v));
      }
      const Matrix own = expected_counts(noisy, 3, &ranks);
      const CountLikelihood together(noisy, 3, labels, nodes, 2, &ranks);
      EXPECT_TRUE(std::ranges::equal(together.priors().values(), alone.priors().values()));
      for (int64_t v = 0; v < rows; ++v) EXPECT_TRUE(std::ranges::equal(own.row(v), want.row(begin + v)));
    });
  }
}

TEST(NoisyCounts, WithoutNoiseAreWhatTheyAre) {
  const Drawn d = drawn(1);
  const Matrix same = expected_counts(d.truth, 0);
  for (int64_t i = 0; i < same.size(); ++i) EXPECT_EQ(same.data()[i], static_cast<Real>(d.truth.data()[i]));
}

TEST(NoisyCounts, LargeNoiseAndLongTailsStayFinite) {
  Drawn d = drawn(1000);
  d.noisy(0, 0) = 10'000'000;
  d.noisy(1, 0) = -10'000'000;
  // The matrices have names: what values() points to lives no longer than they do.
  const Matrix expected = expected_counts(d.noisy, 1000);
  for (const Real x : expected.values()) EXPECT_TRUE(std::isfinite(x));
  const CountLikelihood likelihood(d.noisy, 1000, d.labels, d.nodes, 2);
  const Matrix scores = likelihood.scores(d.noisy);
  for (const Real x : scores.values()) EXPECT_TRUE(std::isfinite(x));
}

TEST(NoisyCounts, LikelihoodTellsTheClassOfOtherNodes) {
  const Drawn d = drawn(1);
  const CountLikelihood likelihood(d.noisy, 1, d.labels, d.nodes, 2);
  const Matrix scores = likelihood.scores(d.noisy);
  int64_t right = 0;
  for (int32_t v = 1000; v < 2000; ++v)
    right += (scores(v, 1) > scores(v, 0)) == (d.labels[static_cast<size_t>(v)] == 1);
  EXPECT_GT(right, 850);
  const CountLikelihood saved(1, likelihood.width(), likelihood.priors().clone(), 2);
  const Matrix again = saved.scores(d.noisy);
  for (int64_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(again.data()[i], scores.data()[i], 1e-4);
}

}  // namespace
}  // namespace graphveil::learn::noisy_counts_test
