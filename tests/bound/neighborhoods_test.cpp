#include "graphveil/bound/neighborhoods.h"

#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::bound::neighborhoods_test {
namespace {

TEST(Neighborhoods, ANodeIsInAtMostCapListsOfOthers) {
  const std::vector<std::vector<WeightedNode>> lists{
      {{0, 1}, {3, 1}, {4, 1}}, {{1, 1}, {3, 1}}, {{3, 1}, {2, 1}, {4, 1}}};
  const Neighborhoods kept({0, 1, 2}, lists, 5, 1);
  std::vector<int> uses(5, 0);
  for (const int32_t source : kept.sources()) {
    for (const WeightedNode& entry : kept.of(source)) uses[static_cast<size_t>(entry.node)] += entry.node != source;
  }
  EXPECT_EQ(uses, (std::vector<int>{0, 0, 0, 1, 1}));
  EXPECT_EQ(kept.of(0)[0].node, 0);  // its own id stays
  EXPECT_EQ(kept.of(2)[0].node, 3);  // first in its list, so it was served before the others
  EXPECT_TRUE(kept.of(3).empty());   // no source
  EXPECT_EQ(kept.draw(0.5).deletions, 2);
  EXPECT_EQ(kept.draw(0.5).insertions, 1);
}

TEST(Neighborhoods, RefuseNodesAndSourcesThatAreNot) {
  EXPECT_THROW(Neighborhoods({0}, {{{9, 1}}}, 5, 1), Error);
  EXPECT_THROW(Neighborhoods({7}, {{{1, 1}}}, 5, 1), Error);
  EXPECT_THROW(Neighborhoods({1, 1}, {{}, {}}, 5, 1), Error);
  EXPECT_THROW(Neighborhoods({1}, {}, 5, 1), Error);
}

}  // namespace
}  // namespace graphveil::bound::neighborhoods_test
