#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/base/progress.h"
#include "graphveil/files/assemble.h"
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
  EXPECT_EQ(read_npz(folder.path("a.npz")).found_in_data, (std::vector<std::string>{kClassesOfLabels}));
  dataset.found_in_data = {kClassesOfLabels, "which nodes have an edge", "which classes have at least 3 nodes"};
  write_npz(dataset, folder.path("b.npz"));
  EXPECT_EQ(read_npz(folder.path("b.npz")).found_in_data, dataset.found_in_data);
}

// Counts the files of a folder whenever there is progress.
class FilesWhileWriting final : public ProgressSink {
 public:
  explicit FilesWhileWriting(std::string folder) : folder_(std::move(folder)) {}
  void update(const ProgressUpdate&) override {
    most_ = std::max<int64_t>(most_, std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  int64_t most() const { return most_; }

 private:
  std::string folder_;
  int64_t most_ = 0;
};

// A signal removes the files that we know of: there must be no other, since it would hold the private graph.
TEST(NpzWrite, TheOnlyTemporaryFileIsOurs) {
  const TemporaryFolder folder;
  const auto watch = std::make_shared<FilesWhileWriting>(folder.path(""));
  {
    const ContextScope scope({.progress = watch});
    write_npz(labeled_path(), folder.path("a.npz"));
  }
  EXPECT_EQ(watch->most(), 1);
  // With the same bytes as ever: another reader knows them.
  EXPECT_EQ(read_npz(folder.path("a.npz")).nodes(), labeled_path().nodes());
}

}  // namespace
}  // namespace graphveil::files::npz_write_test
