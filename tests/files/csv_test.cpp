#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::csv_test {
namespace {

graph::Dataset read(const Arrays& files) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : files) folder.write("mine/" + name, text);
  return read_csv(folder.path("mine"));
}

TEST(Csv, GoodFolder) {
  const graph::Dataset dataset = read(good_csv());
  graph::check(dataset);
  EXPECT_EQ(dataset.name, "mine");
  EXPECT_EQ(edges_of(dataset.graph), (graph::EdgeSet{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 0}}));
  EXPECT_EQ(dataset.features.dense()(2, 2), -3);
  EXPECT_EQ(graph::list(dataset.labels), (std::vector<int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(dataset.split->train, (std::vector<int32_t>{0, 2}));
}

TEST(Csv, GzipFilesWork) {
  Arrays files = good_csv();
  files["edges.csv.gz"] = gzip(files.at("edges.csv"));
  files.erase("edges.csv");
  EXPECT_EQ(read(files).graph.edges(), 5);
}

TEST(Csv, MissingTruncatedAndOutOfRangeFilesAreRefused) {
  for (const char* name : {"edges.csv", "features.csv", "labels.csv"}) {
    Arrays files = good_csv();
    files.erase(name);
    expect_bad_input({"mine", name, "missing"}, [&] { read(files); });
  }
  Arrays files = good_csv();
  files["features.csv"].resize(files["features.csv"].size() - 6);
  expect_bad_input({"features.csv", "3 rows"}, [&] { read(files); });
  files = good_csv();
  files["edges.csv"] += "4,0\n";
  expect_bad_input({"edges.csv", "row 5", "node 4"}, [&] { read(files); });
}

}  // namespace
}  // namespace graphveil::files::csv_test
