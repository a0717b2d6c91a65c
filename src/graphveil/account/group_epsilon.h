// What a ledger costs somebody who is several of its entities at once.
#pragma once

#include <cstdint>

#include "graphveil/account/accountant.h"
#include "graphveil/account/ledger.h"

namespace graphveil::account {

// An epsilon that holds at `delta` for groups of at most `size` entities, where the ledger is priced for one.
//
// Guarantee: with e = drawn_epsilon(ledger, d) every mechanism of the ledger is (e, d)-indistinguishable between
// neighbors, so over a chain of `size` neighbors (size e, d (e^(size e) - 1) / (e^e - 1)) (Vadhan, "The complexity of
// differential privacy", Lemma 2.2). The least size * e of those d that were tried whose second number is at most
// `delta`; never below what one entity costs. Infinite where none is.
double group_epsilon(const Ledger& ledger, double delta, int64_t size, Accountant accountant = Accountant::Pld);

}  // namespace graphveil::account
