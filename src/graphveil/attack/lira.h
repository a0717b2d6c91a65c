// The likelihood-ratio attack on members (Carlini et al. 2022).
#pragma once

#include <optional>

#include "graphveil/attack/member_model.h"
#include "graphveil/attack/roc.h"

namespace graphveil::attack {

struct LiraOptions {
  int64_t models = 32;           // each is attacked with all the others as shadows; at least 8
  std::optional<int64_t> shots;  // members of every class; none: half of the candidates
  Seed seed = Seed::from_number(0);
  int64_t others = 1;  // with shots: candidates of a class that are no members, for each that is
};

struct LiraResult {
  RocSummary members;  // one repeat for each model attacked
  int64_t candidates = 0;
};

// Every model trains on a random half of the candidates, or on `shots` of each class. A candidate's score in a model is
// the likelihood ratio of its logit-scaled confidence under two normal distributions, fitted to the other models that
// had it and those that had not (one variance for all where few had it). Models are trained in parallel.
LiraResult lira_attack(const run::Experiment& experiment, const Candidates& candidates, const LiraOptions& options);

// ln p / (1 - p) of the label's probability, from the probabilities themselves so that both ends stay apart.
double scaled_confidence(std::span<const Real> posterior, int32_t label);

}  // namespace graphveil::attack
