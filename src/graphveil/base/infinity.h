// Infinity, by a short name.
#pragma once

#include <limits>

namespace graphveil {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace graphveil
