#include "graphveil/graph/split.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::split_test {
namespace {

Dataset labeled(int64_t nodes) {
  Dataset dataset;
  dataset.name = "labeled";
  dataset.graph = graph_of(nodes, {});
  dataset.features = Features(nodes, 1, std::vector<Real>(static_cast<size_t>(nodes)));
  std::vector<int32_t> labels(static_cast<size_t>(nodes), 0);
  for (size_t v = 0; v < labels.size(); v += 10) labels[v] = kUnlabeled;
  dataset.labels = labels;
  dataset.classes = 1;
  return dataset;
}

TEST(Split, SharesOfTheLabeledNodes) {
  Dataset dataset = labeled(1000);  // 900 labeled
  const Split split = random_split(dataset, {0.75, 0.10, 0.15}, Seed::from_number(1));
  EXPECT_EQ(split.train.size(), 675u);
  EXPECT_EQ(split.val.size(), 90u);
  EXPECT_EQ(split.test.size(), 135u);
  for (const auto* part : {&split.train, &split.val, &split.test}) {
    for (int32_t v : *part) EXPECT_NE(v % 10, 0);
  }
  dataset.split = split;
  check(dataset);  // rising, disjoint
}

TEST(Split, SeedDecides) {
  const Dataset dataset = labeled(1000);
  const Split a = random_split(dataset, {}, Seed::from_number(1));
  EXPECT_EQ(a.train, random_split(dataset, {}, Seed::from_number(1)).train);
  EXPECT_NE(a.train, random_split(dataset, {}, Seed::from_number(2)).train);
}

TEST(Split, SharesThatAddUpToOneLeaveNobodyOut) {
  const Split split = random_split(labeled(7), {1.0 / 3, 1.0 / 3, 1.0 / 3}, Seed::from_number(1));
  EXPECT_EQ(split.train.size() + split.val.size() + split.test.size(), 6u);
}

TEST(Split, BadSharesAreRefused) {
  const Dataset dataset = labeled(10);
  EXPECT_THROW(random_split(dataset, {0.9, 0.2, 0.0}, Seed::from_number(1)), Error);
  EXPECT_THROW(random_split(dataset, {0.0, 0.5, 0.5}, Seed::from_number(1)), Error);
  EXPECT_THROW(random_split(dataset, {0.5, -0.1, 0.5}, Seed::from_number(1)), Error);
}

TEST(Split, StoredSplitOrRefusal) {
  EXPECT_EQ(stored_split(path_dataset()).train, (std::vector<int32_t>{0, 3}));
  EXPECT_THROW(stored_split(labeled(10)), Error);
}

}  // namespace
}  // namespace graphveil::graph::split_test
