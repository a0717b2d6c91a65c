// Cuts between ranks, and rows that are fetched from others.
#include "graphveil/graph/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

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
  const auto value = [](int64_t row, int64_t column) { return static_cast<int32_t>(1000 * row + column); };
  for (const int size : {1, 2, 3, 4}) {
    tests::on_ranks(size, [&](Ranks& ranks) {
      std::vector<int64_t> cuts;
      for (int r = 0; r <= size; ++r) cuts.push_back(kNodes * r / size);
      std::mt19937 random(static_cast<unsigned>(ranks.rank()));
      std::vector<int32_t> named;
      for (int i = 0; i < 60; ++i) named.push_back(static_cast<int32_t>(random() % kNodes));
      const Partition part = make_partition(ranks, cuts, named);
      EXPECT_EQ(part.nodes, kNodes);
      IntegerMatrix<int32_t> rows(part.reach(), kColumns);
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

}  // namespace
}  // namespace graphveil::graph::partition_test
