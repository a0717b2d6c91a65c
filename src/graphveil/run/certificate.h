// The certificate of a run: what was released about private records, and the guarantee that follows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "graphveil/mechanism/plan.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/statements.h"

namespace graphveil::run {

inline constexpr std::string_view kPublicValidation =
    "the validation nodes' labels and features are public (--public val)";

struct EpsilonAt {
  double delta = 0;
  std::optional<double> epsilon;  // none: no finite epsilon holds

  bool operator==(const EpsilonAt&) const = default;
};

// Where the data's columns and classes come from.
struct DataOrigin {
  std::vector<std::string> found_in_data;               // what was taken from private records: assumed to be public
  std::string schema_sha256;                            // of the schema that was declared public; empty: none
  std::vector<std::string> class_names, feature_names;  // as that schema has them
};
DataOrigin origin_of(const graph::Dataset& data);

struct Certificate {
  std::string version;  // of the program
  std::string method;
  std::string created;                                      // date and time, UTC
  std::vector<std::pair<std::string, std::string>> config;  // every option of the run
  bound::Relation relation = bound::Relation::Node;
  int64_t protect_degree = 0;
  method::PublicFacts facts;  // what the plan was made from
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

  bool valid() const { return reasons.empty() && epsilon.has_value() && accounting == Accounting::Tight; }
  bool releasable() const { return valid() && not_releasable.empty(); }
};

// What a run of this preparation that spent `spent` may claim on data of this origin. All of it follows from these, so
// that a reader can make it anew; date and hashes are left empty.
Certificate certify(const Prepared& prepared, const mechanism::Plan& spent, bool reproducible_seed,
                    const DataOrigin& origin);

// With a digest of everything else, so that an accident shows.
nlohmann::ordered_json to_json(const Certificate& certificate);
// `what` names the document in errors. Throws BadInput. Does not judge: see verify.h.
Certificate certificate_from_json(const nlohmann::json& document, const std::string& what);
// Whether the digest in the document fits the rest of it.
bool digest_fits(const nlohmann::json& document);

}  // namespace graphveil::run
