// Several statements from one ledger: the same noise says how well a node of any degree, and one friendship, is hidden.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/method/method.h"

namespace graphveil::run {

// The epsilon that holds for a ledger at this delta; none where no finite one does.
std::optional<double> proved_epsilon(const account::Ledger& ledger, double delta);
// The same for many at once, on all threads.
struct Priced {
  account::Ledger ledger;
  double delta;
};
std::vector<std::optional<double>> proved_epsilons(std::span<const Priced> asked);

// The plan's lines as they cost a node with `degree` outgoing edges under node; none where a line says nothing about
// other degrees. By what a line releases:
//   neighbor-sum               sqrt(degree) messages in place of those it was made for; nothing for degree 0
//   gradients, one-hop         1 + degree samples in place of those it was made for
//   gradients, many-hops; votes and labels of teachers that read many hops; edges and counts of them   none
//   all others                 as it is: one record does the same whatever its degree
std::optional<account::Ledger> ledger_at_degree(const mechanism::Plan& plan, int64_t degree);

// The plan's lines as they cost one undirected edge, both of its directions, where they were made for `relation`; none
// where a line says nothing about it.
//   neighbor-sum, neighbor-counts  two messages, one in each of two rows
//   gradients, one-hop             two samples changed
//   gradients, many-hops; votes and labels of teachers that read many hops   none
//   edge-count, edge-cells         as it is under undirected-edge, else none
//   rows, picks and values of PageRank; votes of teachers that read a part   as it is: no more than a record
//   all others                     nothing: no edge is read
std::optional<account::Ledger> ledger_of_friendship(const mechanism::Plan& plan, const method::Setting& setting);

// All that is stated for a run: its parameters, its predictions, the parameters by class of records and by degree (0,
// k/4, k, 4k, 16k), one friendship, and with `entity` more than 1 both for people who are that many nodes.
std::vector<artifact::Statement> statements(const method::Method& method, const mechanism::Plan& plan,
                                            const method::Setting& setting, double delta, bool predictions_covered,
                                            int64_t entity = 1);

}  // namespace graphveil::run
