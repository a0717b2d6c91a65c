// Checking a certificate from its events alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/report/certificate.h"

namespace graphveil::report {

struct Verdict {
  Certificate certificate;           // as found
  std::optional<double> epsilon;     // recomputed from the lines; none: no finite epsilon holds
  std::vector<std::string> reasons;  // why it does not hold
  bool holds() const { return reasons.empty(); }
};

// Recomputes epsilon from the lines and compares it with what the certificate claims, checks that noise and
// sensitivity fit each line, that the text was not edited, that this version of the program wrote it, and that
// `model` (the bytes of the model file) has the hash it names.
//
// Never more lenient than the accountant: a claimed epsilon below the recomputed one does not hold.
Verdict verify(const nlohmann::json& document, std::span<const uint8_t> model, const std::string& what);

// The same for a run folder with certificate.json and model.safetensors. Throws Io or BadInput when they cannot be
// read.
Verdict verify_run(const std::string& folder);

}  // namespace graphveil::report
