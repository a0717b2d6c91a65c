// A report's first lines, for a terminal.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace graphveil::report {

// A few lines on each part of the document, the guarantee first. Control characters of names are left out.
std::string summary_text(const nlohmann::ordered_json& document);

}  // namespace graphveil::report
