// Whether two files hold the same graph. For the data holder alone: a hash of private data is private.
#pragma once

#include <string>

#include "graphveil/graph/dataset.h"

namespace graphveil::report {

// SHA-256, in hexadecimal, of what the graph is and of what its nodes have.
struct Fingerprint {
  std::string edges;
  std::string features;

  bool operator==(const Fingerprint&) const = default;
};

Fingerprint fingerprint(const graph::Dataset& data);

}  // namespace graphveil::report
