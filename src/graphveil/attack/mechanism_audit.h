// Lower bounds on epsilon of mechanisms, each run many times on its worst-case neighbors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/attack/epsilon_bound.h"
#include "graphveil/attack/game.h"
#include "graphveil/run/experiment.h"

namespace graphveil::attack {

struct AuditOptions {
  // The confidence of every lower bound. At 0.95 one audit in twenty of a tight claim would raise a false alarm.
  double confidence = 0.999;
  std::optional<int64_t> trials = std::nullopt;  // on each side; none: as many as `draws` allow
  double draws = 1.5e8;                          // numbers that one side may draw
  int64_t most_trials = 8'000'000;
  Seed seed = Seed::from_number(0);
};

// What is claimed, and what was found.
struct AuditRow {
  std::string what;
  double claimed = 0;  // infinite: nothing is
  double delta = 0;
  double confidence = 0;
  EpsilonBound bound;
  bool refuted() const { return bound.low > claimed; }
};

// Games whose releases are seen together, on a Poisson sample of the records at `record_rate`.
struct Claim {
  std::string what;
  std::vector<const Game*> games;
  double record_rate = 1;
  double epsilon = 0;
  double delta = 0;
};
AuditRow audit(const Claim& claim, const AuditOptions& options);

// Every line of a prepared experiment's plan by itself, against what the accountant says of it, and then the whole plan
// against what the experiment claims: its cap, or the paper's number where the accounting is the paper's. A plan that
// promises nothing has no rows.
std::vector<AuditRow> audit_plan(const run::Prepared& prepared, const AuditOptions& options);

// Every mechanism of graphveil by itself, with the noise that the accountant finds for (epsilon, delta); delta 0 where
// that is enough.
std::vector<AuditRow> audit_mechanisms(double epsilon, double delta, const AuditOptions& options);

}  // namespace graphveil::attack
