// A token that says why records may be read in the clear.
#pragma once

#include <string>
#include <utility>

#include "graphveil/bound/relation.h"

namespace graphveil::run {
class Declared;
}

namespace graphveil::mechanism {

class Release;

// Training in the clear, and calling a value public, want one of these. There are two kinds of reasons: the relation,
// under which records are public or nothing is promised at all, and the user's word, which run/ alone takes and which
// then is among the assumptions of the certificate. A token says nothing about the value that it is used for: that the
// value really was made from the public data is for the reader of the code, and for the neighbor harness, to see.
class PublicData {
 public:
  // Features and labels are public under the edge relations. Throws InvalidArgument under node and record, unless the
  // release promises nothing.
  static PublicData under(const Release& release);
  const std::string& why() const { return why_; }

 private:
  friend class ::graphveil::run::Declared;
  explicit PublicData(std::string why) : why_(std::move(why)) {}
  std::string why_;
};

}  // namespace graphveil::mechanism
