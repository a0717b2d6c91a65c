// JSON from files that strangers wrote.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace graphveil {

inline constexpr int kDeepestJson = 64;

// Parses one document. Throws BadInput, with `what` (a path, usually) in front, on anything that is not JSON, on a byte
// of value 0, where some readers stop, on nesting deeper than kDeepestJson, and on an object that names a field twice,
// where readers would disagree which one counts.
nlohmann::json parse_strict_json(std::string_view text, const std::string& what);

}  // namespace graphveil
