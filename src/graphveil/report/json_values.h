// Values as a report's document has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace graphveil::report {

// Five decimals: more than any interval of a score has.
double rounded_score(double value);

// null where there is none; of a number also where it is not finite.
nlohmann::ordered_json or_null(const std::optional<double>& value);
nlohmann::ordered_json or_null(const std::optional<int64_t>& value);
nlohmann::ordered_json or_null(const std::optional<std::string>& value);

}  // namespace graphveil::report
