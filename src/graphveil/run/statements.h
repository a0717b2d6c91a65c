// Several statements from one ledger: the same noise says how well a node of any degree, and one friendship, is hidden.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/method/method.h"

namespace graphveil::run {

// The epsilon that holds for a ledger at this delta; none where no finite one does.
std::optional<double> proved_epsilon(const account::Ledger& ledger, double delta);

// The plan's lines as they cost a node with `degree` outgoing edges under node, where they were made for
// `protect_degree`; none where a line says nothing about other degrees.
//   own-records   as it is
//   neighbor-sum  sqrt(degree) messages in place of sqrt(protect_degree); nothing for degree 0
//   one-hop       1 + degree samples in place of 1 + protect_degree
std::optional<account::Ledger> ledger_at_degree(const mechanism::Plan& plan, int64_t degree, int64_t protect_degree);

// The plan's lines as they cost one undirected edge, both of its directions, where they were made for `relation`; none
// where a line says nothing about it.
//   own-records   nothing: no edge is read
//   neighbor-sum  two messages, one in each of two rows: sqrt(2)
//   one-hop       two samples changed
std::optional<account::Ledger> ledger_of_friendship(const mechanism::Plan& plan, const method::Setting& setting);

// All that is stated for a run: its parameters, its predictions, the parameters by class of records and by degree (0,
// k/4, k, 4k, 16k), and one friendship.
std::vector<artifact::Statement> statements(const method::Method& method, const mechanism::Plan& plan,
                                            const method::Setting& setting, double delta, bool predictions_covered);

}  // namespace graphveil::run
