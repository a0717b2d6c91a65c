// A plan as JSON: its lines with what each releases, the sample of records, the trials.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/mechanism/plan.h"

namespace graphveil::artifact {

// The fields `lines`, `record_rate` and, of a plan that searches, `trials`.
nlohmann::ordered_json to_json(const mechanism::Plan& plan);

// The plan of an object that has these fields, and may have others. Throws BadInput, naming `what` (the document).
mechanism::Plan plan_from_json(const nlohmann::json& document, const std::string& what);

}  // namespace graphveil::artifact
