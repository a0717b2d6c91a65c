// The noise on teachers' votes. Votes are whole numbers, so several mechanisms will do.
#pragma once

#include <cstdint>

#include "graphveil/bound/source.h"
#include "graphveil/mechanism/plan.h"

namespace graphveil::method {

// Log-odds of labels that are given out as they are: no finite epsilon.
inline constexpr double kUnchanged = 1e6;

enum class VoteNoise {
  Gaussian,            // on every count: one release of all queries, L2 sensitivity sqrt(2 queries)
  DiscreteLaplace,     // on every count, query by query: L1 sensitivity 2 of each
  RandomizedResponse,  // of the class with most votes, query by query
};

// The line that a run with this noise releases; `noise` is the multiplier, of randomized response 1 / log-odds.
mechanism::PlanLine vote_line(VoteNoise kind, double noise, const char* label, int64_t queries, int64_t classes,
                              bound::source::TeacherReads teachers);
// For how many queries a line of votes, of their maxima or of labels was made. Throws Internal for any other.
int64_t queries_of(const mechanism::PlanLine& line);

// The standard deviation of the noise on a count of votes; 0 for randomized response, which has none.
double vote_noise_stddev(const mechanism::PlanLine& line);

// The best with each calibrated to (epsilon, delta): on counts the noise of the least variance, or randomized response
// where that is likelier to give out a class for which all `teachers` vote. (A discrete Gaussian never is the best: its
// price, by zCDP, is above that of the Gaussian on a grid, which is exact.)
VoteNoise best_vote_noise(int64_t queries, int64_t classes, int64_t teachers, double epsilon, double delta);

}  // namespace graphveil::method
