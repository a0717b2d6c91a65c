// How strong what a line releases can be against its noise, from public numbers alone: for warnings before a run.
#pragma once

#include <cstdint>

#include "graphveil/mechanism/plan.h"

namespace graphveil::mechanism {

// Below this no training, sum or vote was seen to teach more than a few points above the most frequent class: read off
// single runs of mlp-dp, progap-ndp and pate-m on cora and amazon_photo.
inline constexpr double kDrowned = 1.25;
// Below this sums over neighbors did not help more than they cost, as contact_strength says it: read off lap beside
// mlp-dp, relation node, on cora, amazon_photo and Rutgers89 (docs/methods/auto.md).
inline constexpr double kDrownedContacts = 1.5;

// All the clipped gradients of a training, of `samples` in one pass and pointing one way, over the length of all its
// noise in `parameters` directions: sqrt(steps) rate samples / (multiplier sqrt(parameters)). Infinite without noise.
// Throws Internal for a line that releases no gradients.
double training_strength(const PlanLine& line, double samples, double parameters);

// The sum of `messages` rows of norm 1 and this width that agree, over the length of a row's noise. Infinite without
// noise. Throws Internal for a line that releases no sums over neighbors.
double sum_strength(const PlanLine& line, double messages, double width);

// How far the sums, or counts, of a node whose `contacts` neighbors are all of one class stand from those of a node
// whose neighbors are all of another, over the noise in that direction: sqrt(2 R) contacts / deviation, where R
// releases of the same have noise of their own. Infinite without noise. Throws Internal for a line that releases
// neither.
double contact_strength(const PlanLine& line, double contacts);

// The lead of a class that all of `teachers` vote for, over the noise on the difference of two counts, where a student
// learns each of `classes` from its share of the queries. Answers by randomized response: the lead in probability of
// the right label. Infinite without noise. Throws Internal for a line that releases neither votes nor labels.
double vote_strength(const PlanLine& line, double teachers, double classes);

}  // namespace graphveil::mechanism
