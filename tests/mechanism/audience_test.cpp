#include "graphveil/mechanism/audience.h"

#include <memory>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"
#include "tests/mechanism/access.h"

namespace graphveil::mechanism::audience_test {
namespace {

TEST(Audience, HasNames) {
  EXPECT_EQ(name(Audience::Public), "public");
  EXPECT_EQ(name(Audience::Owner), "owner");
  EXPECT_EQ(name(Audience::Holder), "holder");
}

TEST(Audience, WhatCameOutOfTheNoiseIsPublic) {
  const Plan plan{
      {account::Event("count", account::DiscreteLaplace{1}), bound::TestVoucher::bound(1, bound::Norm::L1)}};
  Release release = Release::clear(bound::Relation::Edge, plan);
  auto count = bound::TestVoucher::bounded(int64_t{41},
                                           {.amount = 1, .norm = bound::Norm::L1, .relation = bound::Relation::Edge});
  const Public<int64_t> seen(release.discrete_laplace("count", std::move(count)));
  EXPECT_EQ(seen.value(), 41);
}

TEST(Audience, AFunctionOfPublicValuesIsPublic) {
  const PublicData token = PublicData::under(Release::clear(bound::Relation::Edge, {}));
  const Public<int> a(2, token), b(5, token);
  const Public<int> sum = from_public([](int x, int y) { return x + y; }, a, b);
  EXPECT_EQ(sum.value(), 7);
  const Public<std::string> text = from_public([](int x) { return std::to_string(x); }, sum);
  EXPECT_EQ(text.value(), "7");
}

TEST(Audience, ValuesCanBeMovedOut) {
  Public<std::unique_ptr<int>> open(std::make_unique<int>(1),
                                    PublicData::under(Release::clear(bound::Relation::Edge, {})));
  Owner<std::unique_ptr<int>> owner(std::make_unique<int>(2));
  Holder<std::unique_ptr<int>> holder(std::make_unique<int>(3));
  EXPECT_EQ(*std::move(open).value(), 1);
  EXPECT_EQ(*std::move(owner).rows(), 2);
  EXPECT_EQ(*std::move(holder).private_value(), 3);
}

// No audience turns into another, neither way.
static_assert(!std::is_convertible_v<Owner<int>, Public<int>> && !std::is_constructible_v<Public<int>, Owner<int>>);
static_assert(!std::is_convertible_v<Holder<int>, Public<int>> && !std::is_constructible_v<Public<int>, Holder<int>>);
static_assert(!std::is_constructible_v<Owner<int>, Holder<int>> && !std::is_assignable_v<Owner<int>&, Holder<int>>);
static_assert(!std::is_constructible_v<Public<int>, int>, "a plain value is not public");
static_assert(!std::is_constructible_v<Noisy<int>, int, double>, "nor is it noisy");

}  // namespace
}  // namespace graphveil::mechanism::audience_test
