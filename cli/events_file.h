// Reading the events file of `account` and `calibrate`.
#pragma once

#include <string>
#include <vector>

#include "graphveil/account/event_json.h"

namespace graphveil::cli {

// Throws Io when the path cannot be read, BadInput naming the file, the line and the field.
account::AccountFile read_events(const std::string& path);

// Several files, composed in this order; `delta` is there when all name the same.
account::AccountFile read_events(const std::vector<std::string>& paths);

}  // namespace graphveil::cli
