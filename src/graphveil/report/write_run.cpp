#include "graphveil/report/write_run.h"

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/certificate_html.h"
#include "graphveil/artifact/certificate_page.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/artifact/signature.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/secret.h"
#include "graphveil/base/utc_time.h"
#include "graphveil/budget/spend_log.h"
#include "graphveil/kernels/cpu.h"
#include "graphveil/report/words.h"

namespace graphveil::report {
namespace {

// Class names that nobody declared public were read off labels: not where those are private and predictions are not.
graph::Names public_names(const artifact::Certificate& c, const run::TrainOutcome& outcome) {
  const bool labels_are_private = c.valid() && !bound::edge_level(c.relation);
  const bool published = method::audience(outcome.trained.output.predictions) == mechanism::Audience::Public;
  return labels_are_private && published && c.schema_sha256.empty() ? graph::Names() : outcome.class_names;
}

nlohmann::ordered_json trials_json(const std::vector<run::Trial>& trials) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const run::Trial& trial : trials) {
    nlohmann::ordered_json options = nlohmann::ordered_json::object();
    for (const auto& [name, value] : trial.values) options[name] = value;
    list.push_back({{"options", std::move(options)}, {"score", trial.score}, {"kept", trial.kept}});
  }
  return list;
}

// The hash of what is written.
std::string write_predictions(artifact::RunFolder& folder, const char* part, const artifact::Certificate& c,
                              const run::TrainOutcome& outcome) {
  const graph::Names classes = public_names(c, outcome);
  Sha256 hash;
  folder.write(part, artifact::kPredictions, [&](const artifact::RunFolder::Put& put) {
    const auto bytes = [](std::string_view text) {
      return std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    };
    const std::array<artifact::TextReader, 2> readers{[&](std::string_view text) { hash.add(bytes(text)); },
                                                      [&](std::string_view text) { put(bytes(text)); }};
    artifact::predictions_csv(method::values(outcome.trained.output.predictions),
                              {outcome.ids, outcome.predicted_ids, classes}, readers);
  });
  return to_hex(hash.digest());
}

std::string metrics_jsonl(const run::TrainOutcome& outcome) {
  std::string lines;
  for (size_t r = 0; r < outcome.evaluations.size(); ++r) {
    const run::Evaluation& e = outcome.evaluations[r];
    nlohmann::ordered_json line = {{"repeat", r},
                                   {"test_accuracy", e.test_accuracy},
                                   {"val_accuracy", e.val_accuracy},
                                   {"train_accuracy", e.train_accuracy},
                                   {"macro_f1", e.macro_f1},
                                   {"weighted_f1", e.weighted_f1},
                                   {"balanced_accuracy", e.balanced_accuracy},
                                   {"classes", class_scores_json(e, outcome.class_names)},
                                   {"confusion", e.confusion},
                                   {"kept", r == 0},
                                   {"cpu_level", kernels::name(kernels::cpu_level())},
                                   {"seconds", outcome.seconds[r]}};
    if (e.majority) line["majority"] = e.majority->share;
    if (const std::string warning = majority_warning(outcome); r == 0 && !warning.empty()) {
      line["majority_warning"] = warning;
    }
    if (e.roc_auc) line["roc_auc"] = *e.roc_auc;
    if (!outcome.trials.empty()) line["trials"] = trials_json(outcome.trials[r]);
    const auto& diagnostics = outcome.trained.output.diagnostics.private_value();
    if (r == 0 && !diagnostics.empty()) line["diagnostics, not releasable"] = diagnostics;
    lines += line.dump() + "\n";
  }
  return lines;
}

}  // namespace

nlohmann::ordered_json class_scores_json(const run::Evaluation& evaluation, const graph::Names& names) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (size_t k = 0; k < evaluation.classes.size(); ++k) {
    const nn::ClassScores& c = evaluation.classes[k];
    list.push_back({{"class", names.empty() ? std::to_string(k) : std::string(names[static_cast<int64_t>(k)])},
                    {"precision", c.precision},
                    {"recall", c.recall},
                    {"f1", c.f1},
                    {"nodes", c.nodes}});
  }
  return list;
}

void write_run(artifact::RunFolder& folder, run::TrainOutcome& outcome, const run::Experiment& experiment,
               const artifact::Fingerprint& data, const std::string* signing_key,
               const std::function<void(const std::string& digest)>& before_name) {
  artifact::Certificate& c = outcome.certificate;
  const method::Output& output = outcome.trained.output;
  const char* release = artifact::part_of(c, mechanism::Audience::Public);  // draft/ where nothing may leave
  const artifact::FingerprintKey key = artifact::new_fingerprint_key();
  const std::vector<uint8_t> model = artifact::to_safetensors(output.model.value());
  const std::string config = run::config_text(experiment);
  c.created = utc_now();
  c.model_sha256 = sha256_hex(model);
  c.config_sha256 = sha256_text(config);
  c.data_fingerprint = artifact::keyed(key, data);
  const mechanism::Audience audience = artifact::prediction_audience(c);
  if (c.valid() && audience < method::audience(output.predictions)) {
    fail(ErrorKind::Internal, "predictions for the {} are stated to be for the {}",
         mechanism::name(method::audience(output.predictions)), mechanism::name(audience));
  }
  const SecretText key_text(artifact::to_hex(key) + "\n");
  const std::string metrics = metrics_jsonl(outcome);
  // What does not wait for the hash of the predictions is written while that is made.
  Beside others([&] {
    folder.write(release, artifact::kModel, model);
    folder.write(release, artifact::kConfig, config);
    if (!outcome.schema.empty()) folder.write(release, artifact::kSchema, outcome.schema);
    folder.write(artifact::kHolder, artifact::kMetrics, metrics);
    folder.write(artifact::kHolder, artifact::kKey, key_text.text());
    if (!outcome.book.empty()) folder.write(artifact::kHolder, artifact::kBudget, outcome.book + "\n");
    if (output.sums.private_value().empty()) return;
    folder.write(artifact::kHolder, artifact::kSums, [&](const artifact::RunFolder::Put& put) {
      artifact::to_safetensors(output.sums.private_value(), put);
    });
  });
  const std::string predictions_sha256 = write_predictions(folder, artifact::part_of(c, audience), c, outcome);
  // Of others not even the hash is public.
  if (audience == mechanism::Audience::Public) c.predictions_sha256 = predictions_sha256;
  const nlohmann::ordered_json document = to_json(c);
  const std::string certificate = document.dump(2) + "\n";
  const std::array<std::function<void()>, 4> certificates{
      [&] { folder.write(release, artifact::kCertificate, certificate); },
      [&] { folder.write(release, artifact::kCertificatePage, artifact::certificate_page(c)); },
      [&] { folder.write(release, artifact::kCertificateHtml, artifact::certificate_html(c)); },
      [&] {
        if (signing_key) folder.write(release, artifact::kSignature, artifact::sign(*signing_key, certificate));
      }};
  parallel_for(std::ssize(certificates), 1,
               [&](int64_t file, int64_t /*end*/) { certificates[static_cast<size_t>(file)](); });
  others.wait();
  folder.place(artifact::kHolder, artifact::kReleasesHead);
  budget::SpendLog(folder.place(artifact::kHolder, artifact::kReleases), budget::SpendLog::File::New)
      .add({"training", c.plan.ledger(), c.delta, false, artifact::keyed(key, data.features),
            document.at("digest").get<std::string>(), predictions_sha256});
  if (before_name) before_name(document.at("digest").get<std::string>());
  folder.finish();
}

}  // namespace graphveil::report
