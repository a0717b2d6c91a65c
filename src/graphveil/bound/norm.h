// The norms in which a sensitivity is stated.
#pragma once

#include <string_view>

namespace graphveil::bound {

enum class Norm {
  L1,
  L2,
  LInf,     // any one entry
  Hamming,  // the number of entries that differ
};

// "L1", "L2", "LInf", "Hamming".
std::string_view name(Norm norm);
// The inverse of name(). Throws InvalidArgument for anything else.
Norm norm_from_name(std::string_view name);

}  // namespace graphveil::bound
