// People who join the graph that a run was trained on, with their edges: predictions about them alone, which the
// training has paid for.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "graphveil/artifact/certificate.h"
#include "graphveil/budget/spend_log.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/mechanism/plan.h"

namespace graphveil::run {

// Why the training of this certificate has not paid for predictions about newcomers that release `asking`; none: it
// has.
//
// Guarantee: relation node. `asking` consists of sums over neighbors with Gaussian noise of standard deviation s
// sqrt(k) R on rows of norm at most R, and the training released the same lines. Let G be the union of the graph that
// was trained on and of all that were shown since: an edge counts also when a later graph lacks it. Let the rows of
// each node be released once: at the training, from the edges among those who were there, or when it joined, from the
// edges into newcomers. A node w of d outgoing edges in G sends its messages to at
// most d rows in all, each time of norm at most R. For the pair that differs in w the releases of one round are
// Gaussian mechanisms of mu^2 = d_i / (k s^2) with sum d_i <= d, which compose to sqrt(d / k) / s: the training's line
// at degree d, and for d <= k no more than the line as it is. Later messages may read what was released before. All
// other lines of the training read none of this. For one friendship: each of its directions is in one row, so two
// messages at most. What fails here is refused: weights that read degrees and lists that are cut to size (record),
// other noise, samples of records, searches, and predictions that are covered under another relation than the
// parameters.
std::optional<std::string> why_no_joining(const artifact::Certificate& certificate, const mechanism::Plan& asking);

// Whose rows were released: those of the nodes in `trained`, the predictions made with the model, and of all who joined
// since.
std::set<std::string> known_people(const std::string& trained, std::span<const budget::Spending> entries);

// The nodes of the data that are not known, and what they are called.
struct Newcomers {
  std::vector<int32_t> places;
  std::vector<std::string> ids;
};
Newcomers newcomers(const graph::Dataset& data, const std::set<std::string>& known);

// The same nodes with the edges into these places alone.
graph::Graph edges_into(const graph::Graph& graph, std::span<const int32_t> places);

}  // namespace graphveil::run
