// What a report shows of the files that `attack --out` and `audit --out` write.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace graphveil::report {

// Curves over the repeats, at rates that are dense where few are accused, with what (epsilon, delta) allows
// (attack/allowed_roc.h) where the guarantee is about what the attack asks. `what` names the file in errors. Throws
// BadInput, naming the field.
nlohmann::ordered_json attack_section(const nlohmann::json& document, const std::string& what);

// Claims with their lower bounds. Throws BadInput, naming the field.
nlohmann::ordered_json audit_section(const nlohmann::json& document, const std::string& what);

}  // namespace graphveil::report
