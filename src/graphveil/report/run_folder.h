// The folder a training leaves behind; run/layout.h says which part is for whom.
#pragma once

#include <optional>
#include <string>

#include "graphveil/run/fingerprint.h"
#include "graphveil/run/train.h"

namespace graphveil::report {

// By class: its name or number, precision, recall, F1 and how many test nodes. For the holder.
nlohmann::ordered_json class_scores_json(const run::Evaluation& evaluation, const graph::Names& names);

// A claim on a folder's name, made before the training: the folder is there as a whole or not at all. A run without a
// guarantee gets no release/.
class RunFolder {
 public:
  // Makes `folder`.part and locks it; takes over one that a killed run left behind. Throws Io when `folder` exists
  // already, another run is writing it, or nothing can be written there.
  explicit RunFolder(std::string folder);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // Sets aside room on the disk for what will be written. Throws Io when there is not so much.
  void reserve(int64_t bytes);

  // Writes everything and gives the folder its name. Fills in the certificate's date, hashes and fingerprint;
  // `signing_key` is an Ed25519 private key in PEM. What is not for everybody can be read by its owner alone.
  void write(run::TrainOutcome& outcome, const run::Experiment& experiment, const run::Fingerprint& data,
             const std::optional<std::string>& signing_key = std::nullopt);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graphveil::report
