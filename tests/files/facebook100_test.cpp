#include <gtest/gtest.h>

#include "graphveil/files/readers.h"
#include "tests/files/builders.h"
#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::facebook100_test {
namespace {

using graph::Dataset;
using graph::EdgeSet;

Dataset read(const std::string& bytes, FacebookTarget target = FacebookTarget::Year) {
  const TemporaryFolder folder;
  return read_facebook100(folder.write("School.mat", bytes), target);
}

std::string friends() { return mat_sparse("A", 5, {1, 0, 2, 1, 4, 3}, {0, 1, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1}); }
std::string info() { return mat_dense("local_info", 5, 7, good_local_info()); }

TEST(Facebook100, YearIsTheLabelAndTheRestIsOneHot) {
  for (bool compressed : {false, true}) {
    const Dataset dataset = read(good_mat(compressed));
    graph::check(dataset);
    EXPECT_EQ(dataset.name, "School");
    EXPECT_EQ(edges_of(dataset.graph), (EdgeSet{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 4}, {4, 3}}));
    EXPECT_EQ(graph::list(dataset.labels), (std::vector<int32_t>{0, 1, 0, graph::kUnlabeled, 1}));
    EXPECT_EQ(dataset.classes, 2);
    // Columns: status 1 2 | gender 1 2 | major 30 40 50 | minor 7 | housing 9.
    EXPECT_EQ(dataset.features.cols(), 9);
    EXPECT_EQ(graph::list(dataset.features.sparse().view().row(0)), (std::vector<int32_t>{0, 2, 4, 8}));
    EXPECT_EQ(graph::list(dataset.features.sparse().view().row(2)), (std::vector<int32_t>{1, 4, 7}));
    EXPECT_EQ(graph::list(dataset.features.sparse().view().row(3)), (std::vector<int32_t>{1, 2, 7}));
  }
}

// Which values occur is read off the members' records: a guarantee must say that it takes them to be public.
TEST(Facebook100, SaysThatColumnsComeFromTheData) {
  EXPECT_EQ(read(good_mat(true)).found_in_data,
            (std::vector<std::string>{"which values each column takes", "which values the target takes"}));
}

TEST(Facebook100, AnotherTargetLeavesTheFeatures) {
  const Dataset gender = read(good_mat(true), FacebookTarget::Gender);
  EXPECT_EQ(graph::list(gender.labels), (std::vector<int32_t>{0, 1, graph::kUnlabeled, 0, 1}));
  EXPECT_EQ(gender.features.cols(), 9);  // less two genders, two years more
  const Dataset school = read(good_mat(true), FacebookTarget::HighSchool);
  EXPECT_EQ(school.classes, 5);
  EXPECT_EQ(school.features.cols(), 11);
}

TEST(Facebook100, OneSidedFriendshipCountsForBoth) {
  const std::string a = mat_sparse("A", 5, {1, 2}, {0, 1, 2, 2, 2, 2}, {1, 1});
  EXPECT_EQ(edges_of(read(mat_header() + a + info()).graph), (EdgeSet{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
}

TEST(Facebook100, WhatDoesNotFitIsRefused) {
  const auto refuse = [](const std::string& bytes, std::initializer_list<std::string> words) {
    expect_bad_input(words, [&] { read(bytes); });
  };
  refuse(mat_header() + info(), {"School.mat", "A", "missing"});
  refuse(mat_header() + friends(), {"local_info", "missing"});
  refuse(mat_header() + friends() + mat_dense("local_info", 4, 7, std::vector<uint16_t>(28, 1)),
         {"local_info", "4 x 7", "5 x 7"});
  refuse(mat_header() + friends() + mat_dense("local_info", 5, 6, std::vector<uint16_t>(30, 1)),
         {"local_info", "5 x 6"});
  refuse(mat_header() + mat_dense("A", 5, 5, std::vector<uint16_t>(25, 1)) + info(), {"A", "sparse"});
  refuse(mat_header() + mat_sparse("A", 4, {}, {0, 0, 0, 0, 0, 0}, {}) + info(), {"A", "4 x 5"});
  refuse(mat_header() + mat_sparse("A", 0, {}, {0}, {}) + info(), {"A", "no nodes"});
  refuse(mat_header() + friends() + mat_dense("local_info", 5, 7, std::vector<uint16_t>(35, 0)),
         {"local_info", "target"});
}

// Whether there is an edge is private: such a graph trains like its neighbor.
TEST(Facebook100, NobodyNeedsAFriend) {
  const graph::Dataset data = read(mat_header() + mat_sparse("A", 5, {}, {0, 0, 0, 0, 0, 0}, {}) + info());
  EXPECT_EQ(data.nodes(), 5);
  EXPECT_EQ(data.graph.edges(), 0);
}

}  // namespace
}  // namespace graphveil::files::facebook100_test
