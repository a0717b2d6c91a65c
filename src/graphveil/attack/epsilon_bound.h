// A lower bound on epsilon from the scores of an attack.
#pragma once

#include <cstdint>
#include <span>

namespace graphveil::attack {

struct EpsilonBound {
  double low = 0;          // epsilon is at least this, with the confidence asked for; 0 says nothing
  double threshold = 0;    // of the score, chosen on the first half
  bool speaks_for = true;  // the event is "score >= threshold", a sign of presence; else "score <= threshold"
  int64_t hits = 0;        // of the event where it speaks for the truth, in the second half
  int64_t false_hits = 0;  // of the event where it does not
  int64_t trials = 0;      // on each side, in the second half
};

// Every event of an (epsilon, delta) mechanism has P(there) <= e^epsilon P(blank) + delta, and the same the other way.
// So an event with chances p on one side and q on the other shows epsilon >= ln((p - delta) / q). The event is a
// threshold of the score: which, and for which side it speaks, is chosen on the first half of the scores; p and q are
// bounded by Clopper and Pearson on the second half, each with error (1 - confidence) / 2. Both spans need at least 4
// scores; higher ones speak for presence. The scores of one side must be independent of each other.
EpsilonBound epsilon_bound(std::span<const float> there, std::span<const float> blank, double delta, double confidence);

}  // namespace graphveil::attack
