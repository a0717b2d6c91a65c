#include "graphveil/method/dpar/selection.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::selection_test {
namespace {

constexpr SelectionNoise kAll[] = {SelectionNoise::Gaussian, SelectionNoise::Picks, SelectionNoise::PicksWithValues};

// A node may be read by its own sample and by B' others, whatever was picked.
TEST(Selection, NoNodeIsInMoreSamplesThanTheLineSays) {
  for (const SelectionNoise noise : kAll) {
    for (const int64_t cap : {1, 3}) {
      const Selection selection{.noise = noise, .picks = 4, .column_cap = cap};
      const auto sources = static_cast<int64_t>(tiny_split().train.size());
      Release release = any_release(bound::Relation::Node, selection.plan(selection.lines(0.5, 0.5, sources), sources));
      const bound::Neighborhoods lists = selection.select(tiny_data().graph, tiny_split().train, release);
      EXPECT_TRUE(release.complete());
      std::vector<int64_t> uses(static_cast<size_t>(tiny_data().nodes()), 0);
      for (const int32_t source : lists.sources()) {
        double sum = 0;
        EXPECT_EQ(lists.of(source)[0].node, source);
        for (const bound::WeightedNode& entry : lists.of(source)) {
          uses[static_cast<size_t>(entry.node)] += entry.node != source;
          sum += entry.weight;
          EXPECT_GE(entry.weight, 0);
        }
        EXPECT_LE(sum, 1 + 1e-6);
      }
      EXPECT_EQ(*std::ranges::max_element(uses), cap);
    }
  }
}

// Without noise the picks are the largest entries of the row, in order, with their values in units of the limit.
TEST(Selection, WithoutNoisePicksTheLargestEntries) {
  const Selection selection{.noise = SelectionNoise::Gaussian, .picks = 3, .row_limit = 1, .column_cap = 1000};
  const auto sources = static_cast<int64_t>(tiny_split().train.size());
  Release release = Release::clear(bound::Relation::Node, selection.plan({}, sources));
  const bound::Neighborhoods lists = selection.select(tiny_data().graph, tiny_split().train, release);
  graph::PageRank pagerank(tiny_data().graph, {});
  for (const int32_t source : {tiny_split().train[0], tiny_split().train[5]}) {
    std::vector<graph::RankedNode> row;
    for (const graph::RankedNode& entry : pagerank.row(source)) {
      if (entry.node != source) row.push_back(entry);
    }
    std::ranges::stable_sort(row, [](const auto& a, const auto& b) { return a.rank > b.rank; });
    if (row.size() < 3) continue;
    double sum = 1;
    for (size_t j = 0; j < 3; ++j) sum += row[j].rank;
    for (size_t j = 0; j < 3; ++j) {
      const bound::WeightedNode& entry = lists.of(source)[j + 1];
      EXPECT_NEAR(entry.weight, row[j].rank / sum, 1e-4);  // rows lie on a grid
    }
  }
}

TEST(Selection, SourcesAreDrawnFromTheTrainingNodes) {
  const Selection some{.sources = 10};
  const std::vector<int32_t> drawn = some.draw_sources(tiny_split().train, Seed::from_number(1));
  EXPECT_EQ(drawn.size(), 10u);
  for (const int32_t source : drawn) EXPECT_TRUE(std::ranges::count(tiny_split().train, source));
  EXPECT_EQ(Selection{}.draw_sources(tiny_split().train, Seed::from_number(1)), tiny_split().train);
}

}  // namespace
}  // namespace graphveil::method::selection_test
