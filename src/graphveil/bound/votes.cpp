#include "graphveil/bound/votes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/bound/label.h"

namespace graphveil::bound {

namespace {

// A vote of teacher t counts one(t).
template <typename One>
IntegerMatrix<int64_t> counted_with(const Votes& votes, int32_t classes, Relation relation, One&& one) {
  require(!edge_level(relation), "votes hide records: relation {} is about edges", name(relation));
  require(!votes.empty() && classes >= 2, "{} teachers vote on {} classes, want at least 1 and 2", votes.size(),
          classes);
  const auto queries = static_cast<int64_t>(votes[0].size());
  IntegerMatrix<int64_t> counts(queries, classes);
  for (size_t t = 0; t < votes.size(); ++t) {
    const std::vector<int32_t>& of_teacher = votes[t];
    require(static_cast<int64_t>(of_teacher.size()) == queries, "a teacher has {} votes, another {}", of_teacher.size(),
            queries);
    for (int64_t q = 0; q < queries; ++q) {
      const int32_t vote = of_teacher[static_cast<size_t>(q)];
      if (vote == kNoVote) continue;
      require(vote >= 0 && vote < classes, "a vote is for class {} of {}", vote, classes);
      counts(q, vote) += one(t);
    }
  }
  return counts;
}

IntegerMatrix<int64_t> counted(const Votes& votes, int32_t classes, Relation relation, int64_t one) {
  return counted_with(votes, classes, relation, [one](size_t) { return one; });
}

void check_largest(double weight) {
  require(weight > 0 && weight < 1e6, "the largest weight is {}, want a number in (0, 1e6)", weight);
}

double maxima_sensitivity(int64_t queries, double largest) {
  require(queries >= 1, "there are {} queries, want at least 1", queries);
  check_largest(largest);
  return largest * std::sqrt(static_cast<double>(queries));
}

GridMatrix weighted(const Votes& votes, std::span<const double> weights, double largest, int32_t classes,
                    Relation relation, double step) {
  require(is_grid_step(step), "grid step is {}, want a power of two", step);
  require(weights.size() == votes.size(), "{} weights for {} teachers", weights.size(), votes.size());
  check_largest(largest);
  for (const double w : weights) require(w >= 0 && w <= largest, "a weight is {}, want one in [0, {}]", w, largest);
  return {counted_with(votes, classes, relation, [&](size_t t) { return static_cast<int64_t>(weights[t] / step); }),
          step};
}

}  // namespace

double vote_counts_sensitivity(int64_t queries, Norm norm) {
  require(queries >= 1, "there are {} queries, want at least 1", queries);
  require(norm == Norm::L1 || norm == Norm::L2, "votes are bounded in l1 and l2, not in {}", name(norm));
  const double moved = 2 * static_cast<double>(queries);
  return norm == Norm::L1 ? moved : std::sqrt(moved);
}

Bound vote_counts_bound(int64_t queries, Norm norm, source::TeacherReads teachers) {
  return Voucher::stated(source::Votes{queries, 1, teachers}, vote_counts_sensitivity(queries, norm), norm);
}

Bound weighted_vote_counts_bound(int64_t queries, double largest, source::TeacherReads teachers) {
  check_largest(largest);
  const double sensitivity = largest * vote_counts_sensitivity(queries, Norm::L2);
  return Voucher::stated(source::Votes{queries, largest, teachers}, sensitivity, Norm::L2);
}

Bound vote_maxima_bound(int64_t queries, double largest, source::TeacherReads teachers) {
  return Voucher::stated(source::VoteMaxima{queries, largest, teachers}, maxima_sensitivity(queries, largest),
                         Norm::L2);
}

Bounded<CountMatrix> vote_counts(const Votes& votes, int32_t classes, Relation relation) {
  CountMatrix counts{counted(votes, classes, relation, 1)};
  const double sensitivity = vote_counts_sensitivity(counts.values.rows(), Norm::L1);
  return Voucher::bounded(std::move(counts), {.amount = sensitivity, .norm = Norm::L1, .relation = relation});
}

Bounded<GridMatrix> vote_counts(const Votes& votes, int32_t classes, Relation relation, double step) {
  require(is_grid_step(step), "grid step is {}, want a power of two", step);
  GridMatrix counts{counted(votes, classes, relation, static_cast<int64_t>(1 / step)), step};
  const double sensitivity = vote_counts_sensitivity(counts.values.rows(), Norm::L2);
  return Voucher::bounded(std::move(counts), {.amount = sensitivity, .norm = Norm::L2, .relation = relation});
}

Bounded<GridMatrix> weighted_vote_counts(const Votes& votes, std::span<const double> weights, double largest,
                                         int32_t classes, Relation relation, double step) {
  GridMatrix counts = weighted(votes, weights, largest, classes, relation, step);
  const double sensitivity = largest * vote_counts_sensitivity(counts.values.rows(), Norm::L2);
  return Voucher::bounded(std::move(counts), {.amount = sensitivity, .norm = Norm::L2, .relation = relation});
}

Bounded<GridMatrix> vote_maxima(const Votes& votes, std::span<const double> weights, double largest, int32_t classes,
                                Relation relation, double step) {
  const GridMatrix counts = weighted(votes, weights, largest, classes, relation, step);
  const int64_t queries = counts.values.rows();
  GridMatrix maxima{IntegerMatrix<int64_t>(queries, 1), step};
  for (int64_t q = 0; q < queries; ++q) {
    for (int32_t c = 0; c < classes; ++c) maxima.values(q, 0) = std::max(maxima.values(q, 0), counts.values(q, c));
  }
  const double sensitivity = maxima_sensitivity(queries, largest);
  return Voucher::bounded(std::move(maxima), {.amount = sensitivity, .norm = Norm::L2, .relation = relation});
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
