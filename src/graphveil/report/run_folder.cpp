#include "graphveil/report/run_folder.h"

#include <unistd.h>

#include <filesystem>
#include <list>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/unfinished_path.h"
#include "graphveil/load/atomic_file.h"
#include "graphveil/nn/metrics.h"
#include "graphveil/report/safetensors.h"

namespace graphveil::report {
namespace {

namespace fs = std::filesystem;

std::string metrics_jsonl(const TrainOutcome& outcome, const Fingerprint& data) {
  std::string lines;
  for (size_t r = 0; r < outcome.repeats.size(); ++r) {
    const Repeat& repeat = outcome.repeats[r];
    const nlohmann::ordered_json line = {{"repeat", r},
                                         {"test_accuracy", repeat.test_accuracy},
                                         {"val_accuracy", repeat.val_accuracy},
                                         {"train_accuracy", repeat.train_accuracy},
                                         {"macro_f1", repeat.macro_f1},
                                         {"seconds", repeat.seconds},
                                         {"data", {{"edges", data.edges}, {"features", data.features}}}};
    lines += line.dump() + "\n";
  }
  return lines;
}

// A folder that vanishes unless it is kept.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& target) : target_(target), path_(target) {
    path_ += fmt::format(".{}.part", getpid());
    std::error_code error;
    if (fs::exists(target))
      fail(ErrorKind::Io, "{}: exists already; choose another folder or remove it", target.string());
    fs::create_directories(path_, error);
    if (error) fail(ErrorKind::Io, "{}: cannot be made: {}", path_.string(), error.message());
    unfinished_.emplace_back(path_.string());
  }
  ~NewFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  void write(const char* name, std::span<const uint8_t> bytes) {
    unfinished_.emplace_back((path_ / name).string());
    load::AtomicFile file((path_ / name).string());
    file.write(std::as_bytes(bytes));
    file.commit();
  }
  void write(const char* name, const std::string& text) {
    write(name, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  void keep() {
    std::error_code error;
    fs::rename(path_, target_, error);
    if (error) fail(ErrorKind::Io, "{}: cannot be named: {}", target_.string(), error.message());
    path_.clear();
  }

 private:
  fs::path target_, path_;
  std::list<UnfinishedPath> unfinished_;  // should a signal end the process
};

}  // namespace

std::string predictions_csv(const Matrix& probabilities, std::span<const int32_t> ids) {
  std::string csv = "node,label";
  for (int64_t k = 0; k < probabilities.cols(); ++k) csv += fmt::format(",p{}", k);
  csv += '\n';
  const std::vector<int32_t> labels = nn::predictions(probabilities);
  for (int64_t v = 0; v < probabilities.rows(); ++v) {
    csv += fmt::format("{},{}", ids.empty() ? v : ids[v], labels[v]);
    for (Real p : probabilities.row(v)) csv += fmt::format(",{:.6g}", p);
    csv += '\n';
  }
  return csv;
}

void write_run_folder(const std::string& folder, TrainOutcome& outcome, const method::Options& options,
                      const Fingerprint& data) {
  NewFolder fresh(folder);
  const std::vector<uint8_t> model = to_safetensors(outcome.released.model);
  outcome.certificate.model_sha256 = sha256_hex(model);
  fresh.write("model.safetensors", model);
  fresh.write("certificate.json", to_json(outcome.certificate).dump(2) + "\n");
  fresh.write("config.toml", fmt::format("# graphveil train {}\n{}", outcome.certificate.method, options.to_toml()));
  fresh.write("metrics.jsonl", metrics_jsonl(outcome, data));
  if (outcome.certificate.covers == Covers::ParametersAndPredictions) {
    fresh.write("predictions.csv", predictions_csv(outcome.released.probabilities, outcome.predicted_ids));
  }
  fresh.keep();
}

}  // namespace graphveil::report
