#include "graphveil/nn/parameters.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/base/error.h"

namespace graphveil::nn::parameters_test {
namespace {

TEST(Parameters, LieSideBySideAndKeepTheirValues) {
  Parameters p;
  const ParameterId a = p.add("a", 2, 3);
  p.value(a)(1, 2) = 7;
  const ParameterId b = p.add("b", 1, 4);
  EXPECT_EQ(p.size(), 10);
  EXPECT_EQ(p.value(a)(1, 2), 7);
  EXPECT_EQ(p.info(b).offset, 6);
  p.gradient(b)(0, 3) = 5;
  EXPECT_EQ(p.gradients()(0, 9), 5);
  p.zero_gradients();
  EXPECT_EQ(p.gradient(b)(0, 3), 0);
}

TEST(Parameters, GroupsChangeWhereTold) {
  Parameters p;
  p.next_group();
  const ParameterId a = p.add("a", 1, 1), b = p.add("b", 1, 1);
  p.next_group();
  p.next_group();
  const ParameterId c = p.add("c", 1, 1);
  EXPECT_EQ(p.info(a).group, p.info(b).group);
  EXPECT_EQ(p.info(c).group, 1);
  EXPECT_EQ(p.groups(), 2);
}

TEST(Parameters, RefusesEqualNamesAndEmptyShapes) {
  Parameters p;
  p.add("a", 1, 1);
  EXPECT_THROW(p.add("a", 1, 1), Error);
  EXPECT_THROW(p.add("b", 0, 1), Error);
}

TEST(Parameters, GlorotBounds) {
  Matrix w(40, 60);
  RandomStream random(Seed::from_number(1), "glorot");
  fill_glorot(w, 40, 60, random);
  const double bound = std::sqrt(6.0 / 100);
  double square = 0;
  for (const Real v : w.values()) {
    EXPECT_LE(std::abs(v), bound * (1 + 1e-6));
    square += double{v} * v;
  }
  EXPECT_NEAR(square / 2400, bound * bound / 3, 0.1 * bound * bound / 3);
}

// Before anything is taken: 32768 x 32768 numbers with gradients, moments and what is saved are 24 GiB.
TEST(Parameters, MoreThanTheMemoryHoldsIsRefused) {
  const ContextScope small({.threads = 0, .progress = nullptr, .memory = int64_t{1} << 30});
  Parameters p;
  EXPECT_NO_THROW(p.add("a", 1000, 1000));
  EXPECT_THROW(p.add("b", 32768, 32768), Error);
  // Together, too.
  for (int i = 0; i < 10; ++i) EXPECT_NO_THROW(p.add("c" + std::to_string(i), 2048, 2000)) << i;
  EXPECT_THROW(p.add("d", 2048, 2048), Error);
  EXPECT_EQ(p.count(), 11);
}

}  // namespace
}  // namespace graphveil::nn::parameters_test
