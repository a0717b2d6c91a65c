#include "graphveil/bound/source.h"

#include <set>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/correct_count.h"
#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/label.h"
#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/pagerank_rows.h"
#include "graphveil/bound/votes.h"

namespace graphveil::bound::source_test {
namespace {

template <size_t... Index>
std::set<std::string_view> all_names(std::index_sequence<Index...>) {
  return {name(Source(std::variant_alternative_t<Index, Source>{}))...};
}

TEST(Source, NamesDiffer) {
  constexpr size_t kKinds = std::variant_size_v<Source>;
  EXPECT_EQ(all_names(std::make_index_sequence<kKinds>{}).size(), kKinds);
}

TEST(Source, WhatIsReadHasAName) {
  std::set<std::string_view> names;
  for (const Reads reads :
       {Reads::OwnRecords, Reads::NeighborSum, Reads::OneHop, Reads::ManyHops, Reads::Edges, Reads::ClippedRows}) {
    names.insert(name(reads));
    EXPECT_EQ(reads_from_name(name(reads)), reads);
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"own-records", "neighbor-sum", "one-hop", "many-hops", "edges",
                                               "clipped-rows"}));
  EXPECT_THROW(reads_from_name("minds"), Error);
}

// The words of certificates, for each kind.
TEST(Source, ReadsWhatItsBoundReads) {
  using source::Reach, source::TeacherReads;
  EXPECT_EQ(reads(source::NeighborSum{}), Reads::NeighborSum);
  EXPECT_EQ(reads(source::NeighborCounts{}), Reads::NeighborSum);
  EXPECT_EQ(reads(source::ClassSums{}), Reads::OwnRecords);
  EXPECT_EQ(reads(source::Gradients{Reach::OwnSample}), Reads::OwnRecords);
  EXPECT_EQ(reads(source::Gradients{Reach::ReleasedLists}), Reads::OwnRecords);
  EXPECT_EQ(reads(source::Gradients{Reach::OneHop}), Reads::OneHop);
  EXPECT_EQ(reads(source::Gradients{Reach::ManyHops}), Reads::ManyHops);
  EXPECT_EQ(reads(source::Votes{1, 1, TeacherReads::OwnRecords}), Reads::OwnRecords);
  EXPECT_EQ(reads(source::VoteMaxima{1, 1, TeacherReads::OwnPart}), Reads::ClippedRows);
  EXPECT_EQ(reads(source::Labels{TeacherReads::ManyHops}), Reads::ManyHops);
  EXPECT_EQ(reads(source::PageRankRows{}), Reads::ClippedRows);
  EXPECT_EQ(reads(source::PageRankPicks{}), Reads::ClippedRows);
  EXPECT_EQ(reads(source::PageRankValues{}), Reads::ClippedRows);
  EXPECT_EQ(reads(source::EdgeCount{}), Reads::Edges);
  EXPECT_EQ(reads(source::EdgeCells{}), Reads::Edges);
  EXPECT_EQ(reads(source::Score{}), Reads::OwnRecords);
}

void expect_bound(const Bound& bound, const Source& source, double sensitivity, Norm norm) {
  EXPECT_EQ(bound.source(), source) << name(bound.source());
  EXPECT_DOUBLE_EQ(bound.sensitivity(), sensitivity) << name(source);
  EXPECT_EQ(bound.norm(), norm) << name(source);
}

// Sensitivities by hand, next to what they are of.
TEST(Source, ComesWithItsSensitivity) {
  using source::Reach, source::TeacherReads;
  constexpr auto kPart = TeacherReads::OwnPart;
  expect_bound(neighbor_sum_bound({.relation = Relation::Edge, .max_row_norm = 3}), source::NeighborSum{1}, 3,
               Norm::L2);
  expect_bound(neighbor_sum_bound({.relation = Relation::UndirectedEdge}), source::NeighborSum{2}, std::sqrt(2.0),
               Norm::L2);
  expect_bound(neighbor_sum_bound({.relation = Relation::Node, .max_row_norm = 0.5, .protect_degree = 16}),
               source::NeighborSum{16}, 2, Norm::L2);
  expect_bound(neighbor_sum_bound({.relation = Relation::Record, .protect_degree = 16}), source::NeighborSum{1}, 1,
               Norm::L2);
  expect_bound(neighbor_sum_bound({.relation = Relation::Record, .weights = DegreeWeights::Drop, .max_out_degree = 9}),
               source::NeighborSum{9}, 3, Norm::L2);
  expect_bound(neighbor_counts_bound(Relation::Edge), source::NeighborCounts{1}, 1, Norm::L1);
  expect_bound(neighbor_counts_bound(Relation::UndirectedEdge), source::NeighborCounts{2}, 2, Norm::L1);
  expect_bound(neighbor_counts_bound(Relation::UndirectedEdge, Norm::L2), source::NeighborCounts{2}, std::sqrt(2.0),
               Norm::L2);
  expect_bound(class_sums_bound(4), source::ClassSums{4}, std::sqrt(0.75), Norm::L2);
  expect_bound(clipped_sum_bound({.max_norms = {2}}, {0.5, 4, 3}, Reach::OneHop),
               source::Gradients{Reach::OneHop, 4, 3}, 2 * kRoundingInflation, Norm::L2);
  expect_bound(clipped_sum_bound({.max_norms = {2}}, {1, 4, 3}, Reach::OneHop), source::Gradients{Reach::OneHop, 4, 3},
               14 * kRoundingInflation, Norm::L2);
  expect_bound(vote_counts_bound(8, Norm::L2, kPart), source::Votes{8, 1, kPart}, 4, Norm::L2);
  expect_bound(vote_counts_bound(8, Norm::L1, kPart), source::Votes{8, 1, kPart}, 16, Norm::L1);
  expect_bound(weighted_vote_counts_bound(8, 2.5, kPart), source::Votes{8, 2.5, kPart}, 10, Norm::L2);
  expect_bound(vote_maxima_bound(9, 2.5, kPart), source::VoteMaxima{9, 2.5, kPart}, 7.5, Norm::L2);
  expect_bound(teacher_labels_bound(kPart), source::Labels{kPart}, 1, Norm::Hamming);
  expect_bound(pagerank_rows_bound(0.2, 8), source::PageRankRows{8}, 0.8, Norm::L2);
  expect_bound(pagerank_picks_bound(0.05), source::PageRankPicks{}, 0.05, Norm::LInf);
  expect_bound(pagerank_values_bound(0.05), source::PageRankValues{}, 0.05, Norm::LInf);
  expect_bound(edge_count_bound(), source::EdgeCount{}, 1, Norm::L1);
  expect_bound(edge_cells_bound(), source::EdgeCells{}, 1, Norm::Hamming);
  expect_bound(correct_count_bound(), source::Score{}, 1, Norm::L2);
}

TEST(Source, RefusesNumbersThatBoundNothing) {
  constexpr auto kOwn = source::TeacherReads::OwnRecords;
  EXPECT_THROW(neighbor_sum_bound({.relation = Relation::Node, .protect_degree = 0}), Error);
  EXPECT_THROW(neighbor_counts_bound(Relation::Node), Error);
  EXPECT_THROW(class_sums_bound(1), Error);
  EXPECT_THROW(clipped_sum_bound({}, {.deletions = 0}, source::Reach::OwnSample), Error);
  EXPECT_THROW(vote_counts_bound(0, Norm::L2, kOwn), Error);
  EXPECT_THROW(weighted_vote_counts_bound(1, 0, kOwn), Error);
  EXPECT_THROW(vote_maxima_bound(0, 1, kOwn), Error);
  EXPECT_THROW(vote_maxima_bound(1, -1, kOwn), Error);
  EXPECT_THROW(pagerank_rows_bound(0, 1), Error);
  EXPECT_THROW(pagerank_rows_bound(1, 0), Error);
}

}  // namespace
}  // namespace graphveil::bound::source_test
