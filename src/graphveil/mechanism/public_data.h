// A token that says why records may be read in the clear.
#pragma once

#include <string>
#include <utility>

#include "graphveil/bound/relation.h"

namespace graphveil::mechanism {

class Release;

// Training in the clear, and calling a value public, want one of these. Made for one of a few reasons, each of which
// the certificate can name.
class PublicData {
 public:
  // Features and labels are public under the edge relations. Throws InvalidArgument under node and record, unless the
  // release promises nothing.
  static PublicData under(const Release& release);
  // The user said so (`--public val`, a public graph); the certificate lists it as an assumption.
  static PublicData declared(std::string why) { return PublicData(std::move(why)); }

  const std::string& why() const { return why_; }

 private:
  explicit PublicData(std::string why) : why_(std::move(why)) {}
  std::string why_;
};

}  // namespace graphveil::mechanism
