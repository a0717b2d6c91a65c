#include "graphveil/base/shared_array.h"

#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace graphveil::shared_array_test {
namespace {

TEST(SharedArray, CopiesShareOneMemory) {
  SharedArray<int> a(std::vector<int>{1, 2, 3});
  const SharedArray<int> b = a;
  EXPECT_EQ(a.data(), b.data());
  a = SharedArray<int>();
  EXPECT_EQ(std::accumulate(b.begin(), b.end(), 0), 6);
}

TEST(SharedArray, KeepsItsOwnerAlive) {
  auto owner = std::make_shared<std::vector<int>>(std::vector<int>{4, 5});
  std::weak_ptr<std::vector<int>> watch = owner;
  SharedArray<int> array(std::span<const int>(*owner), owner);
  owner.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(array[1], 5);
  array = SharedArray<int>();
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace graphveil::shared_array_test
