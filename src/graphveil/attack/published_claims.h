// Claims of papers that do not hold, put to the test on the mechanism that each paper argues about.
#pragma once

#include <vector>

#include "graphveil/attack/mechanism_audit.h"

namespace graphveil::attack {

// The papers' claims at this epsilon and delta, each with the noise that the paper's formula gives:
//   GAP      neighbor sums of two hops have sensitivity 1; an undirected edge moves two rows
//   PrivGNN  a noisy posterior has L1 sensitivity 1; one record moves a label from one vertex to another, by 2
//   DP-GPL   a count of votes has sensitivity 1; one teacher moves two counts
//   DPAR     sampling at rate q' turns epsilon into q' epsilon; it turns it into ln(1 + q' (e^epsilon - 1))
std::vector<AuditRow> audit_published_claims(double epsilon, double delta, const AuditOptions& options);

// Audits what the paper of a method in published mode argues about, where that is not what the method releases:
// PrivGNN's proof is about noisy posteriors, of which only the label leaves.
std::vector<AuditRow> audit_as_argued(const run::Prepared& prepared, const AuditOptions& options);

// A posterior with Laplace noise of scale 1 / inverse_scale in every entry, `queries` times, on Poisson samples.
std::unique_ptr<Game> noisy_posterior_game(double inverse_scale, double rate, int64_t queries);

}  // namespace graphveil::attack
