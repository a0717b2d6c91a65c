#include "graphveil/files/npz_fields.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::npz_fields_test {
namespace {

// 0 -> 1 -> 2, three features.
Arrays pyg() {
  return {{"x", npy("<f4", {3, 2}, raw<float>({1, 2, 3, 4, 5, 6}))},
          {"edge_index", npy("<i8", {2, 2}, raw<int64_t>({0, 1, 1, 2}))},
          {"y", npy("<i8", {3}, raw<int64_t>({0, 1, -1}))},
          {"train_mask", npy("|b1", {3}, raw<uint8_t>({1, 0, 0}))},
          {"test_mask", npy("|b1", {3}, raw<uint8_t>({0, 1, 0}))}};
}

Arrays heterophilous() {
  return {{"node_features", npy("<f4", {3, 1}, raw<float>({1, 2, 3}))},
          {"edges", npy("<i8", {2, 2}, raw<int64_t>({0, 1, 2, 1}))},
          {"node_labels", npy("<i8", {3}, raw<int64_t>({0, 1, 1}))},
          {"train_masks", npy("|b1", {2, 3}, raw<uint8_t>({1, 0, 0, 0, 1, 0}))},
          {"val_masks", npy("|b1", {2, 3}, raw<uint8_t>({0, 1, 0, 1, 0, 0}))},
          {"test_masks", npy("|b1", {2, 3}, raw<uint8_t>({0, 0, 1, 0, 0, 1}))}};
}

graph::Dataset read(const Arrays& arrays) {
  const TemporaryFolder folder;
  return read_npz(folder.write("a.npz", npz(arrays)));
}

TEST(EdgeListNpz, AsPygUsersSaveIt) {
  const graph::Dataset data = read(pyg());
  EXPECT_EQ(data.nodes(), 3);
  EXPECT_TRUE(data.graph.has_edge(0, 1));
  EXPECT_TRUE(data.graph.has_edge(1, 2));
  EXPECT_FALSE(data.graph.symmetric());
  EXPECT_EQ(data.features.dense()(2, 1), 6);
  EXPECT_EQ(data.labels[2], graph::kUnlabeled);
  EXPECT_EQ(data.classes, 2);
  ASSERT_TRUE(data.split);
  EXPECT_EQ(data.split->train, std::vector<int32_t>{0});
  EXPECT_EQ(data.split->test, std::vector<int32_t>{1});
  graph::check(data);
}

TEST(EdgeListNpz, EdgesAsRowsAndLabelsThatAreMissing) {
  Arrays arrays = pyg();
  arrays["edge_index"] = npy("<i8", {3, 2}, raw<int64_t>({0, 1, 1, 2, 2, 0}));
  arrays["y"] = npy("<f8", {3, 1}, raw<double>({0, std::nan(""), 1}));
  arrays["edge_weight"] = npy("<f4", {3}, raw<float>({1, 2, 3}));
  const graph::Dataset data = read(arrays);
  EXPECT_EQ(data.graph.edges(), 3);
  EXPECT_TRUE(data.graph.has_edge(2, 0));
  EXPECT_EQ(data.labels[1], graph::kUnlabeled);
  EXPECT_TRUE(data.cleanup.weights_ignored);
}

TEST(EdgeListNpz, TheLayoutOfTheHeterophilousGraphs) {
  const graph::Dataset data = read(heterophilous());
  EXPECT_TRUE(data.graph.symmetric());
  EXPECT_TRUE(data.graph.has_edge(1, 2));
  EXPECT_EQ(data.graph.edges(), 4);
  ASSERT_TRUE(data.split);
  EXPECT_EQ(data.split->train, std::vector<int32_t>{0});  // of several splits the first
  EXPECT_EQ(data.split->test, std::vector<int32_t>{2});
}

TEST(EdgeListNpz, SplitsAsColumns) {
  Arrays arrays = pyg();
  arrays["train_mask"] = npy("|b1", {3, 2}, raw<uint8_t>({0, 1, 1, 1, 0, 0}));
  arrays["test_mask"] = npy("|b1", {3, 2}, raw<uint8_t>({1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(read(arrays).split->train, std::vector<int32_t>{1});
}

TEST(EdgeListNpz, Refusals) {
  const auto refuse = [](const char* key, const std::string& bytes, std::initializer_list<std::string> words) {
    Arrays arrays = pyg();
    if (bytes.empty()) {
      arrays.erase(key);
    } else {
      arrays[key] = bytes;
    }
    expect_bad_input(words, [&] { read(arrays); });
  };
  refuse("x", "", {"x", "missing"});
  refuse("y", "", {"y", "missing"});
  refuse("x", npy("<f4", {2, 2}, raw<float>({1, 2, 3, 4})), {"x", "3 rows"});
  refuse("edge_index", npy("<i8", {2, 1}, raw<int64_t>({0, 3})), {"edge_index", "node 3 is out of range"});
  refuse("edge_index", npy("<i8", {3, 1}, raw<int64_t>({0, 1, 2})), {"edge_index", "length 2"});
  refuse("y", npy("<i8", {3}, raw<int64_t>({0, 1, -2})), {"y", "label -2"});
  refuse("train_mask", npy("|b1", {0, 3}, ""), {"train_mask", "0 values"});
  refuse("train_mask", npy("<i8", {3}, raw<int64_t>({0, 2, 0})), {"train_mask", "0 or 1"});
}

}  // namespace
}  // namespace graphveil::files::npz_fields_test
