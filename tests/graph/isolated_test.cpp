#include "graphveil/graph/isolated.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::isolated_test {
namespace {

TEST(Isolated, NodesWithoutEdgesGo) {
  const Dataset linked = drop_isolated_nodes(path_dataset());
  EXPECT_EQ(linked.nodes(), 5);
  EXPECT_EQ(edges_of(linked.graph), edges_of(path_dataset().graph));
}

TEST(Isolated, SaysThatItReadTheEdges) {
  Dataset dataset = path_dataset();
  dataset.found_in_data = {"before"};
  EXPECT_EQ(drop_isolated_nodes(dataset).found_in_data,
            (std::vector<std::string>{"before", "which nodes have an edge"}));
}

TEST(Isolated, AnEdgeInOneDirectionIsEnough) {
  Dataset dataset = path_dataset();
  dataset.graph = graph_of(6, {{1, 3}});
  const Dataset linked = drop_isolated_nodes(dataset);
  EXPECT_EQ(linked.nodes(), 2);
  EXPECT_EQ(edges_of(linked.graph), (EdgeSet{{0, 1}}));
}

TEST(Isolated, NobodyLeftIsRefused) {
  Dataset dataset = path_dataset();
  dataset.graph = graph_of(6, {});
  EXPECT_THROW(drop_isolated_nodes(dataset), Error);
}

}  // namespace
}  // namespace graphveil::graph::isolated_test
