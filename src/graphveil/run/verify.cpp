#include "graphveil/run/verify.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/artifact/certificate_html.h"
#include "graphveil/artifact/certificate_page.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/signature.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/base/version.h"
#include "graphveil/budget/spend_log.h"
#include "graphveil/files/schema.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/search.h"

namespace graphveil::run {
namespace {

namespace fs = std::filesystem;

// Fields that do not follow from the rest.
const std::vector<std::string> kGiven = {"created", "digest",       "version",          "config_sha256",
                                         "events",  "model_sha256", "data_fingerprint", "predictions_sha256"};

// A charged search draws the values of its options from a public list.
void check_tuned(const Prepared& prepared, std::vector<std::string>& reasons) {
  if (!charged(prepared)) return;
  const Experiment& experiment = *prepared.experiment;
  for (const method::Tunable& tunable : searched(experiment, prepared.setting.relation)) {
    const std::string value = experiment.options().find(tunable.option)->text();
    const bool listed = std::any_of(tunable.values.begin(), tunable.values.end(), [&](const std::string& offered) {
      return with_options(experiment, {{tunable.option, offered}})->options().find(tunable.option)->text() == value;
    });
    if (!listed) {
      reasons.push_back(fmt::format("--{} is {}, which its search cannot have chosen: it draws from {}", tunable.option,
                                    value, fmt::join(tunable.values, ", ")));
    }
  }
}

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
    check_tuned(prepared, reasons);
    if (sha256_text(config_text(experiment)) != c.config_sha256) {
      reasons.emplace_back("its list of options is not that of its config file");
    }
    artifact::Certificate made_anew = certify(prepared, prepared.plan, settings.seed.has_value(),
                                              {c.found_in_data, c.schema_sha256, c.class_names, c.feature_names});
    made_anew.budget = c.budget;  // does not follow from the rest: `budget check` compares it with the book
    return made_anew;
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

// Public numbers that no plan reads can be checked against each other, the predictions' rows and the holder's log.
void check_facts(const artifact::Certificate& c, const Evidence& evidence, const std::string& digest,
                 Verdict& verdict) {
  const method::PublicFacts& facts = c.facts;
  if (facts.train_nodes < 1 || facts.nodes < facts.train_nodes) {
    verdict.reasons.push_back(fmt::format(
        "it speaks of {} nodes of which {} train, want at least as many nodes, and at least one that trains",
        facts.nodes, facts.train_nodes));
  }
  // Where there is a public graph, predictions are about its nodes. A file that is another one is named as such.
  if (evidence.predictions && facts.public_pool == 0 && sha256_hex(*evidence.predictions) == c.predictions_sha256) {
    try {
      const int64_t rows = artifact::prediction_rows({evidence.predictions->begin(), evidence.predictions->end()});
      if (rows != facts.nodes) {
        verdict.reasons.push_back(
            fmt::format("{} has {} rows, it speaks of {} nodes", artifact::kPredictions, rows, facts.nodes));
      }
    } catch (const Error& error) {
      verdict.reasons.push_back(fmt::format("{}: {}", artifact::kPredictions, error.what()));
    }
  }
  if (!evidence.logged) {
    verdict.unchecked.push_back(fmt::format(
        "that {} nodes were there, of {} features and {} classes, that {} of them trained, and which data it was: "
        "without the holder's log and the data that is its writer's word",
        facts.nodes, facts.features, facts.classes, facts.train_nodes));
  } else if (*evidence.logged != digest) {
    verdict.reasons.push_back(
        fmt::format("it is not the certificate with which {}/{} begins", artifact::kHolder, artifact::kReleases));
  }
}

// Of predictions that are not public not even the hash is; of those that are, it must be there.
void check_predictions(const artifact::Certificate& c, const Evidence& evidence, Verdict& verdict) {
  const bool everybody = artifact::prediction_audience(c) == mechanism::Audience::Public;
  if (c.predictions_sha256.empty() == everybody) {
    verdict.reasons.emplace_back(everybody ? "it has no hash of the predictions that its statements let everybody see"
                                           : "it names predictions, and no statement lets everybody see them");
  }
  if (!c.predictions_sha256.empty()) {
    check_file(evidence.predictions, c.predictions_sha256, artifact::kPredictions, verdict);
  } else if (evidence.predictions) {
    verdict.reasons.push_back(fmt::format("{} does not belong beside it", artifact::kPredictions));
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

// What lies in release/ or draft/ besides the files that a certificate names: the page for people must be that of the
// certificate, and nothing else may be there.
void check_folder(const fs::path& folder, Verdict& verdict) {
  std::set<std::string> known = {artifact::kCertificate, artifact::kCertificatePage, artifact::kCertificateHtml,
                                 artifact::kSignature,   artifact::kModel,           artifact::kConfig};
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
  for (const auto& [name, text] :
       {std::pair{artifact::kCertificatePage, artifact::certificate_page(verdict.certificate)},
        std::pair{artifact::kCertificateHtml, artifact::certificate_html(verdict.certificate)}}) {
    const std::string page = (folder / name).string();
    if (!fs::exists(page)) {
      verdict.unchecked.push_back(fmt::format("{}: the file is not there", name));
    } else if (artifact::read_text(page) != text) {
      verdict.reasons.push_back(fmt::format("{} does not say what the certificate says", name));
    }
  }
}

// The predictions, wherever their audience puts them, are those that the holder's log knows, and nothing else lies
// beside those of the owners.
void check_given(const fs::path& run, Verdict& verdict) {
  const artifact::Certificate& c = verdict.certificate;
  const fs::path place = run / artifact::part_of(c, artifact::prediction_audience(c)) / artifact::kPredictions;
  const std::string logged =
      budget::read_spend_log((run / artifact::kHolder / artifact::kReleases).string()).front().predictions;
  const std::string name = fs::relative(place, run).string();
  check_file(artifact::read_if_there(place.string()), logged, name.c_str(), verdict);
  if (!fs::exists(run / artifact::kOwners)) return;
  for (const auto& entry : fs::directory_iterator(run / artifact::kOwners)) {
    const std::string file = entry.path().filename().string();
    if (file != artifact::kPredictions || entry.is_symlink()) {
      verdict.reasons.push_back(fmt::format("{} does not belong into {}/", file, artifact::kOwners));
    }
  }
}

// Hashes and the date are what they say they are, though nobody can tell from a certificate alone whose.
void check_forms(const artifact::Certificate& c, Verdict& verdict) {
  static const std::regex hash("[0-9a-f]{64}"), date(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
  for (const auto& [name, value] : {std::pair{"model_sha256", c.model_sha256},
                                    {"config_sha256", c.config_sha256},
                                    {"data_fingerprint", c.data_fingerprint}}) {
    if (!std::regex_match(value, hash)) verdict.reasons.push_back(fmt::format("its {} is no hash", name));
  }
  if (!std::regex_match(c.created, date)) verdict.reasons.emplace_back("its date is none");
  if (c.facts.public_pool != 0 && !method::make_method(c.method)->wants_public_graph()) {
    verdict.reasons.push_back(fmt::format("{} reads no public graph, and it speaks of one", c.method));
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
  check_predictions(c, evidence, verdict);
  check_facts(c, evidence, string_field(document, "digest", what), verdict);
  check_names(c, evidence, verdict);
  check_forms(c, verdict);
  check_signature(text, evidence, verdict);
  return verdict;
}

std::string certificate_path(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  std::vector<std::string> found;
  for (const char* part : {artifact::kRelease, artifact::kDraft, ""}) {
    const fs::path place = fs::path(path) / part / artifact::kCertificate;
    if (fs::exists(place, error)) found.push_back(place.string());
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
      fail(ErrorKind::Io, "{}: cannot be read: {}", place.string(), error.message());
    }
  }
  if (found.empty()) {
    fail(ErrorKind::Io, "{}: has no {}/{}: it is not the folder of a run", path, artifact::kRelease,
         artifact::kCertificate);
  }
  if (found.size() > 1) {
    fail(ErrorKind::BadInput, "{}: has both {} and {}: it is not the folder of one run", path, found[0], found[1]);
  }
  return found.front();
}

Verdict verify_files(const std::string& path, const std::optional<std::string>& public_key) {
  const std::string certificate = certificate_path(path);
  const fs::path folder = fs::path(certificate).parent_path();
  Evidence evidence;
  std::optional<std::string> closed;  // why the holder's log was not read
  // A certificate by itself is judged by itself.
  if (fs::is_directory(path)) {
    evidence.model = artifact::read_if_there((folder / artifact::kModel).string());
    evidence.config = artifact::read_if_there((folder / artifact::kConfig).string());
    evidence.schema = artifact::read_if_there((folder / artifact::kSchema).string());
    evidence.predictions = artifact::read_if_there((folder / artifact::kPredictions).string());
    const fs::path log = fs::path(path) / artifact::kHolder / artifact::kReleases;
    std::error_code error;
    // Of a log that is gone the file beside it is left: reading it then says what is missing.
    const fs::path head = fs::path(path) / artifact::kHolder / artifact::kReleasesHead;
    if (fs::exists(log, error) || (!error && fs::exists(head, error))) {
      const std::vector<budget::Spending> entries = budget::read_spend_log(log.string());
      if (!entries.empty()) evidence.logged = entries.front().certificate;
    } else if (error) {
      closed = error.message();
    }
  }
  evidence.signature = artifact::read_if_there((folder / artifact::kSignature).string());
  evidence.public_key = public_key;
  const std::vector<uint8_t> text = artifact::read_file(certificate);
  Verdict verdict = verify(std::string(text.begin(), text.end()), evidence, certificate);
  if (folder.filename() == artifact::kRelease && !verdict.certificate.releasable()) {
    verdict.reasons.push_back(
        fmt::format("it lies in {}/ and is not releasable: its place is {}/", artifact::kRelease, artifact::kDraft));
  }
  if (closed) {
    verdict.unchecked.push_back(fmt::format("{}/, and with it what was spent since: {}", artifact::kHolder, *closed));
  }
  return verdict;
}

Verdict verify_path(const std::string& path, const std::optional<std::string>& public_key) {
  Verdict verdict = verify_files(path, public_key);
  if (!fs::is_directory(path) || !verdict.holds()) return verdict;
  if (verdict.certificate.valid()) check_folder(fs::path(certificate_path(path)).parent_path(), verdict);
  // verify_files has said why, where the holder's log may not be read.
  std::error_code closed;
  if (!fs::exists(fs::path(path) / artifact::kHolder / artifact::kReleases, closed)) return verdict;
  verdict.log = read_log(path, verdict.certificate);
  check_given(path, verdict);
  for (const int64_t number : verdict.log->disjoint) {
    verdict.unchecked.push_back(
        fmt::format("that nobody of the graph of release {} is in any other graph that this run has read: it was "
                    "declared --disjoint, so it does not raise the total",
                    number));
  }
  return verdict;
}

}  // namespace graphveil::run
