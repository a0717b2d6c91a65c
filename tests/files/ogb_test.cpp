#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::ogb_test {
namespace {

graph::Dataset read(const Arrays& files) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : files) folder.write("arxiv/" + name, text);
  return read_ogb(folder.path("arxiv"));
}

TEST(Ogb, GoodFolder) {
  const graph::Dataset dataset = read(good_ogb());
  graph::check(dataset);
  EXPECT_EQ(dataset.name, "arxiv");
  EXPECT_EQ(edges_of(dataset.graph), (graph::EdgeSet{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 0}}));
  EXPECT_EQ(dataset.features.cols(), 2);
  EXPECT_EQ(dataset.features.dense()(2, 1), -3);
  EXPECT_EQ(dataset.split->val, (std::vector<int32_t>{1}));
}

TEST(Ogb, CountsMayBeAbsentButNotWrong) {
  Arrays files = good_ogb();
  files.erase("raw/num-edge-list.csv.gz");
  files.erase("split/time/train.csv.gz");
  EXPECT_FALSE(read(files).split);
  files["raw/num-node-list.csv.gz"] = gzip("5\n");
  expect_bad_input({"num-node-list", "5 nodes", "4"}, [&] { read(files); });
  files["raw/num-node-list.csv.gz"] = gzip("2\n2\n");
  expect_bad_input({"num-node-list", "2 graphs"}, [&] { read(files); });
}

TEST(Ogb, MissingTruncatedAndOutOfRangeFilesAreRefused) {
  for (const char* name : {"edge.csv", "node-feat.csv", "node-label.csv"}) {
    Arrays files = good_ogb();
    files.erase(std::string("raw/") + name + ".gz");
    expect_bad_input({"arxiv", name, "missing"}, [&] { read(files); });
  }
  Arrays files = good_ogb();
  files["raw/edge.csv.gz"].resize(files["raw/edge.csv.gz"].size() - 9);
  expect_bad_input({"edge.csv.gz", "cut short"}, [&] { read(files); });
  files = good_ogb();
  files["raw/edge.csv.gz"] = gzip("0,1\n1,4\n");
  expect_bad_input({"edge.csv.gz", "row 1", "node 4"}, [&] { read(files); });
}

}  // namespace
}  // namespace graphveil::files::ogb_test
