// Whether two files hold the same graph. For the data holder alone: a hash of private data is private.
#pragma once

#include <array>
#include <string>

#include "graphveil/base/ranks.h"
#include "graphveil/base/secret.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::artifact {

// SHA-256, in hexadecimal, of what the graph is, of what its nodes have, and of their labels.
struct Fingerprint {
  std::string edges;
  std::string features;
  std::string labels;
  std::string ids;  // empty: the nodes have none

  bool operator==(const Fingerprint&) const = default;
};

// Of a graph that lies in parts: as they state it, see check_parts.
Fingerprint fingerprint(const graph::Dataset& data);
// As the parts of a graph state it (graph/dataset.h: HeldRows).
std::array<std::string, 4> lines_of(const Fingerprint& fingerprint);
// All ranks call it, each with its part. Throws BadInput on all of them unless together these are the graph that they
// state to be.
void check_parts(Ranks& ranks, const graph::Dataset& data);

// A secret of the holder's, without which a fingerprint cannot be compared with a guess.
using FingerprintKey = Secret;
FingerprintKey new_fingerprint_key();
// HMAC-SHA-256, in hexadecimal.
std::string keyed(const FingerprintKey& key, const std::string& text);
std::string keyed(const FingerprintKey& key, const Fingerprint& fingerprint);

std::string to_hex(const FingerprintKey& key);
// Throws BadInput, naming `what`, unless the text is such a key.
FingerprintKey key_from_hex(const std::string& text, const std::string& what);

}  // namespace graphveil::artifact
