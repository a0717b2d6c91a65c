#include "graphveil/files/text_folder.h"

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::text_folder_test {
namespace {

graph::Dataset read(const std::string& edges, const std::string& features, const std::string& labels,
                    const std::string& train = "", const std::string& val = "") {
  const TemporaryFolder folder;
  TextFiles files{folder.write("e", edges), folder.write("f", features), folder.write("l", labels), "", "", ""};
  if (!train.empty()) files.train = folder.write("train", train);
  if (!val.empty()) files.val = folder.write("val", val);
  return read_text_files("text", files);
}

TEST(TextFolder, CountsLoopsAndDuplicates) {
  const graph::Dataset dataset = read("0 1\n0 1\n1 1\n", "1\n2\n", "0\n1\n", "1\n");
  EXPECT_EQ(edges_of(dataset.graph), (graph::EdgeSet{{0, 1}}));
  EXPECT_EQ(dataset.cleanup.stored, 3);
  EXPECT_EQ(dataset.cleanup.self_loops, 1);
  EXPECT_EQ(dataset.cleanup.duplicates, 1);
  EXPECT_EQ(dataset.split->train, (std::vector<int32_t>{1}));
  EXPECT_TRUE(dataset.split->val.empty());
}

// Whether there is an edge is private: such a graph trains like its neighbor.
TEST(TextFolder, GraphWithoutEdgesIsRead) {
  EXPECT_EQ(read("", "1\n2\n", "0\n1\n").graph.edges(), 0);
  EXPECT_EQ(read("source,target\n", "1\n2\n", "0\n1\n").graph.edges(), 0);
}

// Nobody declared how many classes there are: the certificate has to say so.
TEST(TextFolder, TheNumberOfClassesIsFoundInTheData) {
  EXPECT_EQ(read("0 1\n", "1\n2\n", "0\n1\n").found_in_data,
            (std::vector<std::string>{"the number of classes (the largest label)"}));
}

TEST(TextFolder, FilesThatDoNotFitAreRefused) {
  expect_bad_input({"labels", "no nodes"}, [] { read("0 1\n", "1\n2\n", ""); });
  expect_bad_input({"features", "1 rows for 2 nodes"}, [] { read("0 1\n", "1\n", "0\n1\n"); });
  expect_bad_input({"features", "0 rows for 2 nodes"}, [] { read("0 1\n", "", "0\n1\n"); });
  expect_bad_input({"labels", "row 1", "-2"}, [] { read("0 1\n", "1\n2\n", "0\n-2\n"); });
  expect_bad_input({"labels", "row 1", "2"}, [] { read("0 1\n", "1\n2\n", "0\n2\n"); });
  expect_bad_input({"node 2"}, [] { read("0 1\n", "1\n2\n", "0\n1\n", "2\n"); });
  expect_bad_input({"node 1"}, [] { read("0 1\n", "1\n2\n", "0\n1\n", "1\n", "1\n"); });
}

}  // namespace
}  // namespace graphveil::files::text_folder_test
