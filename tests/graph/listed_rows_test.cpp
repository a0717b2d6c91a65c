// Rows of a list in any order come to the ranks that have a stretch of it.
#include "graphveil/graph/listed_rows.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/ranks.h"

namespace graphveil::graph::listed_rows_test {
namespace {

constexpr int32_t kNodes = 50, kColumns = 4;

std::vector<int32_t> shuffled(int32_t count) {
  std::vector<int32_t> list(kNodes);
  std::iota(list.begin(), list.end(), 0);
  std::shuffle(list.begin(), list.end(), std::mt19937(5));
  list.resize(static_cast<size_t>(count));
  return list;
}

// A third of the entries; some rows have none.
Real value(int32_t v, int32_t c) {
  return v % 5 == 0 || (v + c) % 3 != 0 ? Real(0) : static_cast<Real>(10 * v + c + 1);
}

SparseMatrix sparse_rows(int32_t begin, int32_t end, bool weighted) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (int32_t v = begin; v < end; ++v) {
    for (int32_t c = 0; c < kColumns; ++c) {
      if (value(v, c) == 0) continue;
      indices.push_back(c);
      if (weighted) values.push_back(value(v, c));
    }
    offsets.push_back(std::ssize(indices));
  }
  return {end - begin, kColumns, std::move(offsets), std::move(indices), std::move(values)};
}

TEST(ListedRows, EveryStretchHasTheRowsOfItsNodes) {
  for (const int32_t count : {0, 3, kNodes}) {
    const std::vector<int32_t> list = shuffled(count);
    for (const int size : {1, 2, 3, 4}) {
      tests::on_ranks(size, [&](Ranks& ranks) {
        std::vector<int64_t> rows, cuts;
        for (int r = 0; r <= size; ++r) {
          rows.push_back(kNodes * r / size);
          cuts.push_back(r == size ? count : count / size * r / 2);  // not in equal parts; a rank may have nothing
        }
        const Partition part = make_partition(ranks, rows, {});
        const ListedRows listed(ranks, part, list, cuts);
        const auto begin = static_cast<int32_t>(part.begin), end = static_cast<int32_t>(part.end);
        const std::span<const int32_t> own = std::span(list).subspan(
            static_cast<size_t>(cuts[static_cast<size_t>(ranks.rank())]), static_cast<size_t>(listed.own()));
        Matrix dense(end - begin, kColumns);
        std::vector<int32_t> labels;
        for (int32_t v = begin; v < end; ++v) {
          labels.push_back(1000 + v);
          for (int32_t c = 0; c < kColumns; ++c) dense(v - begin, c) = value(v, c);
        }
        const Matrix fetched = listed.fetched(dense.view());
        const std::vector<int32_t> found = listed.fetched(labels);
        for (int64_t i = 0; i < listed.own(); ++i) {
          const int32_t v = own[static_cast<size_t>(i)];
          EXPECT_EQ(found[static_cast<size_t>(i)], 1000 + v);
          for (int32_t c = 0; c < kColumns; ++c) EXPECT_EQ(fetched(i, c), value(v, c));
        }
        for (const bool weighted : {true, false}) {
          const Features features = listed.fetched(Features(sparse_rows(begin, end, weighted)));
          ASSERT_EQ(features.rows(), listed.own());
          for (int64_t i = 0; i < listed.own(); ++i) {
            const int32_t v = own[static_cast<size_t>(i)];
            const SparseMatrix expected = sparse_rows(v, v + 1, weighted);
            const SparseView all = features.sparse().view();
            EXPECT_TRUE(std::ranges::equal(all.row(i), expected.view().row(0)));
            if (!weighted) continue;
            EXPECT_TRUE(std::equal(expected.values.begin(), expected.values.end(),
                                   all.values.begin() + all.offsets[static_cast<size_t>(i)]));
          }
        }
      });
    }
  }
}

TEST(ListedRows, CutsMustFitTheList) {
  tests::on_ranks(2, [](Ranks& ranks) {
    const Partition part = make_partition(ranks, {0, 20, kNodes}, {});
    const std::vector<int32_t> list = shuffled(10), beyond{kNodes};
    EXPECT_THROW(ListedRows(ranks, part, list, {0, 10}), Error);
    EXPECT_THROW(ListedRows(ranks, part, list, {0, 7, 9}), Error);
    EXPECT_THROW(ListedRows(ranks, part, list, {0, 11, 10}), Error);
    EXPECT_THROW(ListedRows(ranks, part, beyond, {0, 1, 1}), Error);
  });
}

}  // namespace
}  // namespace graphveil::graph::listed_rows_test
