#include "graphveil/graph/adjacency.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "tests/graph/small_graphs.h"
#include "tests/threads.h"

namespace graphveil::graph::adjacency_test {
namespace {

struct RandomEdges {
  std::vector<int32_t> sources, targets;
};

RandomEdges random_edges(int64_t nodes, int64_t count, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "test edges");
  RandomEdges edges;
  for (int64_t i = 0; i < count; ++i) {
    edges.sources.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(nodes))));
    edges.targets.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(nodes))));
  }
  return edges;
}

TEST(Adjacency, RowsAreSortedWithoutLoopsAndDuplicates) {
  const std::vector<int32_t> sources{2, 0, 2, 1, 2, 0}, targets{1, 2, 0, 1, 1, 2};
  EdgeCleanup cleanup;
  const Adjacency a = adjacency_from_edges(3, sources, targets, false, &cleanup);
  EXPECT_EQ(list(a.of(0)), (std::vector<int32_t>{2}));
  EXPECT_EQ(list(a.of(1)), (std::vector<int32_t>{}));
  EXPECT_EQ(list(a.of(2)), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(cleanup.stored, 6);
  EXPECT_EQ(cleanup.self_loops, 1);
  EXPECT_EQ(cleanup.duplicates, 2);
}

TEST(Adjacency, RandomEdgesAgreeWithASetForAnyThreadCount) {
  const RandomEdges edges = random_edges(20000, 100000, 3);
  EdgeSet expected;
  for (size_t i = 0; i < edges.sources.size(); ++i) {
    if (edges.sources[i] != edges.targets[i]) expected.emplace(edges.sources[i], edges.targets[i]);
  }
  for (int threads : {1, 2}) {
    set_thread_count(threads);
    const Adjacency a = adjacency_from_edges(20000, edges.sources, edges.targets, false);
    ASSERT_TRUE(valid_offsets(a));
    EXPECT_FALSE(first_unclean_row(a));
    EdgeSet got;
    for (int32_t u = 0; u < 20000; ++u) {
      for (int32_t v : a.of(u)) got.emplace(u, v);
    }
    EXPECT_EQ(got, expected);

    const Adjacency t = transposed(a);
    EXPECT_FALSE(first_unclean_row(t));
    EdgeSet reversed;
    for (int32_t v = 0; v < 20000; ++v) {
      for (int32_t u : t.of(v)) reversed.emplace(u, v);
    }
    EXPECT_EQ(reversed, expected);
  }
}

TEST(Adjacency, RowsOverManyBucketsAreThoseOfASetForAnyThreadCount) {
  // A hub has more than one bucket's entries by itself, and the last rows are empty.
  const int32_t nodes = 70001;
  RandomEdges edges = random_edges(nodes - 1000, 500000, 5);
  for (size_t i = 0; i < edges.sources.size(); i += 2) edges.sources[i] = 40000;
  std::vector<std::pair<int32_t, int32_t>> expected;
  int64_t loops = 0;
  for (size_t i = 0; i < edges.sources.size(); ++i) {
    const int32_t u = edges.sources[i], v = edges.targets[i];
    if (u == v) loops += 2;
    if (u != v) expected.insert(expected.end(), {{u, v}, {v, u}});
  }
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  for (int threads : {1, 2}) {
    set_thread_count(threads);
    EdgeCleanup cleanup;
    const Adjacency a = adjacency_from_edges(nodes, edges.sources, edges.targets, true, &cleanup);
    ASSERT_TRUE(valid_offsets(a));
    std::vector<std::pair<int32_t, int32_t>> got;
    for (int32_t u = 0; u < nodes; ++u) {
      for (int32_t v : a.of(u)) got.emplace_back(u, v);
    }
    EXPECT_EQ(got, expected);
    EXPECT_EQ(cleanup.stored, 1000000);
    EXPECT_EQ(cleanup.self_loops, loops);
    EXPECT_EQ(cleanup.duplicates, cleanup.stored - loops - std::ssize(expected));
    const Adjacency directed = adjacency_from_edges(nodes, edges.sources, edges.targets, false);
    EXPECT_TRUE(is_transpose(directed, transposed(directed)));
    EXPECT_TRUE(std::ranges::equal(with_reverses(directed).neighbors, a.neighbors));
  }
}

TEST(Adjacency, SymmetryIsSeenAndOneMissingEdgeTold) {
  RandomEdges edges = random_edges(500, 3000, 4);
  const Adjacency both = adjacency_from_edges(500, edges.sources, edges.targets, true);
  EXPECT_TRUE(is_symmetric(both));
  // Take one direction of one edge away.
  const int64_t row = 250;
  std::vector<int64_t> offsets(both.offsets.begin(), both.offsets.end());
  std::vector<int32_t> neighbors(both.neighbors.begin(), both.neighbors.end());
  ASSERT_GT(both.of(row).size(), 0u);
  neighbors.erase(neighbors.begin() + offsets[row]);
  for (size_t u = row + 1; u < offsets.size(); ++u) --offsets[u];
  const Adjacency broken{offsets, neighbors};
  EXPECT_FALSE(is_symmetric(broken));
  EXPECT_FALSE(is_transpose(both, broken));
  EXPECT_TRUE(is_transpose(broken, transposed(broken)));
  EXPECT_FALSE(is_transpose(broken, broken));
}

TEST(Adjacency, DirectedCycleIsNotSymmetric) {
  const std::vector<int32_t> sources{0, 1, 2}, targets{1, 2, 0};
  EXPECT_FALSE(is_symmetric(adjacency_from_edges(3, sources, targets, false)));
}

TEST(Adjacency, CleanInputIsSharedNotCopied) {
  const Adjacency clean{std::vector<int64_t>{0, 1, 2}, std::vector<int32_t>{1, 0}};
  EXPECT_EQ(cleaned(clean).neighbors.data(), clean.neighbors.data());
}

TEST(Adjacency, UncleanRowsAreFoundAndCleaned) {
  const Adjacency unsorted{std::vector<int64_t>{0, 0, 3, 4}, std::vector<int32_t>{2, 0, 1, 0}};
  EXPECT_EQ(first_unclean_row(unsorted), 1);
  EdgeCleanup cleanup;
  const Adjacency clean = cleaned(unsorted, &cleanup);
  EXPECT_EQ(list(clean.of(1)), (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(cleanup.self_loops, 1);
  const Adjacency out_of_range{std::vector<int64_t>{0, 1, 1}, std::vector<int32_t>{2}};
  EXPECT_EQ(first_unclean_row(out_of_range), 0);
  EXPECT_THROW(cleaned(out_of_range), Error);
}

TEST(Adjacency, BrokenOffsetsAreTold) {
  EXPECT_FALSE(valid_offsets({std::vector<int64_t>{1, 1}, std::vector<int32_t>{0}}));
  EXPECT_FALSE(valid_offsets({std::vector<int64_t>{0, 2}, std::vector<int32_t>{0}}));
  EXPECT_FALSE(valid_offsets({std::vector<int64_t>{0, 2, 1}, std::vector<int32_t>{0}}));
  EXPECT_FALSE(valid_offsets({std::vector<int64_t>{}, std::vector<int32_t>{}}));
  EXPECT_THROW(cleaned({std::vector<int64_t>{0, 2, 1}, std::vector<int32_t>{0}}), Error);
}

TEST(Adjacency, EndsOutOfRangeAreRefused) {
  const std::vector<int32_t> fine{0}, high{2}, low{-1}, two{0, 1};
  EXPECT_THROW(adjacency_from_edges(2, fine, high, false), Error);
  EXPECT_THROW(adjacency_from_edges(2, low, fine, false), Error);
  EXPECT_THROW(adjacency_from_edges(2, fine, two, false), Error);
}

}  // namespace
}  // namespace graphveil::graph::adjacency_test
