#include "graphveil/report/json_values.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace graphveil::report {

double rounded_score(double value) { return std::round(value * 1e5) / 1e5; }

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json or_null(const std::optional<int64_t>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json or_null(const std::optional<std::string>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace graphveil::report
