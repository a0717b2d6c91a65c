#include "graphveil/graph/public_private.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::public_private_test {
namespace {

const Dataset& data() {
  static const Dataset d = [] {
    Dataset made = generate(preset("tiny", 300), Seed::from_number(1));
    std::vector<int32_t> labels(made.labels.begin(), made.labels.end());
    for (size_t v = 0; v < labels.size(); v += 10) labels[v] = kUnlabeled;  // 270 labeled
    made.labels = labels;
    return made;
  }();
  return d;
}

constexpr PublicPrivateSizes kSizes{.private_nodes = 100, .public_nodes = 150, .public_test = 50};

TEST(PublicPrivate, PartsHaveTheSizesAskedFor) {
  const PublicPrivate parts = split_public_private(data(), kSizes, Seed::from_number(1));
  EXPECT_NO_THROW(check(parts.private_data));
  EXPECT_NO_THROW(check(parts.public_data));
  EXPECT_EQ(parts.private_data.nodes(), 100);
  EXPECT_EQ(parts.private_split.train.size(), 100u);  // all labeled
  EXPECT_EQ(parts.public_data.nodes(), 150);
  EXPECT_EQ(parts.public_split.test.size(), 50u);
  EXPECT_EQ(parts.public_split.train.size(), 100u);
  for (int32_t v : parts.public_split.test) EXPECT_NE(parts.public_data.labels[v], kUnlabeled);
  std::vector<int32_t> both = parts.public_split.train;
  both.insert(both.end(), parts.public_split.test.begin(), parts.public_split.test.end());
  std::sort(both.begin(), both.end());
  for (int32_t v = 0; v < 150; ++v) EXPECT_EQ(both[v], v);
}

TEST(PublicPrivate, ThePublicPartIsThatOfTheGraph) {
  const PublicPrivate parts = split_public_private(data(), kSizes, Seed::from_number(1));
  ASSERT_EQ(parts.public_ids.size(), 150u);
  EdgeSet want;
  for (int32_t i = 0; i < 150; ++i) {
    EXPECT_EQ(parts.public_data.labels[i], data().labels[parts.public_ids[i]]);
    for (int32_t j = 0; j < 150; ++j) {
      if (data().graph.has_edge(parts.public_ids[i], parts.public_ids[j])) want.emplace(i, j);
    }
  }
  EXPECT_EQ(edges_of(parts.public_data.graph), want);
}

// The same nodes are private, pool and test; nothing else is cut away.
TEST(PublicPrivate, OneGraphHasBothAsMasks) {
  PublicPrivateSizes sizes = kSizes;
  const PublicPrivate apart = split_public_private(data(), sizes, Seed::from_number(1));
  sizes.one_graph = true;
  const PublicPrivate one = split_public_private(data(), sizes, Seed::from_number(1));
  EXPECT_NO_THROW(check(one.private_data));
  EXPECT_EQ(edges_of(one.private_data.graph), edges_of(data().graph));
  EXPECT_EQ(edges_of(one.public_data.graph), edges_of(data().graph));
  EXPECT_TRUE(one.public_ids.empty());
  std::vector<int32_t> test;
  for (const int32_t v : apart.public_split.test) test.push_back(apart.public_ids[v]);
  EXPECT_EQ(one.public_split.test, test);
  EXPECT_EQ(one.public_split.train.size(), apart.public_split.train.size());
  EXPECT_EQ(one.private_split.train.size(), 100u);
  // Of the private side nobody else's label can be read.
  EXPECT_EQ(unlabeled_nodes(one.private_data), 200);
  for (const int32_t v : one.private_split.train) {
    EXPECT_EQ(one.private_data.labels[v], data().labels[v]);
    EXPECT_FALSE(std::ranges::binary_search(test, v));
  }
}

TEST(PublicPrivate, TheSeedDecides) {
  const auto ids = [](uint64_t seed) {
    return split_public_private(data(), kSizes, Seed::from_number(seed)).public_ids;
  };
  EXPECT_EQ(ids(1), ids(1));
  EXPECT_NE(ids(1), ids(2));
  // Every node has its turn in every part.
  std::vector<int> seen(300, 0);
  for (uint64_t seed = 0; seed < 60; ++seed) {
    for (int32_t v : ids(seed)) ++seen[v];
  }
  for (int times : seen) EXPECT_GT(times, 0);
}

TEST(PublicPrivate, AllNodesMayBeUsed) {
  const PublicPrivate parts = split_public_private(data(), {150, 150, 120}, Seed::from_number(1));
  EXPECT_EQ(parts.public_split.train.size(), 30u);  // the ones without a label
  for (int32_t v : parts.public_split.train) EXPECT_EQ(parts.public_data.labels[v], kUnlabeled);
}

TEST(PublicPrivate, RefusesSizesThatDoNotFit) {
  for (const PublicPrivateSizes& sizes :
       {PublicPrivateSizes{0, 10, 5}, PublicPrivateSizes{10, 0, 0}, PublicPrivateSizes{10, 10, 10},
        PublicPrivateSizes{10, 10, -1}, PublicPrivateSizes{151, 150, 10}, PublicPrivateSizes{301, 10, 5},
        PublicPrivateSizes{150, 150, 130}, PublicPrivateSizes{INT64_MAX, INT64_MAX, 5}}) {
    EXPECT_THROW(split_public_private(data(), sizes, Seed::from_number(1)), Error);
  }
}

TEST(PublicPrivate, TwoGraphsAsTheyAre) {
  const Dataset other = generate(preset("tiny", 80), Seed::from_number(2));
  const PublicPrivate parts = pair_public_private(data(), other, 30, Seed::from_number(1));
  EXPECT_EQ(parts.private_data.nodes(), 300);
  EXPECT_EQ(parts.private_split.train.size(), 270u);
  EXPECT_EQ(parts.public_split.test.size(), 30u);
  EXPECT_EQ(parts.public_split.train.size(), 50u);
  EXPECT_TRUE(parts.public_ids.empty());
  EXPECT_TRUE(std::is_sorted(parts.public_split.train.begin(), parts.public_split.train.end()));
}

TEST(PublicPrivate, BalancedHasAsManyOfEveryClass) {
  const PublicPrivateSizes sizes{.private_nodes = 31, .public_nodes = 60, .public_test = 20, .balanced = true};
  const PublicPrivate parts = split_public_private(data(), sizes, Seed::from_number(3));
  std::vector<int64_t> counts(static_cast<size_t>(data().classes), 0);
  for (const int32_t label : parts.private_data.labels) ++counts[static_cast<size_t>(label)];
  for (const int64_t count : counts) EXPECT_NEAR(static_cast<double>(count), 31.0 / data().classes, 1);
  EXPECT_EQ(parts.private_data.nodes(), 31);
  EXPECT_EQ(parts.public_data.nodes(), 60);
  Dataset lopsided = data();
  std::vector<int32_t> labels(static_cast<size_t>(lopsided.nodes()), 0);
  labels[0] = 1;
  lopsided.labels = SharedArray<int32_t>(std::move(labels));
  EXPECT_THROW(split_public_private(lopsided, sizes, Seed::from_number(3)), Error);
}

// What a balanced draw leaves of a small class is spread over the pool and the test nodes like any other.
TEST(PublicPrivate, BalancedLeavesPoolAndTestAlike) {
  Dataset lopsided = generate(preset("tiny", 1200), Seed::from_number(2));
  std::vector<int32_t> labels(1200, 0);
  for (size_t v = 0; v < labels.size(); v += 10) labels[v] = 1;  // 120, of which 20 are left
  lopsided.labels = SharedArray<int32_t>(std::move(labels));
  lopsided.classes = 2;
  int64_t in_pool = 0, in_test = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const PublicPrivateSizes sizes{.private_nodes = 200, .public_nodes = 1000, .public_test = 500, .balanced = true};
    const PublicPrivate parts = split_public_private(lopsided, sizes, Seed::from_number(seed));
    for (const int32_t v : parts.public_split.train) in_pool += parts.public_data.labels[v];
    for (const int32_t v : parts.public_split.test) in_test += parts.public_data.labels[v];
  }
  EXPECT_EQ(in_pool + in_test, 20 * 20);
  // 200 of 400, give or take six standard deviations of 10.
  EXPECT_NEAR(static_cast<double>(in_pool), 200, 60);
}

TEST(PublicPrivate, APublicGraphMayHaveNoLabelsAtAll) {
  const Dataset other = without_labels(generate(preset("tiny", 80), Seed::from_number(2)));
  EXPECT_EQ(unlabeled_nodes(other), 80);
  EXPECT_EQ(pair_public_private(data(), other, 0, Seed::from_number(1)).public_split.train.size(), 80u);
  EXPECT_THROW(pair_public_private(data(), other, 1, Seed::from_number(1)), Error);
}

TEST(PublicPrivate, RefusesTwoGraphsThatDoNotFit) {
  const Dataset other = generate(preset("tiny", 80), Seed::from_number(2));
  EXPECT_THROW(pair_public_private(data(), path_dataset(), 1, Seed::from_number(1)), Error);  // features
  EXPECT_THROW(pair_public_private(data(), other, 80, Seed::from_number(1)), Error);          // nobody left
  EXPECT_THROW(pair_public_private(data(), other, -1, Seed::from_number(1)), Error);
  EXPECT_THROW(pair_public_private(without_labels(data()), other, 1, Seed::from_number(1)), Error);
  Dataset more = other;
  more.classes = data().classes + 1;
  EXPECT_THROW(pair_public_private(data(), more, 1, Seed::from_number(1)), Error);
}

}  // namespace
}  // namespace graphveil::graph::public_private_test
