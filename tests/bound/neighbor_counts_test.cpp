#include "graphveil/bound/neighbor_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"

namespace graphveil::bound::neighbor_counts_test {
namespace {

using mechanism::Plan;
using mechanism::Release;

// Behind the clear door a bounded value comes out as it is.
IntegerMatrix<int64_t> opened(Bounded<CountMatrix> counts, Relation relation) {
  const Plan plan{
      {account::Event("counts", account::DiscreteLaplace{0}), neighbor_counts_bound(counts.sensitivity().relation)}};
  Release release = Release::clear(relation, plan);
  return release.discrete_laplace("counts", std::move(counts)).value().clone();
}

graph::Graph path() {
  const std::vector<int32_t> from{0, 1, 2}, to{1, 2, 3};
  return graph::Graph::from_undirected_edges(4, from, to);
}

TEST(NeighborCounts, CountsSourcesByGroup) {
  const std::vector<int32_t> group{0, 1, 0, kNoGroup};
  const IntegerMatrix<int64_t> counts = opened(neighbor_counts(path(), group, 2, Relation::Edge), Relation::Edge);
  const std::vector<int64_t> want{0, 1, 2, 0, 0, 1, 1, 0};
  EXPECT_TRUE(std::equal(want.begin(), want.end(), counts.values().begin()));
}

TEST(NeighborCounts, StateOneCellPerDirectedEdge) {
  const std::vector<int32_t> group{0, 1, 0, 1};
  EXPECT_EQ(neighbor_counts(path(), group, 2, Relation::Edge).sensitivity().amount, 1);
  EXPECT_EQ(neighbor_counts(path(), group, 2, Relation::UndirectedEdge).sensitivity().amount, 2);
  EXPECT_EQ(neighbor_counts(path(), group, 2, Relation::Edge).sensitivity().norm, Norm::L1);
}

TEST(NeighborCounts, RefuseOtherRelationsAndGroups) {
  const std::vector<int32_t> group{0, 1, 0, 1}, bad{0, 1, 2, 1}, few{0};
  EXPECT_THROW(neighbor_counts(path(), group, 2, Relation::Node), Error);
  EXPECT_THROW(neighbor_counts(path(), group, 2, Relation::Record), Error);
  EXPECT_THROW(neighbor_counts(path(), bad, 2, Relation::Edge), Error);
  EXPECT_THROW(neighbor_counts(path(), few, 2, Relation::Edge), Error);
  const std::vector<int32_t> from{0}, to{1};
  EXPECT_THROW(neighbor_counts(graph::Graph::from_edges(4, from, to), group, 2, Relation::UndirectedEdge), Error);
}

}  // namespace
}  // namespace graphveil::bound::neighbor_counts_test
