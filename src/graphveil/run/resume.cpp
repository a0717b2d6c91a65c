#include "graphveil/run/resume.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graphveil/artifact/checkpoint_folder.h"
#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/version.h"
#include "graphveil/kernels/cpu.h"
#include "graphveil/run/train.h"

namespace graphveil::run {
namespace {

constexpr const char* kTarget = "target";  // the one input that is no path

// What a run was given, as its journal names it.
std::vector<std::pair<std::string, std::string*>> named(RunInputs& inputs) {
  return {{"data", &inputs.graphs.data},
          {"private", &inputs.graphs.private_graph},
          {"public", &inputs.graphs.public_graph},
          {"sign", &inputs.signing_key},
          {"budget", &inputs.book},
          {kTarget, &inputs.graphs.target}};
}

std::string hash_of(const std::optional<graph::Split>& split) {
  std::string text;
  if (split) {
    for (const std::vector<int32_t>* part : {&split->train, &split->val, &split->test}) {
      text += fmt::format("{};", fmt::join(*part, ","));
    }
  }
  return sha256_text(text);
}

// What data say beside their arrays, and a fingerprint does not.
std::string frame_of(const graph::Dataset& data) {
  std::string text = fmt::format("{} {} {}", data.classes, data.graph.symmetric(), sha256_text(data.schema));
  for (const graph::Names* names : {&data.class_names, &data.feature_names}) {
    for (const std::string& name : names->list()) text += fmt::format(" {} {}", name.size(), name);
  }
  for (const std::string& line : data.found_in_data) text += "\n" + line;
  return text;
}

// Everything that a run reads: the graphs, the parts that came with them, and the file of public arrays.
std::vector<artifact::Fingerprint> fingerprints(const Experiment& experiment, const InputData& input) {
  std::vector<artifact::Fingerprint> data{artifact::fingerprint(input.data)};
  if (input.public_data) data.push_back(artifact::fingerprint(*input.public_data));
  const std::string file = experiment.method().public_file();
  data.push_back({hash_of(input.data.split), hash_of(input.public_data ? input.public_data->split : std::nullopt),
                  file.empty() ? "" : sha256_hex(artifact::read_file(file)),
                  sha256_text(frame_of(input.data) + (input.public_data ? frame_of(*input.public_data) : ""))});
  return data;
}

std::string cpu_level() { return kernels::name(kernels::cpu_level()); }

}  // namespace

artifact::SealKey read_seal_key(const std::string& path) {
  const SecretText file = artifact::read_secret(path);
  const std::string& text = file.text();
  require(text.size() >= 16, "{}: has {} bytes, too few for a key, want at least 16", path, text.size());
  std::array<uint8_t, 32> hash = sha256({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  artifact::SealKey key(hash);
  wipe(hash);
  return key;
}

Resumed resume(const std::string& folder, const std::optional<artifact::SealKey>& key) {
  Resumed run;
  run.journal = std::make_unique<artifact::Journal>(folder, key);
  if (std::filesystem::exists(folder)) {
    run.journal->finish();
    std::filesystem::remove_all(artifact::CheckpointFolder::path_of(folder));
    fail(ErrorKind::Io, "{}: the run is done; there is nothing to go on with", folder);
  }
  const artifact::JournalHead& head = run.journal->head();
  run.experiment = Experiment::from(head.method, head.options);
  for (const auto& [name, value] : named(run.inputs)) {
    for (const auto& [given, text] : head.inputs) {
      if (given == name) *value = text;
    }
  }
  return run;
}

std::unique_ptr<artifact::Journal> new_journal(const std::string& folder, const Experiment& experiment,
                                               const RunInputs& inputs, const InputData& input,
                                               const std::optional<artifact::SealKey>& key) {
  artifact::JournalHead head{.version = std::string(version()),
                             .method = experiment.method().describe().name,
                             .options = experiment.values(),
                             .inputs = {},
                             .data = fingerprints(experiment, input),
                             .seed = run_seed(experiment.settings()),
                             .cpu_level = cpu_level()};
  RunInputs absolute = inputs;
  for (const auto& [name, value] : named(absolute)) {
    // The run may go on from another working directory.
    const bool is_path = name != kTarget && !value->empty();
    head.inputs.emplace_back(name, is_path ? std::filesystem::absolute(*value).string() : *value);
  }
  auto journal = std::make_unique<artifact::Journal>(folder, std::move(head), key);
  std::filesystem::remove_all(artifact::CheckpointFolder::path_of(folder));
  return journal;
}

void check_same_data(const artifact::Journal& journal, const Experiment& experiment, const InputData& input) {
  journal.check(fingerprints(experiment, input), cpu_level());
}

}  // namespace graphveil::run
