// The words in which a method states its guarantee.
#pragma once

#include <string_view>

namespace graphveil::method {

// What the guarantee speaks about.
enum class Covers {
  ParametersAndPredictions,
  Parameters,  // inference reads neighbors' raw rows or edges
};
// "parameters and predictions", "parameters".
std::string_view name(Covers covers);
Covers covers_from_name(std::string_view name);

// Only `tight` accounting is a proof; `published` is the paper's own arithmetic.
enum class Accounting { Tight, Published };
// "tight", "published".
std::string_view name(Accounting accounting);
Accounting accounting_from_name(std::string_view name);

}  // namespace graphveil::method
