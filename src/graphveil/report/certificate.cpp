#include "graphveil/report/certificate.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/event_json.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/version.h"
#include "graphveil/report/json_fields.h"

namespace graphveil::report {
namespace {

constexpr const char* kFormat = "graphveil-certificate/1";
constexpr double kOtherDeltas[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};

std::optional<double> finite(double epsilon) {
  return std::isfinite(epsilon) ? std::optional<double>(epsilon) : std::nullopt;
}

nlohmann::ordered_json number_or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

std::string digest_of(nlohmann::json document) {
  document.erase("digest");
  const std::string text = document.dump();  // nlohmann::json sorts its keys, so the text is canonical
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

mechanism::SpentLine line_from_json(const nlohmann::json& entry, size_t index, const std::string& what) {
  const std::string where = fmt::format("{}: line {}", what, index);
  return {account::event_from_json(field(entry, "event", where), index), number_field(entry, "sensitivity", where),
          bound::norm_from_name(string_field(entry, "norm", where)), number_field(entry, "noise_scale", where)};
}

}  // namespace

account::Ledger Certificate::ledger() const {
  account::Ledger ledger;
  for (const mechanism::SpentLine& line : lines) ledger.add(line.event);
  return ledger;
}

void price(Certificate& certificate) {
  certificate.version = version();
  const account::Ledger ledger = certificate.ledger();
  certificate.epsilon = finite(account::spent_epsilon(ledger, certificate.delta));
  certificate.epsilon_at.clear();
  for (double delta : kOtherDeltas) {
    certificate.epsilon_at.push_back({delta, finite(account::spent_epsilon(ledger, delta))});
  }
  if (certificate.reproducible_seed) {
    certificate.assumptions.push_back(
        "the seed was given as a number: the guarantee holds only for those who do not know it");
  }
}

nlohmann::ordered_json to_json(const Certificate& c) {
  nlohmann::ordered_json out;
  out["format"] = kFormat;
  out["program"] = "graphveil";
  out["version"] = c.version;
  out["method"] = c.method;
  out["valid"] = c.valid();
  out["reasons"] = c.reasons;
  out["relation"] = bound::name(c.relation);
  out["neighbors"] = bound::in_words(c.relation);
  out["covers"] = method::name(c.covers);
  out["accounting"] = method::name(c.accounting);
  out["epsilon"] = number_or_null(c.epsilon);
  out["delta"] = c.delta;
  out["epsilon_at"] = nlohmann::ordered_json::array();
  for (const EpsilonAt& at : c.epsilon_at) {
    out["epsilon_at"].push_back({{"delta", at.delta}, {"epsilon", number_or_null(at.epsilon)}});
  }
  out["published_epsilon"] = number_or_null(c.published_epsilon);
  out["lines"] = nlohmann::ordered_json::array();
  for (const mechanism::SpentLine& line : c.lines) {
    out["lines"].push_back({{"event", account::to_json(line.event)},
                            {"sensitivity", line.sensitivity},
                            {"norm", bound::name(line.norm)},
                            {"noise_scale", line.noise_scale}});
  }
  out["noise"] = c.noise;
  out["public"] = {{"nodes", c.facts.nodes},
                   {"train_nodes", c.facts.train_nodes},
                   {"features", c.facts.features},
                   {"classes", c.facts.classes}};
  out["assumptions"] = c.assumptions;
  out["remarks"] = c.remarks;
  out["seed"] = c.reproducible_seed ? "reproducible" : "secure";
  out["model_sha256"] = c.model_sha256;
  // The digest is taken over the parsed text, so that it does not depend on how numbers are printed.
  out["digest"] = digest_of(nlohmann::json::parse(out.dump()));
  return out;
}

Certificate certificate_from_json(const nlohmann::json& document, const std::string& what) {
  const std::string format = string_field(document, "format", what);
  if (format != kFormat) fail(ErrorKind::BadInput, "{}: format is '{}', want '{}'", what, format, kFormat);
  Certificate c;
  try {
    c.version = string_field(document, "version", what);
    c.method = string_field(document, "method", what);
    c.relation = bound::relation_from_name(string_field(document, "relation", what));
    c.covers = method::covers_from_name(string_field(document, "covers", what));
    c.accounting = method::accounting_from_name(string_field(document, "accounting", what));
    c.reasons = strings_field(document, "reasons", what);
    c.epsilon = number_or_null_field(document, "epsilon", what);
    c.delta = number_field(document, "delta", what);
    const auto& at = field(document, "epsilon_at", what);
    if (!at.is_array()) fail(ErrorKind::BadInput, "{}: field 'epsilon_at' is not a list", what);
    for (const auto& entry : at) {
      c.epsilon_at.push_back({number_field(entry, "delta", what), number_or_null_field(entry, "epsilon", what)});
    }
    c.published_epsilon = number_or_null_field(document, "published_epsilon", what);
    const auto& lines = field(document, "lines", what);
    if (!lines.is_array()) fail(ErrorKind::BadInput, "{}: field 'lines' is not a list", what);
    for (size_t i = 0; i < lines.size(); ++i) c.lines.push_back(line_from_json(lines[i], i, what));
    c.noise = number_field(document, "noise", what);
    const auto& facts = field(document, "public", what);
    c.facts = {whole_field(facts, "nodes", what), whole_field(facts, "train_nodes", what),
               whole_field(facts, "features", what), static_cast<int32_t>(whole_field(facts, "classes", what))};
    c.assumptions = strings_field(document, "assumptions", what);
    c.remarks = strings_field(document, "remarks", what);
    const std::string seed = string_field(document, "seed", what);
    if (seed != "secure" && seed != "reproducible") {
      fail(ErrorKind::BadInput, "{}: seed is '{}', want secure or reproducible", what, seed);
    }
    c.reproducible_seed = seed == "reproducible";
    c.model_sha256 = string_field(document, "model_sha256", what);
  } catch (const Error& error) {
    // Names that mean nothing are the document's mistake, not the caller's.
    if (error.kind() != ErrorKind::InvalidArgument) throw;
    fail(ErrorKind::BadInput, "{}: {}", what, error.what());
  }
  return c;
}

bool digest_fits(const nlohmann::json& document) {
  const auto digest = document.find("digest");
  return digest != document.end() && digest->is_string() && digest->get<std::string>() == digest_of(document);
}

std::string in_words(const Certificate& c) {
  if (!c.epsilon) {
    return fmt::format("{} gives no differential-privacy guarantee: {}.\n", c.method,
                       c.reasons.empty() ? "no finite epsilon holds" : fmt::format("{}", fmt::join(c.reasons, "; ")));
  }
  if (!c.valid()) {
    std::string text = fmt::format("NOT VALID: this run of {} comes with no guarantee.\n", c.method);
    if (c.published_epsilon) text += fmt::format("By the paper's arithmetic epsilon is {:.4g}. ", *c.published_epsilon);
    text += fmt::format("Its ledger would cost epsilon {:.4g} at delta {:.3g}, but:\n", *c.epsilon, c.delta);
    for (const std::string& reason : c.reasons) text += fmt::format("  - {}\n", reason);
    return text;
  }
  std::string text = fmt::format(
      "{} is ({:.4g}, {:.3g})-differentially private: whatever anybody infers from the {} is at most e^{:.4g} times\n"
      "more likely on one graph than on another, up to probability {:.3g}, when {}.\n",
      c.method, *c.epsilon, c.delta, method::name(c.covers), *c.epsilon, c.delta, bound::in_words(c.relation));
  if (c.covers == Covers::ParametersAndPredictions && c.relation == bound::Relation::Node) {
    text +=
        "A prediction about a node also reads that node's own record: it is for that node, or for somebody who "
        "already holds the record.\n";
  }
  if (c.covers == Covers::Parameters) {
    text += "Predictions read other nodes' raw records and are not covered.\n";
  }
  for (const std::string& remark : c.remarks) text += fmt::format("Note: {}.\n", remark);
  for (const std::string& assumption : c.assumptions) text += fmt::format("Assumed: {}.\n", assumption);
  return text;
}

}  // namespace graphveil::report
