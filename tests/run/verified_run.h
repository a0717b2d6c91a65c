// Run folders whose certificate is edited and verified again, shared by the tests of verification.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/run/verify.h"
#include "tests/run/small_run.h"

namespace graphveil::run {

// Gives an edited document the digest it would have, as a forger would.
inline std::string resealed(nlohmann::json document) {
  document.erase("digest");
  document["digest"] = sha256_text(document.dump());
  return document.dump(2);
}

inline std::string reasons_of(const Verdict& verdict) { return fmt::format("{}", fmt::join(verdict.reasons, "; ")); }
inline std::string unchecked_of(const Verdict& v) { return fmt::format("{}", fmt::join(v.unchecked, "; ")); }

inline std::vector<uint8_t> bytes(const std::string& text) { return {text.begin(), text.end()}; }

class VerifiedRun : public SmallRun {
 protected:
  // With the model and the options of the run beside it.
  Verdict verify_edited(const std::string& text) const {
    Evidence evidence;
    evidence.model = artifact::read_file(path(given(), artifact::kModel));
    evidence.config = artifact::read_file(path(given(), artifact::kConfig));
    return verify(text, evidence, "c.json");
  }
  nlohmann::json document() const { return nlohmann::json::parse(read(given(), artifact::kCertificate)); }
};

}  // namespace graphveil::run
