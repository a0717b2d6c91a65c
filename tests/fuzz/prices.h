// Ledgers of every kind and nesting, priced.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace graphveil::fuzz {

// Every input is a ledger of a few events: its bytes choose kinds, nests and numbers, among them the ends of what is
// allowed. Its price must be a number, or a refusal in words.
void run_prices(Input input);
std::vector<std::string> price_seeds();

}  // namespace graphveil::fuzz
