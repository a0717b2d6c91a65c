#include "graphveil/base/utc_time.h"

#include <ctime>

#include <fmt/chrono.h>

namespace graphveil {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace graphveil
