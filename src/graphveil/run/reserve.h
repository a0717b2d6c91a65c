// Predictions on other graphs that are paid for with the training (--predictions): planned, priced and counted once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/run/experiment.h"

namespace graphveil::run {

// What the reserved predictions will release with this noise: the lines of the method's inference plan, under labels
// that begin with `later `, as often as --predictions says. Empty without it, and where predicting releases nothing.
mechanism::Plan reserved_plan(const Prepared& prepared, double noise);
// Throws InvalidArgument where a reserve has no proof.
void check_reserve(const Prepared& prepared);

// A training's plan and what is reserved with it: what a certificate speaks of.
mechanism::Plan with_reserve(mechanism::Plan training, const mechanism::Plan& reserved);
// The two again.
mechanism::Plan training_part(const mechanism::Plan& plan);
mechanism::Plan reserved_part(const mechanism::Plan& plan);

// How many predictions a certificate's plan has room for.
int64_t reserved_predictions(const artifact::Certificate& certificate);

// What training and so many predictions on other graphs of the same people cost together.
struct LaterCost {
  int64_t predictions = 0;
  bool reserved = false;          // paid for already
  std::optional<double> epsilon;  // none: no finite epsilon holds
};

// What becomes of predictions on other graphs.
struct LaterPredictions {
  enum class Kind {
    NotCovered,  // they are the holder's, or nothing is promised
    Free,        // they read a node's own record and the model
    Charged,     // each adds noise to what it reads, and composes
  };
  Kind kind = Kind::NotCovered;
  int64_t reserved = 0;
  // With a reserve: none, the first few, the last that is reserved and what comes after.
  std::vector<LaterCost> table = {};
};
LaterPredictions later_predictions(const Prepared& prepared, const artifact::Certificate& certificate);

// The methods whose predictions about another graph cost nothing and are covered under this relation.
std::vector<std::string> free_predictors(bound::Relation relation);

}  // namespace graphveil::run
