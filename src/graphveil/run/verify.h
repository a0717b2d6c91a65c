// Checking a certificate: the plan is made anew from the configuration, by the method's own code, and priced again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphveil/run/certify.h"
#include "graphveil/run/totals.h"

namespace graphveil::run {

struct Verdict {
  artifact::Certificate certificate;   // as found
  std::optional<double> epsilon;       // recomputed; none: no finite epsilon holds
  std::vector<std::string> reasons;    // why it does not hold
  std::vector<std::string> unchecked;  // what could not be checked, and why
  std::optional<LogReading> log = {};  // of a run folder that holds and has its log: what was spent in all
  bool holds() const { return reasons.empty(); }
  bool releasable() const { return holds() && certificate.releasable(); }
};

// The files beside a certificate, as bytes; absent ones are named in `unchecked`.
struct Evidence {
  std::optional<std::vector<uint8_t>> model = {}, config = {}, schema = {}, predictions = {}, signature = {};
  std::optional<std::string> public_key = {};  // PEM, Ed25519: whose signature is wanted
  std::optional<std::string> logged = {};      // the certificate's digest, as the holder's log of releases has it
};

// Rebuilds method, plan, noise, epsilon, statements, assumptions and words from the options and public numbers in the
// document, and names every difference. Never more lenient than the accountant. It finds accidents and edits; a forger
// who makes a consistent certificate for another run is found by the signature alone.
Verdict verify(const std::string& text, const Evidence& evidence, const std::string& what);

// A run folder, its release/ (or draft/) folder alone, or a certificate.json alone. Of a folder everything in it is
// judged: the files that the certificate names, the page for people, which must say what it says, that nothing else
// lies there, and the holder's log. A holder/ that this user may not read is as good as absent, and said to be. Throws
// Io or BadInput when it cannot be read.
Verdict verify_path(const std::string& path, const std::optional<std::string>& public_key = std::nullopt);

// The same without a look at what the certificate does not name: whether a model may be used.
Verdict verify_files(const std::string& path, const std::optional<std::string>& public_key = std::nullopt);

// Where the certificate of such a path lies. Throws BadInput for a folder with both release/ and draft/.
std::string certificate_path(const std::string& path);

}  // namespace graphveil::run
