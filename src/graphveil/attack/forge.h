// Forgeries of a run folder, each of which verification must find.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/run/verify.h"

namespace graphveil::attack {

struct Forgery {
  std::string what;
  bool repaired = false;  // the certificate's digest was made to fit again
  bool caught = false;
  std::string reason;  // the first, where it was caught
};

// Edits the certificate (less noise, fewer rounds, a smaller epsilon, another relation, a secret seed, ...), with and
// without its digest made to fit, and the files beside it, and asks verification about each. Nothing is written. Throws
// BadInput when the run does not verify to begin with. Not among these is what a signature alone can find: a consistent
// run that never was, or public numbers, such as of nodes, that no other number depends on.
std::vector<Forgery> forge(const std::string& certificate, const run::Evidence& evidence);

}  // namespace graphveil::attack
