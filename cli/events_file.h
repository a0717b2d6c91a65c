// Reading the events file of `account` and `calibrate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/account/event_json.h"

namespace graphveil::cli {

struct EventsFile {
  account::Ledger ledger;
  std::optional<double> delta;
  std::string protects;  // of a certificate: relation and degree; empty for plain lists
};

// Throws Io when the path cannot be read, BadInput naming the file, the line and the field, or saying why a certificate
// does not hold.
EventsFile read_events(const std::string& path);

// Several files, composed in this order; `delta` is there when all name the same. Throws InvalidArgument for
// certificates that protect different things.
EventsFile read_events(const std::vector<std::string>& paths);

}  // namespace graphveil::cli
