// A rank's rows hold what the whole has there.
#include "graphveil/graph/own_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "graphveil/base/error.h"
#include "graphveil/graph/partition.h"
#include "tests/ranks.h"

namespace graphveil::graph::own_rows_test {
namespace {

Dataset made(bool symmetric, bool sparse) {
  constexpr int32_t kNodes = 120, kColumns = 7;
  std::mt19937 random(3);
  std::vector<int32_t> from, to, labels;
  for (int i = 0; i < 500; ++i) {
    from.push_back(static_cast<int32_t>(random() % kNodes));
    to.push_back(static_cast<int32_t>(random() % kNodes));
  }
  Dataset data;
  data.name = "made";
  data.graph = symmetric ? Graph::from_undirected_edges(kNodes, from, to) : Graph::from_edges(kNodes, from, to);
  SparseMatrix matrix{kNodes, kColumns, {}, {}, {}};
  Matrix dense(kNodes, kColumns);
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  for (int32_t v = 0; v < kNodes; ++v) {
    for (int32_t c = 0; c < kColumns; ++c) {
      if (random() % 2 == 0) continue;
      indices.push_back(c);
      dense(v, c) = static_cast<Real>(v + c);
    }
    offsets.push_back(std::ssize(indices));
    labels.push_back(static_cast<int32_t>(random() % 4) - 1);
  }
  matrix.offsets = offsets;
  matrix.indices = indices;
  data.features = sparse ? Features(matrix) : Features(std::move(dense));
  data.labels = labels;
  data.classes = 3;
  check(data);
  return data;
}

// The numbers in the whole graph of what a list of a part names.
std::vector<int32_t> in_whole(const Partition& part, std::span<const int32_t> list) {
  std::vector<int32_t> out;
  for (const int32_t place : list) {
    if (place >= part.before && place < part.before + part.own()) {
      out.push_back(static_cast<int32_t>(place - part.before + part.begin));
    } else {
      out.push_back(part.others[static_cast<size_t>(place < part.before ? place : place - part.own())]);
    }
  }
  return out;
}

TEST(OwnRows, AreThoseOfTheWhole) {
  for (const bool symmetric : {true, false}) {
    for (const bool sparse : {true, false}) {
      const Dataset whole = made(symmetric, sparse);
      tests::on_ranks(3, [&](Ranks& ranks) {
        const std::vector<int64_t> cuts{0, 31, 90, 120};
        const Dataset own = own_rows(ranks, whole, cuts);
        const Partition& part = *own.graph.partition();
        EXPECT_EQ(own.graph.symmetric(), symmetric);
        EXPECT_EQ(own.classes, whole.classes);
        ASSERT_EQ(own.nodes(), part.own());
        std::vector<int32_t> all(static_cast<size_t>(own.nodes()));
        for (int64_t v = 0; v < own.nodes(); ++v) {
          const int64_t u = part.begin + v;
          all[static_cast<size_t>(v)] = static_cast<int32_t>(u);
          EXPECT_EQ(own.labels[static_cast<size_t>(v)], whole.labels[static_cast<size_t>(u)]);
          EXPECT_EQ(in_whole(part, own.graph.in(v)),
                    std::vector<int32_t>(whole.graph.in(u).begin(), whole.graph.in(u).end()));
          EXPECT_EQ(in_whole(part, own.graph.out(v)),
                    std::vector<int32_t>(whole.graph.out(u).begin(), whole.graph.out(u).end()));
        }
        const Matrix expected = whole.features.dense_rows_at(all);
        for (size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int32_t>(v);
        const Matrix found = own.features.dense_rows_at(all);
        EXPECT_TRUE(std::ranges::equal(found.values(), expected.values()));

        Matrix rows(own.nodes(), 1);
        for (int64_t v = 0; v < own.nodes(); ++v) rows(v, 0) = static_cast<Real>(part.begin + v);
        const Matrix reached = reached_rows(own.graph, rows);
        for (int64_t v = 0; v < own.nodes(); ++v) {
          double sum = 0, wanted = 0;
          for (const int32_t place : own.graph.in(v)) sum += reached(place, 0);
          for (const int32_t u : whole.graph.in(part.begin + v)) wanted += u;
          EXPECT_EQ(sum, wanted);
        }
      });
    }
  }
}

TEST(OwnRows, APartIsNotTakenForTheWhole) {
  const Dataset whole = made(true, true);
  EXPECT_NO_THROW(require_whole(whole.graph, "a test"));
  EXPECT_THROW(tests::on_ranks(2,
                               [&](Ranks& ranks) {
                                 const Dataset own = own_rows(ranks, whole, {0, 50, 120});
                                 require_whole(own.graph, "a test");
                               }),
               Error);
}

TEST(OwnRows, DataThatChangedAreRefused) {
  Dataset whole = made(true, false);
  std::vector<int32_t> labels(static_cast<size_t>(whole.nodes()), 9);  // of 3 classes
  whole.labels = labels;
  EXPECT_THROW(tests::on_ranks(2, [&](Ranks& ranks) { own_rows(ranks, whole, {0, 50, 120}); }), Error);
}

TEST(OwnNodes, AreCountedFromTheFirstRow) {
  EXPECT_EQ(own_nodes({1, 4, 7, 9}, 4, 9), (std::vector<int32_t>{0, 3}));
  EXPECT_EQ(own_nodes({1, 4, 7, 9}, 10, 20), std::vector<int32_t>());
}

}  // namespace
}  // namespace graphveil::graph::own_rows_test
