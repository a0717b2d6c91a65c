#include "graphveil/bound/votes.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::bound::votes_test {
namespace {

TEST(VoteCounts, StateWhatOneTeacherCanDo) {
  const Votes votes{{0, 1}, {0, kNoVote}};
  EXPECT_DOUBLE_EQ(vote_counts(votes, 2, Relation::Node).sensitivity().amount, 4);
  EXPECT_EQ(vote_counts(votes, 2, Relation::Node).sensitivity().norm, Norm::L1);
  EXPECT_DOUBLE_EQ(vote_counts(votes, 2, Relation::Record, 0.25).sensitivity().amount, 2);
  EXPECT_EQ(vote_counts(votes, 2, Relation::Record, 0.25).sensitivity().norm, Norm::L2);
  EXPECT_DOUBLE_EQ(vote_counts_sensitivity(8, Norm::L2), 4);
  EXPECT_DOUBLE_EQ(vote_counts_sensitivity(8, Norm::L1), 16);
  const std::vector<Bounded<int32_t>> winners = vote_winners(votes, 2, Relation::Node);
  ASSERT_EQ(winners.size(), 2u);
  EXPECT_EQ(winners[0].sensitivity().norm, Norm::Hamming);
}

TEST(VoteCounts, RefuseWhatIsNoVote) {
  EXPECT_THROW(vote_counts({{0, 1}, {0}}, 2, Relation::Node, 1), Error);
  EXPECT_THROW(vote_counts({{2}}, 2, Relation::Node), Error);
  EXPECT_THROW(vote_counts({{-2}}, 2, Relation::Node), Error);
  EXPECT_THROW(vote_counts({{1}}, 2, Relation::Edge), Error);
  EXPECT_THROW(vote_winners({{1}}, 2, Relation::UndirectedEdge), Error);
  EXPECT_THROW(vote_counts({{1}}, 2, Relation::Node, 0.3), Error);
  EXPECT_THROW(vote_counts({}, 2, Relation::Node), Error);
  EXPECT_THROW(vote_counts_sensitivity(0, Norm::L2), Error);
  EXPECT_THROW(vote_counts_sensitivity(1, Norm::LInf), Error);
}

TEST(VoteCounts, WeightsScaleWhatOneTeacherCanDo) {
  const Votes votes{{0, 1}, {0, kNoVote}};
  const std::vector<double> weights{0.5, 2};
  const auto counts = weighted_vote_counts(votes, weights, 2, 3, Relation::Record, 0x1p-10);
  EXPECT_DOUBLE_EQ(counts.sensitivity().amount, 4);
  EXPECT_EQ(counts.sensitivity().norm, Norm::L2);
  const auto maxima = vote_maxima(votes, weights, 2, 3, Relation::Record, 0x1p-10);
  EXPECT_DOUBLE_EQ(maxima.sensitivity().amount, 2 * std::sqrt(2.0));
  EXPECT_THROW(weighted_vote_counts(votes, weights, 1.5, 3, Relation::Record, 1), Error);
  EXPECT_THROW(weighted_vote_counts(votes, {}, 2, 3, Relation::Record, 1), Error);
  EXPECT_THROW(weighted_vote_counts(votes, weights, 2, 3, Relation::Edge, 1), Error);
  EXPECT_THROW(vote_maxima(votes, weights, 2, 3, Relation::Record, 0.3), Error);
}

TEST(VoteCounts, RecordsSpreadOverTeachersByTheirIds) {
  std::vector<int> sizes(50, 0);
  for (int64_t id = 0; id < 50000; ++id) ++sizes[static_cast<size_t>(teacher_of(id, 50))];
  for (const int size : sizes) EXPECT_NEAR(size, 1000, 200);
  EXPECT_THROW(teacher_of(-1, 5), Error);
  EXPECT_THROW(teacher_of(1, 0), Error);
}

}  // namespace
}  // namespace graphveil::bound::votes_test
