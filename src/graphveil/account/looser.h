// Simpler ledgers that cost no less: for bounds that a ledger's own distributions miss, and for long ledgers.
#pragma once

#include <cstddef>
#include <optional>

#include "graphveil/account/summary.h"

namespace graphveil::account {

// Every poisson-group line of at least this rate as if all its samples were drawn, always: a Gaussian that moves by
// deletions + insertions. The mixtures' components, coupled in any way, are no further apart than that, and the
// hockey-stick divergence is jointly convex. Empty when there is no such line.
std::optional<Summary> with_whole_groups(const Summary& summary, double from_rate);

// At most `most` different releases, in nests and searches too: releases that are alike are joined, each counted with
// the least noise, the largest rate and the largest group among them. The summary itself where there are no more.
Summary joined(const Summary& summary, size_t most);

// How many different samples of whole mechanisms there are, at all levels; and different releases, likewise.
size_t nests(const Summary& summary);
size_t different_releases(const Summary& summary);

}  // namespace graphveil::account
