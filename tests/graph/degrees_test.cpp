#include "graphveil/graph/degrees.h"

#include <gtest/gtest.h>

#include "tests/graph/small_graphs.h"

namespace graphveil::graph::degrees_test {
namespace {

TEST(Degrees, StarPointsInward) {
  // 1, 2, 3, 4 -> 0; node 5 alone. In-degrees 4 0 0 0 0 0, out-degrees 0 1 1 1 1 0.
  const DegreeStatistics s = degree_statistics(graph_of(6, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}));
  EXPECT_EQ(s.in.min, 0);
  EXPECT_EQ(s.in.median, 0);
  EXPECT_EQ(s.in.p90, 4);
  EXPECT_EQ(s.in.max, 4);
  EXPECT_EQ(s.out.p25, 0);     // sorted 0 0 1 1 1 1, rank ceil(1.5) = 2
  EXPECT_EQ(s.out.median, 1);  // rank 3
  EXPECT_EQ(s.out.max, 1);
  EXPECT_EQ(s.isolated, 1);
}

TEST(Degrees, SymmetricGraphHasOneSetOfNumbers) {
  const DegreeStatistics s = degree_statistics(path_dataset().graph);  // degrees 1 2 1 1 1 0
  EXPECT_EQ(s.in.max, 2);
  EXPECT_EQ(s.out.max, 2);
  EXPECT_EQ(s.in.median, 1);
  EXPECT_EQ(s.isolated, 1);
}

TEST(Degrees, EmptyGraph) { EXPECT_EQ(degree_statistics(Graph()).in.max, 0); }

}  // namespace
}  // namespace graphveil::graph::degrees_test
