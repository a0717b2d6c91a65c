#include "graphveil/bound/votes.h"

#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/bound/label.h"

namespace graphveil::bound {

namespace {

// Each vote counts `one`.
IntegerMatrix<int64_t> counted(const Votes& votes, int32_t classes, Relation relation, int64_t one) {
  require(!edge_level(relation), "votes hide records: relation {} is about edges", name(relation));
  require(!votes.empty() && classes >= 2, "{} teachers vote on {} classes, want at least 1 and 2", votes.size(),
          classes);
  const auto queries = static_cast<int64_t>(votes[0].size());
  IntegerMatrix<int64_t> counts(queries, classes);
  for (const std::vector<int32_t>& of_teacher : votes) {
    require(static_cast<int64_t>(of_teacher.size()) == queries, "a teacher has {} votes, another {}", of_teacher.size(),
            queries);
    for (int64_t q = 0; q < queries; ++q) {
      const int32_t vote = of_teacher[static_cast<size_t>(q)];
      if (vote == kNoVote) continue;
      require(vote >= 0 && vote < classes, "a vote is for class {} of {}", vote, classes);
      counts(q, vote) += one;
    }
  }
  return counts;
}

}  // namespace

double vote_counts_sensitivity(int64_t queries, Norm norm) {
  require(queries >= 1, "there are {} queries, want at least 1", queries);
  require(norm == Norm::L1 || norm == Norm::L2, "votes are bounded in l1 and l2, not in {}", name(norm));
  const double moved = 2 * static_cast<double>(queries);
  return norm == Norm::L1 ? moved : std::sqrt(moved);
}

Bounded<IntegerMatrix<int64_t>> vote_counts(const Votes& votes, int32_t classes, Relation relation) {
  IntegerMatrix<int64_t> counts = counted(votes, classes, relation, 1);
  const double sensitivity = vote_counts_sensitivity(counts.rows(), Norm::L1);
  return Voucher::bounded(std::move(counts), {.amount = sensitivity, .norm = Norm::L1, .relation = relation});
}

Bounded<GridMatrix> vote_counts(const Votes& votes, int32_t classes, Relation relation, double step) {
  require(is_grid_step(step), "grid step is {}, want a power of two", step);
  GridMatrix counts{counted(votes, classes, relation, static_cast<int64_t>(1 / step)), step};
  const double sensitivity = vote_counts_sensitivity(counts.values.rows(), Norm::L2);
  return Voucher::bounded(std::move(counts), {.amount = sensitivity, .norm = Norm::L2, .relation = relation});
}

std::vector<Bounded<int32_t>> vote_winners(const Votes& votes, int32_t classes, Relation relation) {
  const IntegerMatrix<int64_t> counts = counted(votes, classes, relation, 1);
  std::vector<Bounded<int32_t>> winners;
  for (int64_t q = 0; q < counts.rows(); ++q) {
    int32_t best = 0;
    for (int32_t c = 1; c < classes; ++c) best = counts(q, c) > counts(q, best) ? c : best;
    winners.push_back(teacher_label(best, classes, relation));
  }
  return winners;
}

int64_t teacher_of(int64_t id, int64_t teachers) {
  require(id >= 0 && teachers >= 1, "id {} and {} teachers, want at least 0 and 1", id, teachers);
  // SplitMix64 (Steele, Lea and Flood 2014): ids that follow each other go to teachers that do not.
  uint64_t x = static_cast<uint64_t>(id) + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return static_cast<int64_t>((x ^ (x >> 31)) % static_cast<uint64_t>(teachers));
}

}  // namespace graphveil::bound
