#include "graphveil/bound/votes.h"

#include <cmath>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::bound {

double vote_counts_sensitivity(int64_t queries) {
  require(queries >= 1, "there are {} queries, want at least 1", queries);
  return std::sqrt(2 * static_cast<double>(queries));
}

Bounded<GridMatrix> vote_counts(const std::vector<std::vector<int32_t>>& votes, int32_t classes, Relation relation,
                                double step) {
  require(!edge_level(relation), "votes hide records: relation {} is about edges", name(relation));
  require(!votes.empty() && classes >= 2, "{} teachers vote on {} classes, want at least 1 and 2", votes.size(),
          classes);
  require(is_grid_step(step), "grid step is {}, want a power of two", step);
  const auto queries = static_cast<int64_t>(votes[0].size());
  const double sensitivity = vote_counts_sensitivity(queries);
  const auto one = static_cast<int64_t>(1 / step);
  GridMatrix counts{IntegerMatrix<int64_t>(queries, classes), step};
  for (const std::vector<int32_t>& of_teacher : votes) {
    require(static_cast<int64_t>(of_teacher.size()) == queries, "a teacher has {} votes, another {}", of_teacher.size(),
            queries);
    for (int64_t q = 0; q < queries; ++q) {
      const int32_t vote = of_teacher[static_cast<size_t>(q)];
      if (vote == kNoVote) continue;
      require(vote >= 0 && vote < classes, "a vote is for class {} of {}", vote, classes);
      counts.values(q, vote) += one;
    }
  }
  return Voucher::bounded(std::move(counts), {.amount = sensitivity, .norm = Norm::L2, .relation = relation});
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
