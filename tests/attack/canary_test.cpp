#include "graphveil/attack/canary.h"

#include <gtest/gtest.h>

#include "graphveil/graph/generate.h"

namespace graphveil::attack::canary_test {
namespace {

using bound::Relation;

graph::Dataset tiny() { return graph::generate(graph::preset("tiny", 60), Seed::from_number(1)); }

int64_t differing_edges(const graph::Graph& a, const graph::Graph& b) {
  int64_t count = 0;
  for (int32_t u = 0; u < a.nodes(); ++u) {
    for (const int32_t v : a.out(u)) count += !b.has_edge(u, v);
    for (const int32_t v : b.out(u)) count += !a.has_edge(u, v);
  }
  return count;
}

TEST(Canary, HasTheDegreeAndALabelOfItsOwn) {
  const graph::Dataset data = tiny();
  const CanaryPair pair = canary_pair(data, 7, 5, Relation::Node);
  EXPECT_EQ(pair.there.graph.out_degree(7), 5);
  EXPECT_EQ(pair.there.graph.in_degree(7), 5);
  EXPECT_NE(pair.there.labels[7], data.labels[7]);
  for (const int32_t v : pair.there.graph.out(7)) EXPECT_NE(pair.there.labels[v], pair.there.labels[7]);
}

TEST(Canary, DiffersAsTheRelationSays) {
  const graph::Dataset data = tiny();
  const CanaryPair edge = canary_pair(data, 7, 5, Relation::Edge);
  EXPECT_EQ(differing_edges(edge.there.graph, edge.blank.graph), 1);
  EXPECT_EQ(edge.blank.labels[7], edge.there.labels[7]);
  const CanaryPair both = canary_pair(data, 7, 5, Relation::UndirectedEdge);
  EXPECT_EQ(differing_edges(both.there.graph, both.blank.graph), 2);
  const CanaryPair record = canary_pair(data, 7, 5, Relation::Record);
  EXPECT_EQ(differing_edges(record.there.graph, record.blank.graph), 5);
  EXPECT_EQ(record.blank.graph.in_degree(7), 5);
  EXPECT_EQ(record.blank.labels[7], graph::kUnlabeled);
  const CanaryPair node = canary_pair(data, 7, 5, Relation::Node);
  EXPECT_EQ(differing_edges(node.there.graph, node.blank.graph), 10);
  for (int64_t k = 0; k < data.features.cols(); ++k) EXPECT_EQ(node.blank.features.dense()(7, k), 0);
  for (int32_t v = 0; v < data.nodes(); ++v) {
    if (v == 7) continue;
    EXPECT_EQ(node.blank.labels[v], data.labels[v]);
  }
}

}  // namespace
}  // namespace graphveil::attack::canary_test
