#include "graphveil/method/dpar/selection.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::selection_test {
namespace {

constexpr SelectionNoise kAll[] = {SelectionNoise::Gaussian, SelectionNoise::Picks, SelectionNoise::PicksWithValues};

int64_t train_count() { return static_cast<int64_t>(tiny_split().train.size()); }

// The lists behind an open release with this knob's noise, or behind a clear one.
Lists lists_of(const Selection& selection, double knob) {
  const int64_t sources = selection.source_count(train_count());
  Plan plan = selection.plan(selection.lines(knob, 0.5, sources), sources);
  Release release = knob > 0 ? any_release(bound::Relation::Node, std::move(plan))
                             : Release::clear(bound::Relation::Node, std::move(plan));
  Lists lists = selection.lists(tiny_data().graph, tiny_split().train, Seed::from_number(4), release);
  EXPECT_TRUE(release.complete());
  return lists;
}

std::vector<graph::RankedNode> largest(int32_t source, bool with_source, size_t k) {
  graph::PageRank pagerank(tiny_data().graph, {});
  std::vector<graph::RankedNode> row;
  for (const graph::RankedNode& entry : pagerank.row(source)) {
    if (with_source || entry.node != source) row.push_back(entry);
  }
  std::ranges::stable_sort(row, [](const auto& a, const auto& b) { return a.rank > b.rank; });
  row.resize(std::min(k, row.size()));
  return row;
}

// A node may be read by its own sample and by B' others, whatever was picked.
TEST(Selection, NoNodeIsInMoreSamplesThanTheLineSays) {
  for (const SelectionNoise noise : kAll) {
    for (const int64_t cap : {1, 3}) {
      const Selection selection{.noise = noise, .picks = 4, .column_cap = cap};
      Lists made = lists_of(selection, 0.5);
      const bound::Neighborhoods lists(std::move(made.sources), made.entries, tiny_data().nodes(), selection.cap());
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

// Without noise the picks are the largest entries of the row, in order, beside the source with weight 1, as shares.
TEST(Selection, WithoutNoisePicksTheLargestEntries) {
  const Selection selection{.noise = SelectionNoise::Gaussian, .picks = 3, .row_limit = 1, .column_cap = 1000};
  const Lists lists = lists_of(selection, 0);
  for (size_t i = 0; i < 6; ++i) {
    const std::vector<graph::RankedNode> row = largest(lists.sources[i], false, 3);
    if (row.size() < 3) continue;
    double sum = 1;
    for (const graph::RankedNode& entry : row) sum += entry.rank;
    for (size_t j = 0; j < 3; ++j) EXPECT_NEAR(lists.entries[i][j + 1].weight, row[j].rank / sum, 1e-4);  // on a grid
  }
}

// Algorithms 1 and 3 of the paper: the K largest of the whole row, in which the source has its entry too, with their
// values (or 1/K each) as they are; entries are cut to C2, or the row is scaled to norm C1.
TEST(Selection, ValuesAreThoseOfThePapersAlgorithms) {
  for (const SelectionNoise noise : kAll) {
    const double limit = noise == SelectionNoise::Gaussian ? 0.1 : 1;
    const Selection selection{.noise = noise, .picks = 2, .row_limit = limit, .weights = ListWeights::Values};
    const Lists lists = lists_of(selection, 0);
    for (size_t i = 0; i < 6; ++i) {
      ASSERT_EQ(lists.entries[i].size(), 2u);
      const std::vector<graph::RankedNode> row = largest(lists.sources[i], true, 1000);
      if (row.size() < 3 || row[1].rank - row[2].rank < 1e-3) continue;
      double norm = 0;
      for (const graph::RankedNode& entry : row) norm += entry.rank * entry.rank;
      const double scale = noise == SelectionNoise::Gaussian ? std::min(1.0, limit / std::sqrt(norm)) : 1;
      for (size_t j = 0; j < 2; ++j) {
        EXPECT_EQ(lists.entries[i][j].node, row[j].node);
        const double wanted = noise == SelectionNoise::Picks ? 0.5 : scale * row[j].rank;
        EXPECT_NEAR(lists.entries[i][j].weight, wanted, 1e-4);
      }
      EXPECT_EQ(row[0].node, lists.sources[i]) << "the source is the nearest to itself";
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

// Ten rows: all train, the others on themselves; or the ten alone.
TEST(Selection, TrainingNodesWithoutARowReadThemselvesOrDoNotTrain) {
  const Lists all = lists_of({.noise = SelectionNoise::Picks, .sources = 10}, 0.5);
  ASSERT_EQ(static_cast<int64_t>(all.sources.size()), train_count());
  EXPECT_EQ(std::set<int32_t>(all.sources.begin(), all.sources.end()),
            std::set<int32_t>(tiny_split().train.begin(), tiny_split().train.end()));
  for (size_t i = 0; i < all.sources.size(); ++i) {
    EXPECT_EQ(all.entries[i].size(), i < 10 ? 3u : 1u);
    EXPECT_EQ(all.entries[i][0].node, all.sources[i]);
  }
  const Selection ten{.noise = SelectionNoise::Picks, .sources = 10, .train_on = TrainOn::Sources};
  EXPECT_EQ(lists_of(ten, 0.5).sources.size(), 10u);
  EXPECT_EQ(ten.samples(train_count()), 10);
}

// Lists for experiments are as long as those of PageRank, release nothing and read nothing but ids and the seed.
TEST(Selection, RandomAndSelfReleaseNothing) {
  const Selection random{.noise = SelectionNoise::Picks, .sources = 20, .picks = 3, .from = ListsFrom::Random};
  EXPECT_TRUE(random.plan(random.lines(1, 0.5, 20), 20).lines().empty());
  const Lists lists = lists_of(random, 1);
  std::set<int32_t> picked;
  for (size_t i = 0; i < 20; ++i) {
    ASSERT_EQ(lists.entries[i].size(), 4u);
    for (size_t j = 1; j < 4; ++j) picked.insert(lists.entries[i][j].node);
    EXPECT_NEAR(lists.entries[i][0].weight, 0.5, 1e-6);
    EXPECT_NEAR(lists.entries[i][1].weight, 0.5 / 3, 1e-6);
  }
  EXPECT_GT(picked.size(), 30u);
  const Selection self{.noise = SelectionNoise::Picks, .from = ListsFrom::Self};
  EXPECT_TRUE(self.plan(self.lines(1, 0.5, 20), 20).lines().empty());
  EXPECT_EQ(self.cap(), 0);
  for (const auto& list : lists_of(self, 1).entries) EXPECT_EQ(list.size(), 1u);
}

// On some of the nodes alone, nobody else is picked, however random the picks.
TEST(Selection, AmongSomeNodesNobodyElseIsPicked) {
  std::vector<int32_t> among;
  for (const int32_t v : tiny_split().train) {
    if (v % 3 == 0) among.push_back(v);
  }
  const Selection selection =
      Selection{.noise = SelectionNoise::Picks, .picks = 5}.fitted(static_cast<int64_t>(among.size()));
  const auto count = static_cast<int64_t>(among.size());
  Release release = any_release(bound::Relation::Node, selection.plan(selection.lines(5, 0.5, count), count));
  const Lists lists = selection.lists_among(tiny_data().graph, among, Seed::from_number(4), release);
  EXPECT_EQ(lists.sources.size(), among.size());
  for (const auto& list : lists.entries) {
    for (const bound::WeightedNode& entry : list) EXPECT_TRUE(std::ranges::count(among, entry.node)) << entry.node;
  }
}

// Whether or not it has a row: a node that trained twice would be in more samples than the line says.
TEST(Selection, RefusesATrainingNodeThatIsThereTwice) {
  for (const ListsFrom from : {ListsFrom::PageRank, ListsFrom::Random, ListsFrom::Self}) {
    const Selection selection{.noise = SelectionNoise::Picks, .sources = 10, .from = from};
    for (const int32_t again : tiny_split().train) {
      std::vector<int32_t> train = tiny_split().train;
      train.push_back(again);
      Release release = any_release(bound::Relation::Node, selection.plan(selection.lines(1, 0.5, 10), 10));
      EXPECT_THROW(selection.lists(tiny_data().graph, train, Seed::from_number(4), release), Error) << again;
    }
  }
}

TEST(Selection, FitsFewNodes) {
  EXPECT_EQ(Selection{.picks = 5}.fitted(100).picks, 5);
  EXPECT_EQ(Selection{.picks = 5}.fitted(3).picks, 2);
  EXPECT_EQ((Selection{.picks = 5, .weights = ListWeights::Values}.fitted(3).picks), 3);
  EXPECT_EQ(Selection{}.fitted(1).from, ListsFrom::Self);
}

}  // namespace
}  // namespace graphveil::method::selection_test
