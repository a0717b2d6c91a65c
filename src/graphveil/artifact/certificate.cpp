#include "graphveil/artifact/certificate.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/event_json.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/plan_json.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"

namespace graphveil::artifact {
namespace {

constexpr const char* kFormat = "graphveil-certificate/3";

using Json = nlohmann::ordered_json;

constexpr int64_t kMostDegree = int64_t{16} * INT32_MAX;  // see statements()

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string digest_of(nlohmann::json document) {
  document.erase("digest");
  const std::string text = document.dump();  // nlohmann::json sorts its keys, so the text is canonical
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

mechanism::Audience audience_from_name(const std::string& text) {
  using mechanism::Audience;
  for (const Audience audience : {Audience::Public, Audience::Owner, Audience::Holder}) {
    if (mechanism::name(audience) == text) return audience;
  }
  fail(ErrorKind::InvalidArgument, "an audience is '{}', want public, owner or holder", text);
}

Json statement_json(const Statement& s) {
  return {{"audience", mechanism::name(s.audience)}, {"what", s.what},
          {"relation", bound::name(s.relation)},     {"degree", s.degree ? Json(*s.degree) : Json(nullptr)},
          {"epsilon", number_or_null(s.epsilon)},    {"delta", s.delta}};
}

Statement statement_from_json(const nlohmann::json& entry, const std::string& what) {
  Statement s;
  s.audience = audience_from_name(string_field(entry, "audience", what));
  s.what = string_field(entry, "what", what);
  s.relation = bound::relation_from_name(string_field(entry, "relation", what));
  if (!field(entry, "degree", what).is_null()) s.degree = whole_field(entry, "degree", what, kMostDegree);
  s.epsilon = number_or_null_field(entry, "epsilon", what);
  s.delta = number_field(entry, "delta", what);
  return s;
}

Certificate read(const nlohmann::json& document, const std::string& what) {
  Certificate c;
  c.version = string_field(document, "version", what);
  c.created = string_field(document, "created", what);
  c.method = string_field(document, "method", what);
  c.relation = bound::relation_from_name(string_field(document, "relation", what));
  c.protect_degree = whole_field(document, "protect_degree", what);
  c.accounting = account::accounting_from_name(string_field(document, "accounting", what));
  c.reasons = strings_field(document, "reasons", what);
  c.not_releasable = strings_field(document, "not_releasable", what);
  c.epsilon = number_or_null_field(document, "epsilon", what);
  c.delta = number_field(document, "delta", what);
  for (const auto& entry : list_field(document, "epsilon_at", what)) {
    c.epsilon_at.push_back({number_field(entry, "delta", what), number_or_null_field(entry, "epsilon", what)});
  }
  c.sampler_epsilon = number_field(document, "sampler_epsilon", what);
  c.published_epsilon = number_or_null_field(document, "published_epsilon", what);
  for (const auto& entry : list_field(document, "statements", what)) {
    c.statements.push_back(statement_from_json(entry, what));
  }
  c.plan = plan_from_json(document, what);
  c.noise = number_field(document, "noise", what);
  const auto& facts = field(document, "public", what);
  c.facts = {whole_field(facts, "nodes", what), whole_field(facts, "train_nodes", what),
             whole_field(facts, "features", what), static_cast<int32_t>(whole_field(facts, "classes", what)),
             whole_field(facts, "public_pool", what)};
  c.assumptions = strings_field(document, "assumptions", what);
  c.remarks = strings_field(document, "remarks", what);
  c.found_in_data = strings_field(document, "found_in_data", what);
  c.schema_sha256 = string_field(document, "schema_sha256", what);
  c.class_names = strings_field(document, "class_names", what);
  c.feature_names = strings_field(document, "feature_names", what);
  const std::string seed = string_field(document, "seed", what);
  if (seed != "secret" && seed != "reproducible") {
    fail(ErrorKind::BadInput, "{}: seed is '{}', want secret or reproducible", what, seed);
  }
  c.reproducible_seed = seed == "reproducible";
  for (const auto& entry : list_field(document, "config", what)) {
    c.config.emplace_back(string_field(entry, "name", what), string_field(entry, "value", what));
  }
  c.config_sha256 = string_field(document, "config_sha256", what);
  c.model_sha256 = string_field(document, "model_sha256", what);
  c.predictions_sha256 = string_field(document, "predictions_sha256", what);
  c.data_fingerprint = string_field(document, "data_fingerprint", what);
  if (document.contains("budget")) {
    const nlohmann::json& mark = document["budget"];
    c.budget = {string_field(mark, "book", what), whole_field(mark, "entry", what), string_field(mark, "hash", what)};
    if (mark.contains("spent")) {
      c.budget->spent = number_field(mark["spent"], "epsilon", what);
      c.budget->spent_delta = number_field(mark["spent"], "delta", what);
    }
  }
  return c;
}

}  // namespace

mechanism::Audience prediction_audience(const Certificate& c) {
  for (const Statement& s : c.statements) {
    if (s.what == "predictions") return s.audience;
  }
  return mechanism::Audience::Holder;
}

const char* part_of(const Certificate& c, mechanism::Audience audience) {
  switch (audience) {
    case mechanism::Audience::Public: return c.releasable() ? kRelease : kDraft;
    case mechanism::Audience::Owner: return kOwners;
    case mechanism::Audience::Holder: break;
  }
  return kHolder;
}

nlohmann::ordered_json to_json(const Certificate& c) {
  Json out;
  out["format"] = kFormat;
  out["program"] = "graphveil";
  out["version"] = c.version;
  out["created"] = c.created;
  out["method"] = c.method;
  out["valid"] = c.valid();
  out["releasable"] = c.releasable();
  out["reasons"] = c.reasons;
  out["not_releasable"] = c.not_releasable;
  out["relation"] = bound::name(c.relation);
  out["neighbors"] = bound::in_words(c.relation);
  out["protect_degree"] = c.protect_degree;
  out["accounting"] = name(c.accounting);
  out["epsilon"] = number_or_null(c.epsilon);
  out["delta"] = c.delta;
  out["epsilon_at"] = Json::array();
  for (const EpsilonAt& at : c.epsilon_at) {
    out["epsilon_at"].push_back({{"delta", at.delta}, {"epsilon", number_or_null(at.epsilon)}});
  }
  out["sampler_epsilon"] = c.sampler_epsilon;
  out["published_epsilon"] = number_or_null(c.published_epsilon);
  out["statements"] = Json::array();
  for (const Statement& statement : c.statements) out["statements"].push_back(statement_json(statement));
  out.update(to_json(c.plan));
  out["events"] = account::to_json(c.plan.ledger());  // the same, as `graphveil account` reads it
  out["noise"] = c.noise;
  out["public"] = {{"nodes", c.facts.nodes},
                   {"train_nodes", c.facts.train_nodes},
                   {"features", c.facts.features},
                   {"classes", c.facts.classes},
                   {"public_pool", c.facts.public_pool}};
  out["assumptions"] = c.assumptions;
  out["remarks"] = c.remarks;
  out["found_in_data"] = c.found_in_data;
  out["schema_sha256"] = c.schema_sha256;
  out["class_names"] = c.class_names;
  out["feature_names"] = c.feature_names;
  out["seed"] = c.reproducible_seed ? "reproducible" : "secret";
  out["config"] = Json::array();
  for (const auto& [option, value] : c.config) out["config"].push_back({{"name", option}, {"value", value}});
  out["config_sha256"] = c.config_sha256;
  out["model_sha256"] = c.model_sha256;
  out["predictions_sha256"] = c.predictions_sha256;
  out["data_fingerprint"] = c.data_fingerprint;
  if (c.budget) {
    out["budget"] = {{"book", c.budget->book}, {"entry", c.budget->entry}, {"hash", c.budget->hash}};
    if (c.budget->spent) out["budget"]["spent"] = {{"epsilon", *c.budget->spent}, {"delta", c.budget->spent_delta}};
  }
  // The digest is taken over the parsed text, so that it does not depend on how numbers are printed.
  out["digest"] = digest_of(nlohmann::json::parse(out.dump()));
  return out;
}

Certificate certificate_from_json(const nlohmann::json& document, const std::string& what) {
  const std::string format = string_field(document, "format", what);
  if (format != kFormat) {
    fail(ErrorKind::BadInput, "{}: format is '{}', want '{}': train again with this version", what, format, kFormat);
  }
  try {
    return read(document, what);
  } catch (const Error& error) {
    // Names that mean nothing are the document's mistake, not the caller's.
    if (error.kind() != ErrorKind::InvalidArgument && error.kind() != ErrorKind::Internal) throw;
    fail(ErrorKind::BadInput, "{}: {}", what, error.what());
  }
}

bool digest_fits(const nlohmann::json& document) {
  const auto digest = document.find("digest");
  return digest != document.end() && digest->is_string() && digest->get<std::string>() == digest_of(document);
}

}  // namespace graphveil::artifact
