#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::npz_test {
namespace {

using graph::Dataset;
using graph::EdgeSet;

Dataset read(const Arrays& arrays, bool compressed = false) {
  const TemporaryFolder folder;
  return read_npz(folder.write("small.npz", npz(arrays, compressed)));
}

Arrays with(const std::string& key, const std::string& bytes) {
  Arrays arrays = good_arrays();
  arrays[key] = bytes;
  return arrays;
}

Arrays without(std::initializer_list<const char*> keys) {
  Arrays arrays = good_arrays();
  for (const char* key : keys) arrays.erase(key);
  return arrays;
}

void refuse(const Arrays& arrays, std::initializer_list<std::string> words) {
  expect_bad_input(words, [&] { read(arrays); });
}

TEST(Npz, GoodFile) {
  for (bool compressed : {false, true}) {
    const Dataset dataset = read(good_arrays(), compressed);
    graph::check(dataset);
    EXPECT_EQ(dataset.name, "small");
    EXPECT_EQ(edges_of(dataset.graph), (EdgeSet{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 0}}));
    EXPECT_FALSE(dataset.graph.symmetric());
    EXPECT_EQ(dataset.cleanup.stored, 5);
    EXPECT_EQ(dataset.features.cols(), 3);
    EXPECT_EQ(graph::list(dataset.features.sparse().view().row(2)), (std::vector<int32_t>{1, 2}));
    EXPECT_EQ(dataset.features.sparse().values[1], 0.5f);
    EXPECT_EQ(graph::list(dataset.labels), (std::vector<int32_t>{0, 1, 0, 1}));
    EXPECT_EQ(dataset.classes, 2);
    EXPECT_EQ(dataset.split->train, (std::vector<int32_t>{0, 2}));
    EXPECT_EQ(dataset.split->test, (std::vector<int32_t>{3}));
  }
}

TEST(Npz, DenseFeaturesAndStringArrays) {
  Arrays arrays =
      without({"attr_data", "attr_indices", "attr_indptr", "attr_shape", "idx_train", "idx_val", "idx_test"});
  arrays["attr_matrix"] = npy("<f8", {4, 2}, raw<double>({1, 2, 3, 4, 5, 6, 7, 8}));
  arrays["class_names"] = npy("<U2", {2}, std::string(16, 'a'));
  arrays["node_names"] = npy("|O", {4}, "a pickle");
  const Dataset dataset = read(arrays);
  EXPECT_FALSE(dataset.features.is_sparse());
  EXPECT_EQ(dataset.features.dense()(3, 1), 8);
  EXPECT_FALSE(dataset.split);
}

TEST(Npz, KeysWithDotsAndMasks) {
  Arrays arrays;
  for (const auto& [key, bytes] : without({"idx_train", "idx_val", "idx_test"})) {
    const size_t bar = key.find('_');
    arrays[bar == key.npos ? key : key.substr(0, bar) + "_matrix." + key.substr(bar + 1)] = bytes;
  }
  arrays["train_mask"] = npy("|b1", {4}, raw<uint8_t>({1, 0, 0, 1}));
  const Dataset dataset = read(arrays);
  EXPECT_EQ(dataset.graph.edges(), 5);
  EXPECT_EQ(dataset.split->train, (std::vector<int32_t>{0, 3}));
  arrays["train_mask"] = npy("|i1", {4}, raw<int8_t>({1, 0, 2, 1}));
  refuse(arrays, {"train_mask", "row 2"});
  arrays["train_mask"] = npy("|b1", {3}, raw<uint8_t>({1, 0, 1}));
  refuse(arrays, {"train_mask", "3 values for 4 nodes"});
}

TEST(Npz, LoopsDuplicatesAndZeroWeightsAreCounted) {
  Arrays arrays = with("adj_indices", npy("<i4", {5}, raw<int32_t>({0, 2, 2, 1, 0})));
  Dataset dataset = read(arrays);
  EXPECT_EQ(edges_of(dataset.graph), (EdgeSet{{1, 2}, {2, 1}, {3, 0}}));
  EXPECT_EQ(dataset.cleanup.stored, 5);
  EXPECT_EQ(dataset.cleanup.self_loops, 1);
  EXPECT_EQ(dataset.cleanup.duplicates, 1);
  dataset = read(with("adj_data", npy("<f4", {5}, raw<float>({0, 1, 1, 1, 2.5}))));
  EXPECT_EQ(dataset.graph.edges(), 4);
  EXPECT_EQ(dataset.cleanup.zero_weights, 1);
  EXPECT_TRUE(dataset.cleanup.weights_ignored);
}

TEST(Npz, MissingKeysAreRefused) {
  for (const char* key : {"adj_indices", "adj_indptr", "adj_shape", "attr_indices", "attr_shape", "labels"}) {
    refuse(without({key}), {"small.npz", key, "missing"});
  }
  refuse(without({"attr_indptr"}), {"small.npz", "attr_matrix", "missing"});
}

TEST(Npz, IndicesOutOfRangeAreRefused) {
  refuse(with("adj_indices", npy("<i4", {5}, raw<int32_t>({1, 0, 4, 1, 0}))), {"adj_indices", "row 1", "4", "0 to 3"});
  refuse(with("adj_indices", npy("<i4", {5}, raw<int32_t>({1, 0, 2, -1, 0}))), {"adj_indices", "row 2", "-1"});
  refuse(with("attr_indices", npy("<i4", {4}, raw<int32_t>({2, 0, 1, 3}))), {"attr_indices", "row 2", "3"});
  refuse(with("attr_indices", npy("<i4", {4}, raw<int32_t>({2, 0, 1, 1}))), {"attr_indices", "row 2", "twice"});
  refuse(with("idx_val", npy("<i8", {1}, raw<int64_t>({4}))), {"idx_val", "row 0", "4"});
  refuse(with("idx_val", npy("<i8", {1}, raw<int64_t>({0}))), {"node 0"});
  refuse(with("idx_test", npy("<i8", {2}, raw<int64_t>({3, 3}))), {"idx_test", "twice"});
}

TEST(Npz, InconsistentLengthsAreRefused) {
  refuse(with("adj_indptr", npy("<i4", {4}, raw<int32_t>({0, 1, 3, 5}))), {"adj_indptr", "4 values", "5"});
  refuse(with("adj_indptr", npy("<i4", {5}, raw<int32_t>({0, 1, 3, 4, 6}))), {"adj_indptr", "row 4"});
  refuse(with("adj_indptr", npy("<i4", {5}, raw<int32_t>({0, 1, 3, 4, 4}))), {"adj_indptr", "row 4"});
  refuse(with("adj_indptr", npy("<i4", {5}, raw<int32_t>({0, 3, 1, 4, 5}))), {"adj_indptr", "row 2"});
  refuse(with("adj_indptr", npy("<i4", {5}, raw<int32_t>({-1, 1, 3, 4, 5}))), {"adj_indptr", "row 0"});
  refuse(with("adj_data", npy("<f4", {4}, raw<float>({1, 1, 1, 1}))), {"adj_data", "4"});
  refuse(with("attr_shape", npy("<i8", {2}, raw<int64_t>({3, 3}))), {"attr_shape", "3 rows for 4 nodes"});
  refuse(with("labels", npy("|i1", {3}, raw<int8_t>({0, 1, 0}))), {"labels", "3 labels for 4 nodes"});
  refuse(with("labels", npy("|i1", {2, 2}, raw<int8_t>({0, 1, 0, 1}))), {"labels", "axes"});
  refuse(with("adj_shape", npy("<i8", {1}, raw<int64_t>({4}))), {"adj_shape", "want 2"});
}

TEST(Npz, SizesOutOfRangeAreRefused) {
  refuse(with("adj_shape", npy("<i8", {2}, raw<int64_t>({-4, 4}))), {"adj_shape", "-4 nodes"});
  refuse(with("adj_shape", npy("<i8", {2}, raw<int64_t>({4, 5}))), {"adj_shape", "square"});
  refuse(with("adj_shape", npy("<i8", {2}, raw<int64_t>({int64_t{1} << 40, int64_t{1} << 40}))),
         {"adj_shape", "out of range"});
  refuse(with("attr_shape", npy("<i8", {2}, raw<int64_t>({4, -3}))), {"attr_shape", "-3"});
  refuse(with("adj_shape", npy("<i8", {2}, raw<int64_t>({0, 0}))), {"adj_shape", "no nodes"});
}

// Whether there is an edge is private: such a graph trains like its neighbor.
TEST(Npz, GraphWithoutEdgesIsRead) {
  Arrays arrays = with("adj_indptr", npy("<i4", {5}, raw<int32_t>({0, 0, 0, 0, 0})));
  arrays["adj_indices"] = npy("<i4", {0}, "");
  arrays["adj_data"] = npy("<f4", {0}, "");
  const TemporaryFolder folder;
  const graph::Dataset data = read_npz(folder.write("a.npz", npz(arrays)));
  EXPECT_EQ(data.nodes(), 4);
  EXPECT_EQ(data.graph.edges(), 0);
}

TEST(Npz, ValuesOutOfRangeAreRefused) {
  refuse(with("attr_data", npy("<f4", {4}, raw<float>({1, NAN, 1, 1}))), {"attr_data", "row 1", "nan"});
  refuse(with("attr_data", npy("<f4", {4}, raw<float>({1, 1, 1, -INFINITY}))), {"attr_data", "row 3", "inf"});
  refuse(with("adj_data", npy("<f4", {5}, raw<float>({1, 1, NAN, 1, 1}))), {"adj_data", "row 2"});
  refuse(with("labels", npy("|i1", {4}, raw<int8_t>({0, 1, -2, 1}))), {"labels", "row 2", "-2"});
  refuse(with("labels", npy("|i1", {4}, raw<int8_t>({0, 1, 4, 1}))), {"labels", "row 2", "4", "0 to 3"});
  refuse(with("labels", npy("<U1", {4}, std::string(16, 'a'))), {"labels", "<U1"});
}

TEST(Npz, EveryTruncationIsRefused) {
  const TemporaryFolder folder;
  const std::string bytes = npz(good_arrays(), true);
  for (size_t length = 0; length < bytes.size(); length += 7) {
    expect_bad_input({"cut.npz"}, [&] { read_npz(folder.write("cut.npz", bytes.substr(0, length))); });
  }
}

}  // namespace
}  // namespace graphveil::files::npz_test
