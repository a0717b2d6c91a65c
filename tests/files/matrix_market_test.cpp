#include "graphveil/files/matrix_market.h"

#include <gtest/gtest.h>

#include "graphveil/files/format.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::matrix_market_test {
namespace {

graph::Dataset read(const Arrays& files) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : files) folder.write("g/" + name, text);
  EXPECT_EQ(detect_format(folder.path("g")), Format::MatrixMarket);
  return read_dataset(folder.path("g"));
}

TEST(MatrixMarket, ReadsAGraphFromAFolder) {
  const graph::Dataset data = read(good_mtx());
  graph::check(data);
  EXPECT_EQ(data.nodes(), 3);
  EXPECT_TRUE(data.graph.symmetric());
  EXPECT_TRUE(data.graph.has_edge(1, 2));
  EXPECT_EQ(data.features.sparse().values[2], -20);
  EXPECT_EQ(std::vector<int32_t>(data.labels.begin(), data.labels.end()), (std::vector<int32_t>{0, 1, 0}));
}

TEST(MatrixMarket, DenseFeaturesAndLabelsAsText) {
  Arrays files = good_mtx();
  files["features.mtx"] = "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n";
  files.erase("labels.mtx");
  files["labels.csv"] = "0\nnan\n1\n";
  files["adjacency.mtx"] = "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 1\n2 3 0\n3 1 7\n";
  const graph::Dataset data = read(files);
  EXPECT_EQ(data.features.dense()(1, 1), 5);  // column after column
  EXPECT_EQ(data.labels[1], graph::kUnlabeled);
  EXPECT_EQ(data.graph.edges(), 2);
  EXPECT_EQ(data.cleanup.zero_weights, 1);
  EXPECT_TRUE(data.cleanup.weights_ignored);
}

TEST(MatrixMarket, Refusals) {
  const struct {
    std::string file, text, words;
  } cases[] = {
      {"adjacency.mtx", "3 3 2\n1 2\n", "line 1: want '%%MatrixMarket"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate complex general\n3 3 0\n", "line 1"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n", "no line of sizes"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 2 1\n1 2\n", "square"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n", "ends after 1 of 2"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n", "line 3: entry (1, 4)"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 1\n", "entry (0, 1)"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2 3\n", "more on it"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n2 3\n", "more than the 1"},
      {"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 99999999999\n1 2\n", "do not fit"},
      {"features.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 1\n1 1 nan\n", "want a number"},
      {"features.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n", "2 rows for 3 nodes"},
      {"features.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1\n1 1 2\n", "twice"},
      {"labels.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0.5\n1\n", "not a whole number"},
      {"labels.mtx", "%%MatrixMarket matrix array integer general\n2 1\n0\n1\n", "2 labels for 3 nodes"},
  };
  for (const auto& c : cases) {
    Arrays files = good_mtx();
    files[c.file] = c.text;
    expect_bad_input({c.file, c.words}, [&] { read(files); });
  }
  for (const char* name : {"features.mtx", "labels.mtx"}) {
    Arrays files = good_mtx();
    files.erase(name);
    expect_bad_input({name, "missing"}, [&] { read(files); });
  }
}

}  // namespace
}  // namespace graphveil::files::matrix_market_test
