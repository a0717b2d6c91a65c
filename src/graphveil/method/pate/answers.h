// Noisy answers about public nodes from the votes of disjoint teachers: what every student of PATE learns from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/votes.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Noisy answers about public nodes: row i of `targets` (queries x classes) is higher for likelier classes.
struct Answers {
  std::vector<int32_t> queries;
  Matrix targets;
  double noise_stddev = 0;  // of each entry, where noise was added to it
  bool shares = false;      // rows are shares of the classes, to be learned as they are by a plain student
};

// What a student learns: the noisy shares of votes, or the class that has most.
enum class VoteTargets { Histogram, Argmax };

// Releases the votes through the line `label`, which vote_line made: as shares of the votes about their mean, or as
// rows onehot - 1 / classes.
Answers released_votes(const bound::Votes& votes, std::vector<int32_t> queries, VoteTargets targets, const char* label,
                       const Task& task, Release& release);
// Answers from counts that were released: `counts` of votes whose weights add up to `total`.
Answers answers_from_counts(Matrix counts, double noise_stddev, double total, std::vector<int32_t> queries,
                            VoteTargets targets);

// Ridge regression of the answers on the queries' rows of `nodes`: a head of width x classes.
Matrix ridge_head(const Answers& answers, const Matrix& nodes, double ridge);

// How many nodes of the pool are asked about: so many, or all. Throws InvalidArgument when there are not as many.
int64_t query_count(const std::optional<int64_t>& asked, const Setting& setting);

// The nodes of the pool that are asked about, `count` of them, chosen by the seed alone.
std::vector<int32_t> chosen_queries(const std::vector<int32_t>& pool, int64_t count, const Seed& seed);

// Rows onehot(label) - 1 / classes.
Matrix centered_onehot(const std::vector<int32_t>& labels, int32_t classes);

}  // namespace graphveil::method
