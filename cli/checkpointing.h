// How often a training keeps how far it has come, and where.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "graphveil/artifact/checkpoint_folder.h"
#include "graphveil/artifact/journal.h"
#include "graphveil/base/context.h"

namespace graphveil::cli {

struct CheckpointOptions {
  std::string key_path;  // empty: nothing is sealed with a key of the user's
  double seconds = 30;   // between two checkpoints
};
void add_checkpoint_options(CLI::App& command, CheckpointOptions& options);

// The user's key, where there is one.
std::optional<artifact::SealKey> seal_key(const CheckpointOptions& options);

// While it lives, trainings keep how far they have come beside the journal, where there is one.
class Checkpointing {
 public:
  Checkpointing(const std::string& folder, artifact::Journal* journal, const CheckpointOptions& options);
  // The run is done.
  void remove() const;

 private:
  std::shared_ptr<artifact::CheckpointFolder> store_;
  std::optional<ContextScope> scope_;
};

}  // namespace graphveil::cli
