#include "graphveil/attack/epsilon_bound.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::attack::epsilon_bound_test {
namespace {

std::vector<float> normal(size_t count, double mean, const char* purpose, uint64_t seed = 1) {
  RandomStream random(Seed::from_number(seed), purpose);
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(mean + random.gaussian());
  return out;
}

TEST(EpsilonBound, NothingIsFoundBetweenEqualSides) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_LE(epsilon_bound(normal(4000, 0, "a", seed), normal(4000, 0, "b", seed), 0, 0.999).low, 0) << seed;
  }
}

// N(1, 1) against N(0, 1): at a threshold t the chances are Phi(1 - t) and Phi(-t).
TEST(EpsilonBound, IsNearTheBestThatTheNumberOfScoresAllows) {
  const EpsilonBound found = epsilon_bound(normal(400'000, 1, "a"), normal(400'000, 0, "b"), 1e-5, 0.95);
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  EXPECT_GT(found.low, 2.6);
  EXPECT_LT(found.low, 4.45);  // epsilon of 1-GDP at 1e-5
  const double t = found.speaks_for ? found.threshold : 1 - found.threshold;
  EXPECT_NEAR(found.low, std::log((phi(1 - t) - 1e-5) / phi(-t)), 0.8);
  EXPECT_LT(found.low, std::log((phi(1 - t) - 1e-5) / phi(-t)));
}

TEST(EpsilonBound, BothDirectionsSpeak) {
  // One side has an event that the other never has.
  std::vector<float> there(2000, 0.0F), blank(2000, 0.0F);
  for (size_t i = 0; i < blank.size(); i += 2) blank[i] = -1;
  const EpsilonBound below = epsilon_bound(there, blank, 0, 0.99);
  EXPECT_FALSE(below.speaks_for);
  EXPECT_EQ(below.false_hits, 0);
  EXPECT_GT(below.low, 4);
  std::swap(there, blank);
  for (float& x : there) x = -x;
  EXPECT_TRUE(epsilon_bound(there, blank, 0, 0.99).speaks_for);
}

TEST(EpsilonBound, DeltaIsTakenOff) {
  std::vector<float> there(100'000, 0.0F), blank(100'000, 0.0F);
  for (size_t i = 0; i < there.size(); i += 100) there[i] = 1;  // with chance 0.01 all is told
  EXPECT_GT(epsilon_bound(there, blank, 0, 0.999).low, 3);
  EXPECT_EQ(epsilon_bound(there, blank, 0.02, 0.999).low, 0);
}

}  // namespace
}  // namespace graphveil::attack::epsilon_bound_test
