#include "cli/checkpointing.h"

#include <chrono>
#include <map>

#include "graphveil/run/resume.h"

namespace graphveil::cli {

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options) {
  command
      .add_option("--checkpoint-every", options.seconds,
                  "Time between two checkpoints, from which a run that was killed goes on (train --resume): 30s, 5m")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}}))
      ->check(CLI::Range(0.0, 1e9))
      ->default_str("30s");
  command.add_option("--checkpoint-key", options.key_path,
                     "File whose hash seals what a stopped run leaves behind; --resume wants the same");
}

std::optional<artifact::SealKey> seal_key(const CheckpointOptions& options) {
  return options.key_path.empty() ? std::nullopt : std::optional(run::read_seal_key(options.key_path));
}

Checkpointing::Checkpointing(const std::string& folder, artifact::Journal* journal, const CheckpointOptions& options) {
  if (journal == nullptr) return;
  store_ = std::make_shared<artifact::CheckpointFolder>(
      folder, journal->seed(), std::chrono::duration<double>(options.seconds), [journal] { journal->stay(); });
  Context context = current_context();
  context.checkpoints = store_;
  scope_.emplace(std::move(context));
}

void Checkpointing::remove() const {
  if (store_) store_->remove();
}

}  // namespace graphveil::cli
