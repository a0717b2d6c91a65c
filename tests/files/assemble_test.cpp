#include "graphveil/files/assemble.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/files/refusal.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::files::assemble_test {
namespace {

RawRows rows_of(std::vector<int64_t> offsets, std::vector<int64_t> indices, std::vector<float> values = {}) {
  const auto rows = static_cast<int64_t>(offsets.size()) - 1;
  return {"ptr", "idx", "val", rows, 3, std::move(offsets), std::move(indices), std::move(values)};
}

TEST(Assemble, SparseRowsAreSortedWithTheirValues) {
  const SparseMatrix m = checked_sparse("f", rows_of({0, 3, 4}, {2, 0, 1, 1}, {20, 0.5, 10, 7}));
  EXPECT_EQ(graph::list(m.indices), (std::vector<int32_t>{0, 1, 2, 1}));
  EXPECT_EQ(std::vector<float>(m.values.begin(), m.values.end()), (std::vector<float>{0.5, 10, 20, 7}));
}

TEST(Assemble, AllOneValuesAreDropped) {
  EXPECT_TRUE(checked_sparse("f", rows_of({0, 2}, {2, 0}, {1, 1})).values.empty());
  EXPECT_FALSE(checked_sparse("f", rows_of({0, 2}, {2, 0}, {1, 2})).values.empty());
}

TEST(Assemble, GraphDropsZeroWeights) {
  graph::EdgeCleanup cleanup;
  const graph::Graph g = checked_graph("f", rows_of({0, 2, 3, 3}, {1, 2, 0}, {1, 0, 3}), cleanup);
  EXPECT_EQ(edges_of(g), (graph::EdgeSet{{0, 1}, {1, 0}}));
  EXPECT_EQ(cleanup.stored, 3);
  EXPECT_EQ(cleanup.zero_weights, 1);
  EXPECT_TRUE(cleanup.weights_ignored);
}

TEST(Assemble, RefusalsNameFieldAndRow) {
  graph::EdgeCleanup cleanup;
  expect_bad_input({"f: idx, row 1", "3"}, [&] { checked_graph("f", rows_of({0, 0, 1, 1}, {3}), cleanup); });
  expect_bad_input({"f: ptr, row 0"}, [] { checked_sparse("f", rows_of({1, 1}, {3})); });
  expect_bad_input({"f: idx, row 0", "column 1", "twice"}, [] { checked_sparse("f", rows_of({0, 2}, {1, 1})); });
  expect_bad_input({"f: x, row 1", "column 0", "nan"}, [] {
    check_finite("f", "x", std::vector<float>{1, 2, NAN, 4}, 2);
  });
  expect_bad_input({"f: n", "no nodes"}, [] { checked_nodes("f", "n", 0); });
  expect_bad_input({"f: part", "node 2", "twice"}, [] { checked_part("f", "part", std::vector<int64_t>{2, 0, 2}, 3); });
  expect_bad_input({"f: val", "node 1"}, [] { check_disjoint("f", {{0, 1}, {1}, {}}, 3); });
}

TEST(Assemble, LabelsSetTheNumberOfClasses) {
  graph::Dataset dataset;
  dataset.graph = graph::graph_of(4, {{0, 1}});
  set_labels("f", "y", std::vector<int64_t>{0, 2, 2, 0}, dataset);
  EXPECT_EQ(dataset.classes, 3);
  expect_bad_input({"f: y, row 3", "4"}, [&] { set_labels("f", "y", std::vector<int64_t>{0, 1, 2, 4}, dataset); });
}

TEST(Assemble, LinesOfText) {
  const std::vector<std::string> lines{"one", "and two"};
  EXPECT_EQ(joined_lines(lines), "one\nand two\n");
  EXPECT_EQ(checked_lines("f", "t", joined_lines(lines)), lines);
  EXPECT_TRUE(checked_lines("f", "t", "").empty());
  std::vector<std::string> broken{"no end", "\n", "a\n\nb\n", "\x7f\n"};
  std::string too_long(201, 'x');
  too_long.push_back('\n');
  broken.push_back(too_long);
  broken.emplace_back("\0\n", 2);
  for (const std::string& bad : broken) {
    expect_bad_input({"f: t, row"}, [&] { checked_lines("f", "t", bad); });
  }
}

}  // namespace
}  // namespace graphveil::files::assemble_test
