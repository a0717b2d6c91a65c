// All files of a training, each in the folder of its audience.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/run_folder.h"
#include "graphveil/run/train.h"

namespace graphveil::report {

// By class: its name or number, precision, recall, F1 and how many test nodes. For the holder.
nlohmann::ordered_json class_scores_json(const run::Evaluation& evaluation, const graph::Names& names);

// Writes everything and gives the folder its name. Fills in the certificate's date, hashes and fingerprint;
// `signing_key` is an Ed25519 private key in PEM. A run that is not releasable gets draft/ and
// no release/. `before_name` is told the certificate's digest when all files are written; when it throws there is no
// folder.
void write_run(artifact::RunFolder& folder, run::TrainOutcome& outcome, const run::Experiment& experiment,
               const artifact::Fingerprint& data, const std::string* signing_key = nullptr,
               const std::function<void(const std::string& digest)>& before_name = nullptr);

}  // namespace graphveil::report
