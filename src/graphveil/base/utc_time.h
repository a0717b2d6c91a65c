// The time of day, as documents have it.
#pragma once

#include <string>

namespace graphveil {

// "2026-11-16T14:05:36Z"
std::string utc_now();

}  // namespace graphveil
