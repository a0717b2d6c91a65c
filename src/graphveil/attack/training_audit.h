// Lower bounds on epsilon of whole trainings: many with a canary, many without.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/attack/canary.h"
#include "graphveil/attack/mechanism_audit.h"
#include "graphveil/run/parts.h"

namespace graphveil::attack {

struct TrainingAuditOptions {
  double confidence = 0.999;
  int64_t models = 1000;  // on each side
  Seed seed = Seed::from_number(0);
};

// What is claimed for a canary of this kind, from the statements of the run's plan; infinite: nothing is.
double claimed_epsilon(const run::Prepared& prepared, const CanaryPair& canary);

// Trains `models` times on either graph and tells the two sides apart by what the audience of the guarantee sees: the
// public model, what it says about every node when the adversary runs it on the graph that he knows, public
// predictions or those of everybody but the canary, and all that left through noise but for the canary's own row. A
// direction is learned on the first third of the models, the threshold on the second, the bound on the last.
AuditRow audit_training(const run::Prepared& prepared, const run::Parts& parts, const CanaryPair& canary,
                        const TrainingAuditOptions& options);

// The canary's node: the first of the training set.
int32_t canary_node(const run::Parts& parts);

}  // namespace graphveil::attack
