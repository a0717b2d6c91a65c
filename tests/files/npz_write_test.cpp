#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "graphveil/files/writers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::npz_write_test {
namespace {

using graph::Dataset;

Dataset labeled_path() {
  Dataset dataset = graph::path_dataset();
  dataset.labels = std::vector<int32_t>{0, 0, 1, 1, 2, 2};
  return dataset;
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(edges_of(a.graph), edges_of(b.graph));
  EXPECT_EQ(a.graph.symmetric(), b.graph.symmetric());
  EXPECT_TRUE(std::ranges::equal(a.labels, b.labels));
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.split->train, b.split->train);
  EXPECT_EQ(a.split->val, b.split->val);
  EXPECT_EQ(a.split->test, b.split->test);
}

TEST(NpzWrite, DenseComesBack) {
  const TemporaryFolder folder;
  const Dataset dataset = labeled_path();
  write_npz(dataset, folder.path("a.npz"));
  const Dataset back = read_npz(folder.path("a.npz"));
  expect_same(dataset, back);
  EXPECT_TRUE(std::ranges::equal(back.features.dense_values(), dataset.features.dense_values()));
}

TEST(NpzWrite, SparseAndDirectedComeBack) {
  const TemporaryFolder folder;
  Dataset dataset = labeled_path();
  dataset.graph = graph::graph_of(6, {{0, 1}, {5, 2}});
  dataset.features = graph::small_sparse(6);
  write_npz(dataset, folder.path("a.npz"));
  const Dataset back = read_npz(folder.path("a.npz"));
  expect_same(dataset, back);
  EXPECT_TRUE(std::ranges::equal(back.features.sparse().values, dataset.features.sparse().values));
  EXPECT_TRUE(std::ranges::equal(back.features.sparse().indices, dataset.features.sparse().indices));
}

TEST(NpzWrite, SameDataSameBytes) {
  const TemporaryFolder folder;
  write_npz(labeled_path(), folder.path("a.npz"));
  write_npz(labeled_path(), folder.path("b.npz"));
  EXPECT_EQ(read_bytes(folder.path("a.npz")), read_bytes(folder.path("b.npz")));
}

TEST(NpzWrite, MissingLabelsComeBackAsMissing) {
  const TemporaryFolder folder;
  const Dataset dataset = graph::path_dataset();
  ASSERT_GT(graph::unlabeled_nodes(dataset), 0);
  write_npz(dataset, folder.path("a.npz"));
  EXPECT_TRUE(std::ranges::equal(read_npz(folder.path("a.npz")).labels, dataset.labels));
}

TEST(NpzWrite, FailureLeavesNothingBehind) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::Io, {"no/such"}, [&] { write_npz(labeled_path(), folder.path("no/such/a.npz")); });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

TEST(NpzWrite, WhatWasFoundInTheDataComesBack) {
  const TemporaryFolder folder;
  Dataset dataset = labeled_path();
  write_npz(dataset, folder.path("a.npz"));
  EXPECT_TRUE(read_npz(folder.path("a.npz")).found_in_data.empty());
  dataset.found_in_data = {"which nodes have an edge", "which classes have at least 3 nodes"};
  write_npz(dataset, folder.path("b.npz"));
  EXPECT_EQ(read_npz(folder.path("b.npz")).found_in_data, dataset.found_in_data);
}

}  // namespace
}  // namespace graphveil::files::npz_write_test
