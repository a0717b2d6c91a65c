// The certificate of a run: what was released about private records, and the guarantee that follows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "graphveil/bound/relation.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/guarantee.h"
#include "graphveil/method/method.h"

namespace graphveil::report {

using method::Accounting;
using method::Covers;

struct EpsilonAt {
  double delta = 0;
  std::optional<double> epsilon;  // none: no finite epsilon holds

  bool operator==(const EpsilonAt&) const = default;
};

struct Certificate {
  std::string version;  // of the program
  std::string method;
  bound::Relation relation = bound::Relation::Node;
  Covers covers = Covers::Parameters;
  Accounting accounting = Accounting::Tight;
  std::vector<std::string> reasons;  // why it is not valid; empty when it is
  std::optional<double> epsilon;     // proved for the lines below; none: no finite epsilon holds
  double delta = 0;
  std::vector<EpsilonAt> epsilon_at;        // the same for other deltas
  std::optional<double> published_epsilon;  // what the paper's arithmetic gives, in published mode
  std::vector<mechanism::SpentLine> lines;
  double noise = 0;           // the knob of the method's plan, to predict on other graphs
  method::PublicFacts facts;  // what the plan was made from
  std::vector<std::string> assumptions;
  std::vector<std::string> remarks;  // what the method says about its own guarantee
  bool reproducible_seed = false;
  std::string model_sha256;

  bool valid() const { return reasons.empty() && epsilon.has_value() && accounting == Accounting::Tight; }
  account::Ledger ledger() const;
  bool operator==(const Certificate&) const = default;
};

// Fills version, epsilon and epsilon_at from the lines, and the assumption that a reproducible seed brings.
void price(Certificate& certificate);

// With a digest of everything else, so that an edit shows.
nlohmann::ordered_json to_json(const Certificate& certificate);
// `what` names the document in errors. Throws BadInput. Does not judge: see verify.h.
Certificate certificate_from_json(const nlohmann::json& document, const std::string& what);
// Whether the digest in the document fits the rest of it.
bool digest_fits(const nlohmann::json& document);

// The guarantee in plain words, a few lines.
std::string in_words(const Certificate& certificate);

}  // namespace graphveil::report
