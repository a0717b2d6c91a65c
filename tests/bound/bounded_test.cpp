#include "graphveil/bound/bounded.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::bound::bounded_test {
namespace {

TEST(Bounded, CarriesItsSensitivity) {
  Bounded<int> bounded = TestVoucher::bounded(
      5, {.amount = 2.5, .norm = Norm::L1, .relation = Relation::Edge, .sampling = account::Poisson{0.25}});
  const Bounded<int> moved = std::move(bounded);
  EXPECT_EQ(moved.sensitivity().amount, 2.5);
  EXPECT_EQ(moved.sensitivity().norm, Norm::L1);
  EXPECT_EQ(moved.sensitivity().relation, Relation::Edge);
  EXPECT_EQ(moved.sensitivity().sampling, account::Sampling(account::Poisson{0.25}));
}

TEST(Bounded, RefusesASensitivityThatBoundsNothing) {
  for (double amount : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(TestVoucher::bounded(1, {.amount = amount}), Error) << amount;
  }
}

}  // namespace
}  // namespace graphveil::bound::bounded_test
