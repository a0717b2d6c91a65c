// Which arithmetic a run is priced by.
#pragma once

#include <string_view>

namespace graphveil::account {

// Only `tight` accounting is a proof; `published` is the paper's own arithmetic.
enum class Accounting { Tight, Published };

// "tight", "published".
std::string_view name(Accounting accounting);
// Throws InvalidArgument for another word.
Accounting accounting_from_name(std::string_view name);

}  // namespace graphveil::account
