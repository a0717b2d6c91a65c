// Reading the events file of `account` and `calibrate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/account/event_json.h"
#include "graphveil/run/totals.h"

namespace graphveil::cli {

struct EventsFile {
  account::Ledger ledger;
  std::optional<double> delta;
  std::optional<run::Covered> covered = {};  // of a certificate: for whom its price holds; none for plain lists
};

// Throws Io when the path cannot be read, BadInput naming the file, the line and the field, or saying why a certificate
// does not hold.
EventsFile read_events(const std::string& path);

// Several files, or run folders: of those their training and every prediction since. A graph that was declared disjoint
// in one run may be what another was trained on, so of several everything composes.
struct EventsFiles {
  account::Ledger ledger;             // of all, in this order
  std::optional<double> delta;        // where all name the same
  std::vector<run::Covered> covered;  // empty where none is a certificate; else of all: a plain list is taken to
                                      // be about whom the certificates beside it speak of
};
EventsFiles read_events(const std::vector<std::string>& paths);

}  // namespace graphveil::cli
