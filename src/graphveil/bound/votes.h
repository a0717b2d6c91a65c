// How many teachers vote for each class, with what one record can do to that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/bound/bounded.h"
#include "graphveil/bound/grid.h"

namespace graphveil::bound {

inline constexpr int32_t kNoVote = -1;

// votes[teacher][query], each a class or kNoVote.
using Votes = std::vector<std::vector<int32_t>>;

// Counts (queries x classes) of the votes.
//
// Guarantee: under node and record L1 sensitivity 2 queries and L2 sensitivity sqrt(2 queries). The records are split
// between the teachers by a rule that reads each record's public id alone, and no edge between two parts is read, so
// one record changes one teacher's votes: in every query one count falls by 1 and one rises by 1, or only one of the
// two. Holds at every degree. The votes must have been made in this way. Throws InvalidArgument for lists of different
// lengths, votes out of range, or a relation at edge level.
Bounded<CountMatrix> vote_counts(const Votes& votes, int32_t classes, Relation relation);
// Counts the votes with the L2 bound, on a grid of step `step`, a power of two; a step above 1 rounds every vote toward
// zero, to nothing.
Bounded<GridMatrix> vote_counts(const Votes& votes, int32_t classes, Relation relation, double step);

// Counts the votes where that of teacher t counts weights[t], rounded toward zero to the grid; weights lie in [0,
// largest].
//
// Guarantee: L2 sensitivity largest sqrt(2 queries); a record whose teacher weighs w moves it by w sqrt(2 queries).
// Teachers and weights must have been given out by a rule that reads each record by itself. Throws InvalidArgument
// besides for a weight out of range, or lists of different lengths.
Bounded<GridMatrix> weighted_vote_counts(const Votes& votes, std::span<const double> weights, double largest,
                                         int32_t classes, Relation relation, double step);

// The largest (weighted) count of every query (queries x 1), on a grid.
//
// Guarantee: L2 sensitivity largest sqrt(queries): one teacher moves each maximum by at most its weight.
Bounded<GridMatrix> vote_maxima(const Votes& votes, std::span<const double> weights, double largest, int32_t classes,
                                Relation relation, double step);

// The sensitivities stated above; norm is L1 or L2.
double vote_counts_sensitivity(int64_t queries, Norm norm);
// The same for the lines of plans; `teachers` says what those who vote read.
Bound vote_counts_bound(int64_t queries, Norm norm, source::TeacherReads teachers);
Bound weighted_vote_counts_bound(int64_t queries, double largest, source::TeacherReads teachers);
Bound vote_maxima_bound(int64_t queries, double largest, source::TeacherReads teachers);

// The class with most votes in every query, the first of several.
//
// Guarantee: each of these labels may be changed to any other by one record (Hamming sensitivity 1 of every one).
std::vector<Bounded<int32_t>> vote_winners(const Votes& votes, int32_t classes, Relation relation);

// The teacher in [0, teachers) that a record belongs to, by its public id.
int64_t teacher_of(int64_t id, int64_t teachers);

}  // namespace graphveil::bound
