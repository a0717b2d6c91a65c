// What a line releases, as JSON: {"kind": "votes", "queries": 100, "weight": 1.0, "teachers": "own-part"}.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/bound/source.h"

namespace graphveil::artifact {

nlohmann::ordered_json to_json(const bound::Source& source);

// The inverse. Throws BadInput, naming `what` (the document), for a kind that there is not, a number that is missing or
// out of range, and a field that the kind does not have.
bound::Source source_from_json(const nlohmann::json& entry, const std::string& what);

}  // namespace graphveil::artifact
