// Cuts between ranks, rows that are fetched from others, and sums that begin before these are there.
#include "graphveil/graph/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "graphveil/graph/own_rows.h"
#include "graphveil/kernels/integer_spmm.h"
#include "tests/ranks.h"

namespace graphveil::graph::partition_test {
namespace {

std::vector<int64_t> offsets_of(int64_t nodes, std::mt19937& random) {
  std::vector<int64_t> offsets{0};
  for (int64_t v = 0; v < nodes; ++v) {
    const bool hub = random() % 50 == 0;
    offsets.push_back(offsets.back() + static_cast<int64_t>(random() % (hub ? 400 : 10)));
  }
  return offsets;
}

TEST(CutRows, EdgesAreEqualAsFarAsRowsAllow) {
  std::mt19937 random(1);
  const std::vector<int64_t> offsets = offsets_of(2000, random);
  for (const int ranks : {1, 2, 3, 7}) {
    const std::vector<int64_t> cuts = cut_rows(offsets, {}, 1, ranks);
    ASSERT_EQ(std::ssize(cuts), ranks + 1);
    EXPECT_EQ(cuts.front(), 0);
    EXPECT_EQ(cuts.back(), 2000);
    const double fair = static_cast<double>(offsets.back() + 2000) / ranks;
    for (int r = 0; r < ranks; ++r) {
      const auto i = static_cast<size_t>(r);
      const auto own = static_cast<double>(offsets[static_cast<size_t>(cuts[i + 1])] -
                                           offsets[static_cast<size_t>(cuts[i])] + cuts[i + 1] - cuts[i]);
      EXPECT_NEAR(own, fair, 402);  // one row of the largest on each side
    }
  }
}

TEST(CutRows, BlocksOfPlacesStayWhole) {
  std::mt19937 random(2);
  const std::vector<int64_t> offsets = offsets_of(3000, random);
  std::vector<int32_t> places;
  for (int32_t v = 0; v < 3000; ++v) {
    if (random() % 4 != 0) places.push_back(v);
  }
  for (const int64_t align : {1, 64, 100, 999, 5000}) {
    for (const int ranks : {2, 3, 5}) {
      const std::vector<int64_t> cuts = cut_rows(offsets, places, align, ranks);
      ASSERT_TRUE(std::ranges::is_sorted(cuts));
      for (const int64_t cut : cuts) {
        const int64_t before = std::lower_bound(places.begin(), places.end(), cut) - places.begin();
        EXPECT_TRUE(before % align == 0 || before == std::ssize(places)) << cut << " with blocks of " << align;
      }
    }
  }
}

// Whether ranks can be cut must not tell an edge: where the places leave room each has a row, whatever the weights are.
TEST(CutRows, NoRankIsEmptyWherePlacesLeaveRoom) {
  std::mt19937 random(3);
  constexpr int64_t kNodes = 60;
  std::vector<int32_t> places;
  for (int32_t v = 0; v < kNodes; v += 2) places.push_back(v);
  for (const int64_t align : {1, 7, 10, 15}) {
    int64_t rows_to_cut_at = 0;
    for (int64_t row = 1; row < kNodes; ++row) {
      const int64_t before = std::lower_bound(places.begin(), places.end(), row) - places.begin();
      rows_to_cut_at += before % align == 0 || before == std::ssize(places);
    }
    for (int round = 0; round < 200; ++round) {
      std::vector<int64_t> offsets{0};
      const auto hub = static_cast<int64_t>(random() % kNodes);
      for (int64_t v = 0; v < kNodes; ++v) offsets.push_back(offsets.back() + (v == hub ? 10'000 : random() % 3));
      for (const int ranks : {2, 3, 5, 9, 30}) {
        const std::vector<int64_t> cuts = cut_rows(offsets, places, align, ranks);
        const bool all_have_rows = std::ranges::adjacent_find(cuts, std::greater_equal<>()) == cuts.end();
        EXPECT_EQ(all_have_rows, rows_to_cut_at >= ranks - 1) << align << " " << ranks << " hub " << hub;
        for (const int64_t cut : cuts) {
          const int64_t before = std::lower_bound(places.begin(), places.end(), cut) - places.begin();
          EXPECT_TRUE(before % align == 0 || before == std::ssize(places)) << cut << " with blocks of " << align;
        }
      }
    }
  }
}

TEST(Partition, RowsOfOthersAreFetched) {
  constexpr int64_t kNodes = 97, kColumns = 3;
  const auto value = [](int64_t row, int64_t column) { return static_cast<Real>(1000 * row + column); };
  for (const int size : {1, 2, 3, 4}) {
    tests::on_ranks(size, [&](Ranks& ranks) {
      std::vector<int64_t> cuts;
      for (int r = 0; r <= size; ++r) cuts.push_back(kNodes * r / size);
      std::mt19937 random(static_cast<unsigned>(ranks.rank()));
      std::vector<int32_t> named;
      for (int i = 0; i < 60; ++i) named.push_back(static_cast<int32_t>(random() % kNodes));
      const Partition part = make_partition(ranks, cuts, named);
      EXPECT_EQ(part.nodes, kNodes);
      Matrix rows(part.reach(), kColumns);
      const auto row_at = [&](int64_t place) {
        if (place < part.before) return int64_t{part.others[static_cast<size_t>(place)]};
        if (place < part.before + part.own()) return part.begin + place - part.before;
        return int64_t{part.others[static_cast<size_t>(place - part.own())]};
      };
      for (int64_t v = 0; v < part.own(); ++v) {
        for (int64_t c = 0; c < kColumns; ++c) rows(part.before + v, c) = value(part.begin + v, c);
      }
      fetch_rows(ranks, part, rows.view());
      for (int64_t place = 0; place < part.reach(); ++place) {
        for (int64_t c = 0; c < kColumns; ++c) EXPECT_EQ(rows(place, c), value(row_at(place), c));
        if (place > 0) {
          EXPECT_LT(row_at(place - 1), row_at(place));  // as in the whole graph
        }
      }
      for (const int32_t v : named) {
        EXPECT_TRUE((v >= part.begin && v < part.end) || std::ranges::binary_search(part.others, v));
      }
    });
  }
}

constexpr int32_t kSummed = 90;

// With no features and labels to speak of.
Dataset with_edges(const std::function<bool(int32_t, int32_t)>& wanted) {
  std::mt19937 random(5);
  std::vector<int32_t> from, to;
  for (int i = 0; i < 900; ++i) {
    const auto u = static_cast<int32_t>(random() % kSummed), v = static_cast<int32_t>(random() % kSummed);
    if (!wanted(u, v)) continue;
    from.push_back(u);
    to.push_back(v);
  }
  Dataset data;
  data.name = "summed";
  data.graph = Graph::from_edges(kSummed, from, to);
  data.features = Features(Matrix(kSummed, 1));
  data.labels = std::vector<int32_t>(kSummed, 0);
  data.classes = 1;
  return data;
}

// `alike` says what holds of each rank's part, so that the case is what its name says.
void expect_sums_of_the_whole(const Dataset& whole, const std::vector<int64_t>& cuts,
                              const std::function<void(const Graph&)>& alike) {
  constexpr int64_t kColumns = 5;
  IntegerMatrix<int32_t> rows(kSummed, kColumns);
  for (int64_t i = 0; i < rows.size(); ++i) rows.data()[i] = INT32_MAX - static_cast<int32_t>(i * i);
  IntegerMatrix<int64_t> expected(kSummed, kColumns);
  sum_over_sources(whole.graph, rows, expected);
  tests::on_ranks(static_cast<int>(cuts.size()) - 1, [&](Ranks& ranks) {
    const Graph part = own_rows(ranks, whole, cuts).graph;
    alike(part);
    const int64_t begin = part.partition()->begin, own = part.nodes();
    IntegerMatrix<int32_t> reached(part.reach(), kColumns);
    for (int64_t v = 0; v < own; ++v)
      std::ranges::copy(rows.row(begin + v), reached.row(part.first_in_reach() + v).begin());
    IntegerMatrix<int64_t> sums(own, kColumns), later(own, kColumns);
    std::ranges::fill(sums.values(), 77);  // what was there does not count
    sum_over_sources(part, reached, sums);
    kernels::spmm(part.in_view(), reached, later);  // all rows have come now
    for (int64_t v = 0; v < own; ++v) {
      EXPECT_TRUE(std::ranges::equal(sums.row(v), expected.row(begin + v))) << "row " << begin + v;
      EXPECT_TRUE(std::ranges::equal(sums.row(v), later.row(v))) << "row " << begin + v;
    }
  });
}

std::vector<int64_t> even_cuts(int ranks) {
  std::vector<int64_t> cuts;
  for (int r = 0; r <= ranks; ++r) cuts.push_back(int64_t{kSummed} * r / ranks);
  return cuts;
}

TEST(SumOverSources, IsThatOfTheWholeForAnyNumberOfRanks) {
  const Dataset whole = with_edges([](int32_t, int32_t) { return true; });
  for (const int ranks : {1, 2, 3, 4, 5}) {
    expect_sums_of_the_whole(whole, even_cuts(ranks), [&](const Graph& part) {
      EXPECT_EQ(part.reach() > part.nodes(), ranks > 1);
      EXPECT_GT(part.edges(), 0);
    });
  }
}

TEST(SumOverSources, RanksMayBeEmpty) {
  const Dataset whole = with_edges([](int32_t, int32_t) { return true; });
  for (const std::vector<int64_t>& cuts :
       {std::vector<int64_t>{0, 0, 90}, {0, 90, 90}, {0, 40, 40, 90}, {0, 0, 30, 30, 90, 90}}) {
    expect_sums_of_the_whole(whole, cuts, [](const Graph&) {});
  }
}

TEST(SumOverSources, AllNeighborsMayBeOnesOwn) {
  const auto block = [](int32_t v) { return v / 30; };
  const Dataset whole = with_edges([&](int32_t u, int32_t v) { return block(u) == block(v); });
  expect_sums_of_the_whole(whole, even_cuts(3), [](const Graph& part) {
    EXPECT_EQ(part.reach(), part.nodes());
    EXPECT_GT(part.edges(), 0);
  });
}

TEST(SumOverSources, NoneMayBeOnesOwn) {
  const auto block = [](int32_t v) { return v / 30; };
  const Dataset whole = with_edges([&](int32_t u, int32_t v) { return block(u) != block(v); });
  expect_sums_of_the_whole(whole, even_cuts(3), [](const Graph& part) {
    EXPECT_GT(part.edges(), 0);
    for (const int32_t place : part.in_lists().neighbors) {
      EXPECT_TRUE(place < part.first_in_reach() || place >= part.first_in_reach() + part.nodes());
    }
  });
}

TEST(SumOverSources, OfNoEdgesIsZero) {
  const Dataset whole = with_edges([](int32_t, int32_t) { return false; });
  expect_sums_of_the_whole(whole, even_cuts(2), [](const Graph& part) { EXPECT_EQ(part.edges(), 0); });
}

TEST(SumOverSources, TellsWhatTraveled) {
  const Dataset whole = with_edges([](int32_t, int32_t) { return true; });
  std::vector<std::string> told;
  tests::on_ranks(2, [&](Ranks& ranks) {
    if (ranks.first()) ranks.listen([&](const std::string& line) { told.push_back(line); });
    const Graph part = own_rows(ranks, whole, even_cuts(2)).graph;
    IntegerMatrix<int32_t> rows(part.reach(), 4);
    IntegerMatrix<int64_t> sums(part.nodes(), 4);
    sum_over_sources(part, rows, sums);
  });
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("rows of 16 bytes went between 2 ranks"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("beside own sums"), std::string::npos) << told[0];
}

}  // namespace
}  // namespace graphveil::graph::partition_test
