// What a certificate says, for somebody who knows neither the method nor the mathematics: its first page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graphveil/artifact/certificate.h"

namespace graphveil::artifact {

// Text as it is: whoever writes it into a page escapes it.
struct PlainWords {
  std::vector<std::pair<std::string, std::string>> about;   // what the holder declared: "Data", "Answers for it" ...
  std::string status;                                       // one sentence: may it leave?
  std::vector<std::pair<std::string, std::string>> points;  // a question, and its answer. None without a guarantee
  std::vector<std::string> assumed;                         // what must be true for all of it
};

// Guarantee: says no more than the certificate's statements and assumptions do (docs/guarantees.md); names no method
// and no hash. Claims nothing for a certificate that is not valid, and nothing about sharing for one that is not
// releasable.
PlainWords plain_words(const Certificate& certificate);

}  // namespace graphveil::artifact
