// Ledgers with other noise in them.
#pragma once

#include <functional>

#include "graphveil/account/ledger.h"

namespace graphveil::cli {

// Every mechanism of the ledger replaced; nests keep their shape.
using Change = std::function<account::Mechanism(const account::Mechanism&)>;
account::Ledger changed(const account::Ledger& ledger, const Change& change);

// The noise times `factor`: multipliers grow, ranges and log-odds shrink.
account::Mechanism scaled(const account::Mechanism& mechanism, double factor);

// The noise to so many digits, never less of it: multipliers are rounded up, ranges and log-odds down.
account::Mechanism rounded(const account::Mechanism& mechanism, int digits);
double rounded_up(double x, int digits);

}  // namespace graphveil::cli
