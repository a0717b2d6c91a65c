// A run folder that was written before its line of results.jsonl.
#pragma once

#include <optional>
#include <string>

namespace graphveil::sweep {

// What `train --json` would have said of the run in this folder, as far as the folder tells; none: there is no such
// folder. Throws as reading JSON does.
std::optional<std::string> outcome_of_folder(const std::string& folder);

}  // namespace graphveil::sweep
