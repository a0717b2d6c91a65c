// The certificate of a run: what was released about private records, and the guarantee that follows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/account/accounting.h"
#include "graphveil/bound/relation.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/mechanism/plan.h"
#include "graphveil/mechanism/public_facts.h"

namespace graphveil::artifact {

using account::Accounting;

struct EpsilonAt {
  double delta = 0;
  std::optional<double> epsilon;  // none: no finite epsilon holds

  bool operator==(const EpsilonAt&) const = default;
};

// For neighbors in `relation`, what `audience` sees of `what` is (epsilon, delta)-indistinguishable. At node level this
// is joint: with the owner outputs of everybody but the node that differs.
struct Statement {
  mechanism::Audience audience = mechanism::Audience::Public;
  std::string what;  // "parameters", "predictions"; of a class of records "parameters, records with ..."
  bound::Relation relation = bound::Relation::Node;
  std::optional<int64_t> degree;  // outgoing edges of the node; none: every degree, or a relation of edges
  std::optional<double> epsilon;  // none: no finite epsilon holds
  double delta = 0;

  bool operator==(const Statement&) const = default;
};

// Where a budget book has the run: entry `entry`, after which its chain had this hash.
struct BookMark {
  std::string book;  // its id
  int64_t entry = 0;
  std::string hash;
  // What the book had then, this run included, under the certificate's own relation and degree; none: its cap is for
  // others.
  std::optional<double> spent = std::nullopt;
  double spent_delta = 0;

  bool operator==(const BookMark&) const = default;
};

// What run/certify.h makes of a run.
struct Certificate {
  std::string version;  // of the program
  std::string method;
  std::string created;                                      // date and time, UTC
  std::vector<std::pair<std::string, std::string>> config;  // every option of the run
  bound::Relation relation = bound::Relation::Node;
  int64_t protect_degree = 0;
  mechanism::PublicFacts facts;  // what the plan was made from
  Accounting accounting = Accounting::Tight;
  double noise = 0;  // the knob of the method's plan
  mechanism::Plan plan;
  double delta = 0;
  std::optional<double> epsilon;            // proved for the plan; none: no finite epsilon holds
  std::vector<EpsilonAt> epsilon_at;        // the same for other deltas
  double sampler_epsilon = 0;               // what of it is for samplers that are right to a factor (account/drawn.h)
  std::optional<double> published_epsilon;  // what the paper's arithmetic gives, in published mode
  std::vector<Statement> statements;
  std::vector<std::string> reasons;         // why it is not valid; empty when it is
  std::vector<std::string> not_releasable;  // why it is not releasable; empty when it is
  std::vector<std::string> assumptions;
  std::vector<std::string> remarks;        // what the method says about its own guarantee
  std::vector<std::string> found_in_data;  // what was taken from private records before the run: assumed to be public
  std::string schema_sha256;               // of the declared schema; empty: there is none
  std::vector<std::string> class_names, feature_names;  // as that schema has them
  bool reproducible_seed = false;
  std::string model_sha256, config_sha256;
  std::string predictions_sha256;  // of those that may be published; empty where there are none
  std::string data_fingerprint;    // keyed: the key is the holder's
  std::optional<BookMark> budget;  // of a run under a budget book

  bool valid() const { return reasons.empty() && epsilon.has_value() && accounting == Accounting::Tight; }
  bool releasable() const { return valid() && not_releasable.empty(); }
};

// Whom the certificate's statements let see predictions: the holder alone where none speaks of them.
mechanism::Audience prediction_audience(const Certificate& certificate);
// The part of the run folder (artifact/layout.h) where what is for this audience lies. Nothing of a run that is not
// releasable lies in release/.
const char* part_of(const Certificate& certificate, mechanism::Audience audience);

// With a digest of everything else, so that an accident shows.
nlohmann::ordered_json to_json(const Certificate& certificate);
// `what` names the document in errors. Throws BadInput. Does not judge: see run/verify.h.
Certificate certificate_from_json(const nlohmann::json& document, const std::string& what);
// Whether the digest in the document fits the rest of it.
bool digest_fits(const nlohmann::json& document);

}  // namespace graphveil::artifact
