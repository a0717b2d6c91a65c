// Whether anything is left of what a plan releases under its noise: one answer for warnings, `advise` and `auto`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/run/experiment.h"

namespace graphveil::run {

// How many contacts a person is taken to have where nobody said: kAssumedDegree, or half of --protect-degree where that
// is less.
inline constexpr double kAssumedDegree = 10;
double assumed_degree(bound::Relation relation, int64_t protect_degree);
// What the method itself was told (--mean-degree); none: nothing, or it does not ask.
std::optional<double> declared_degree(const Experiment& experiment);

// How strong what a plan releases can be against its noise, at most: if all of it agreed. Infinite without noise.
struct Signals {
  std::optional<double> features;  // of the weakest training, of the size of a linear softmax where the method does not
                                   // tell its own; none: there is no noisy one
  std::optional<double> contacts;  // of the weakest sum or count over the neighbors of a node; none: there is none
};
// From public numbers alone. Without a mean degree the assumed one is taken.
Signals signals_of(const Prepared& prepared, const std::optional<double>& mean_degree);

enum class Signal { Features, Contacts };
// Below this nothing, or nothing that is worth its price, was seen to be learned.
double drowned_below(Signal signal);
// "drowned", "weak" (below three times drowned_below), "clear".
const char* signal_word(Signal signal, double strength);
bool contacts_drowned(const Signals& signals);
// "features 370 (clear), contacts 0.12 (drowned)"; empty: neither is known.
std::string signals_text(const Signals& signals);

// What to say before a run of which a part will be lost in noise: the method's own warnings, and one where the
// contacts that were declared will say too little.
std::vector<std::string> drowned_warnings(const Prepared& prepared);

}  // namespace graphveil::run
