#include "graphveil/run/verify.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/artifact/certificate_page.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/signature.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/base/version.h"
#include "graphveil/files/schema.h"

namespace graphveil::run {
namespace {

namespace fs = std::filesystem;

// Fields that do not follow from the rest.
const std::vector<std::string> kGiven = {"created", "digest",       "version",          "config_sha256",
                                         "events",  "model_sha256", "data_fingerprint", "predictions_sha256"};

// The certificate that a run with these options and public numbers gives; reasons where there can be none.
std::optional<artifact::Certificate> rebuilt(const artifact::Certificate& c, std::vector<std::string>& reasons) {
  try {
    const std::unique_ptr<Experiment> made = Experiment::from(c);
    const Experiment& experiment = *made;
    const auto relations = experiment.method().relations();
    const Settings& settings = experiment.settings();
    if (!relations.empty() && std::find(relations.begin(), relations.end(), c.relation) == relations.end()) {
      reasons.push_back(fmt::format("{} cannot protect relation {}", c.method, bound::name(c.relation)));
      return std::nullopt;
    }
    if (settings.relation && *settings.relation != c.relation) {
      reasons.push_back(fmt::format("its options ask for relation {}, it speaks of {}", bound::name(*settings.relation),
                                    bound::name(c.relation)));
    }
    const Prepared prepared = prepare(experiment, c.relation, c.facts);
    if (sha256_text(config_text(experiment)) != c.config_sha256) {
      reasons.emplace_back("its list of options is not that of its config file");
    }
    return certify(prepared, prepared.plan, settings.seed.has_value(),
                   {c.found_in_data, c.schema_sha256, c.class_names, c.feature_names});
  } catch (const Error& error) {
    reasons.push_back(fmt::format("its plan cannot be made from its options: {}", error.what()));
    return std::nullopt;
  }
}

// Numbers that follow from each other agree but for the last digits of a search.
bool same(const nlohmann::json& a, const nlohmann::json& b) {
  if (a.is_number() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
  }
  if (a.type() != b.type()) return false;
  if (a.is_array()) return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
  if (a.is_object()) {
    if (a.size() != b.size()) return false;
    for (const auto& [key, value] : a.items()) {
      if (!b.contains(key) || !same(value, b[key])) return false;
    }
    return true;
  }
  return a == b;
}

void compare(const nlohmann::json& found, const nlohmann::json& wanted, std::vector<std::string>& reasons) {
  for (const auto& [key, value] : wanted.items()) {
    if (std::find(kGiven.begin(), kGiven.end(), key) != kGiven.end()) continue;
    if (!found.contains(key)) {
      reasons.push_back(fmt::format("field '{}' is missing", key));
    } else if (!same(found[key], value)) {
      reasons.push_back(fmt::format("field '{}' is not what its options and public numbers give", key));
    }
  }
  for (const auto& [key, value] : found.items()) {
    if (!wanted.contains(key)) reasons.push_back(fmt::format("field '{}' does not belong there", key));
  }
}

void check_file(const std::optional<std::vector<uint8_t>>& bytes, const std::string& sha256, const char* name,
                Verdict& verdict) {
  if (!bytes) {
    verdict.unchecked.push_back(fmt::format("{}: the file is not there", name));
  } else if (sha256_hex(*bytes) != sha256) {
    verdict.reasons.push_back(fmt::format("{} is not the file it was written for", name));
  }
}

// Names stand in a certificate because a schema declares them.
void check_names(const artifact::Certificate& c, const Evidence& evidence, Verdict& verdict) {
  const auto fits = [](const std::vector<std::string>& names, int64_t count) {
    return names.empty() || static_cast<int64_t>(names.size()) == count;
  };
  if (!fits(c.class_names, c.facts.classes) || !fits(c.feature_names, c.facts.features) ||
      (c.schema_sha256.empty() && !(c.class_names.empty() && c.feature_names.empty()))) {
    verdict.reasons.emplace_back("its names do not go with its numbers and its schema");
  }
  if (c.schema_sha256.empty()) return;
  check_file(evidence.schema, c.schema_sha256, artifact::kSchema, verdict);
  if (!evidence.schema) return;
  try {
    const files::Schema schema =
        files::parse_schema({evidence.schema->begin(), evidence.schema->end()}, artifact::kSchema);
    // Classes may have been dropped since.
    const bool known = std::all_of(c.class_names.begin(), c.class_names.end(), [&](const std::string& name) {
      return std::find(schema.classes.begin(), schema.classes.end(), name) != schema.classes.end();
    });
    if (!known || files::feature_names(schema) != c.feature_names) {
      verdict.reasons.push_back(fmt::format("its names are not those of {}", artifact::kSchema));
    }
  } catch (const Error& error) {
    verdict.reasons.emplace_back(error.what());
  }
}

void check_signature(const std::string& text, const Evidence& evidence, Verdict& verdict) {
  if (!evidence.public_key) {
    verdict.unchecked.emplace_back(evidence.signature ? "the signature: give --key"
                                                      : "who wrote it: there is no signature");
    return;
  }
  if (!evidence.signature) {
    verdict.reasons.emplace_back("a signature is wanted, and there is none");
  } else if (!artifact::signature_fits(*evidence.public_key, text, *evidence.signature)) {
    verdict.reasons.emplace_back("the signature is not that of this text by this key");
  }
}

// What lies in release/ besides the files that a certificate names: the page for people must be that of the
// certificate, and nothing else may be there.
void check_folder(const fs::path& folder, Verdict& verdict) {
  std::set<std::string> known = {artifact::kCertificate, artifact::kCertificatePage, artifact::kSignature,
                                 artifact::kModel, artifact::kConfig};
  if (!verdict.certificate.schema_sha256.empty()) known.insert(artifact::kSchema);
  if (!verdict.certificate.predictions_sha256.empty()) known.insert(artifact::kPredictions);
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (known.count(name) == 0) verdict.reasons.push_back(fmt::format("{} does not belong beside it", name));
    if (entry.is_symlink()) verdict.reasons.push_back(fmt::format("{} is a link to another place", name));
    if (name == artifact::kSignature && entry.file_size() != artifact::kSignatureBytes) {
      verdict.reasons.push_back(fmt::format("{} is no signature", name));
    }
  }
  const std::string page = (folder / artifact::kCertificatePage).string();
  if (!fs::exists(page)) {
    verdict.unchecked.push_back(fmt::format("{}: the file is not there", artifact::kCertificatePage));
  } else if (artifact::read_text(page) != artifact::certificate_page(verdict.certificate)) {
    verdict.reasons.push_back(fmt::format("{} does not say what the certificate says", artifact::kCertificatePage));
  }
}

}  // namespace

Verdict verify(const std::string& text, const Evidence& evidence, const std::string& what) {
  const nlohmann::json document = parse_strict_json(text, what);
  Verdict verdict{artifact::certificate_from_json(document, what), std::nullopt, {}, {}};
  const artifact::Certificate& c = verdict.certificate;
  auto& reasons = verdict.reasons;

  reasons = c.reasons;
  if (c.accounting != Accounting::Tight) reasons.emplace_back("its accounting is the paper's, not a proof");
  if (!artifact::digest_fits(document)) reasons.emplace_back("its text was changed after it was written");
  if (c.version != version()) {
    reasons.push_back(fmt::format("it was written by version {}, this is {}", c.version, version()));
  }
  if (const std::optional<artifact::Certificate> again = rebuilt(c, reasons)) {
    verdict.epsilon = again->epsilon;
    compare(document, nlohmann::json::parse(to_json(*again).dump()), reasons);
  }
  if (field(document, "events", what) != nlohmann::json::parse(to_json(c).at("events").dump())) {
    reasons.emplace_back("its events are not those of its lines");
  }
  check_file(evidence.model, c.model_sha256, artifact::kModel, verdict);
  check_file(evidence.config, c.config_sha256, artifact::kConfig, verdict);
  if (!c.predictions_sha256.empty())
    check_file(evidence.predictions, c.predictions_sha256, artifact::kPredictions, verdict);
  check_names(c, evidence, verdict);
  check_signature(text, evidence, verdict);
  return verdict;
}

std::string certificate_path(const std::string& path) {
  if (!fs::is_directory(path)) return path;
  for (const fs::path& place :
       {fs::path(path) / artifact::kRelease / artifact::kCertificate, fs::path(path) / artifact::kCertificate,
        fs::path(path) / artifact::kHolder / artifact::kCertificate}) {
    if (fs::exists(place)) return place.string();
  }
  fail(ErrorKind::Io, "{}: has no {}/{}: it is not the folder of a run", path, artifact::kRelease,
       artifact::kCertificate);
}

Verdict verify_files(const std::string& path, const std::optional<std::string>& public_key) {
  const std::string certificate = certificate_path(path);
  const fs::path folder = fs::path(certificate).parent_path();
  Evidence evidence;
  // A certificate by itself is judged by itself.
  if (fs::is_directory(path)) {
    evidence.model = artifact::read_if_there((folder / artifact::kModel).string());
    evidence.config = artifact::read_if_there((folder / artifact::kConfig).string());
    evidence.schema = artifact::read_if_there((folder / artifact::kSchema).string());
    evidence.predictions = artifact::read_if_there((folder / artifact::kPredictions).string());
  }
  evidence.signature = artifact::read_if_there((folder / artifact::kSignature).string());
  evidence.public_key = public_key;
  const std::vector<uint8_t> text = artifact::read_file(certificate);
  return verify(std::string(text.begin(), text.end()), evidence, certificate);
}

Verdict verify_path(const std::string& path, const std::optional<std::string>& public_key) {
  Verdict verdict = verify_files(path, public_key);
  if (fs::is_directory(path) && verdict.holds() && verdict.certificate.valid()) {
    check_folder(fs::path(certificate_path(path)).parent_path(), verdict);
  }
  return verdict;
}

}  // namespace graphveil::run
