#include "graphveil/report/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <list>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/unfinished_path.h"
#include "graphveil/base/version.h"
#include "graphveil/budget/spend_log.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/report/certificate_page.h"
#include "graphveil/run/layout.h"
#include "graphveil/run/predictions_csv.h"
#include "graphveil/run/safetensors.h"
#include "graphveil/run/signature.h"

namespace graphveil::report {
namespace {

namespace fs = std::filesystem;

// Class names that nobody declared public were read off labels: not where those are private and predictions are not.
graph::Names public_names(const run::Certificate& c, const run::TrainOutcome& outcome) {
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
                                   {"classes", class_scores_json(e, outcome.class_names)},
                                   {"confusion", e.confusion},
                                   {"kept", r == 0},
                                   {"seconds", outcome.seconds[r]}};
    if (e.roc_auc) line["roc_auc"] = *e.roc_auc;
    if (!outcome.trials.empty()) line["trials"] = trials_json(outcome.trials[r]);
    const auto& diagnostics = outcome.trained.output.diagnostics.private_value();
    if (r == 0 && !diagnostics.empty()) line["diagnostics, not releasable"] = diagnostics;
    lines += line.dump() + "\n";
  }
  return lines;
}

const char* folder_of(mechanism::Audience audience) {
  switch (audience) {
    case mechanism::Audience::Public: return run::kRelease;
    case mechanism::Audience::Owner: return run::kOwners;
    case mechanism::Audience::Holder: return run::kHolder;
  }
  return run::kHolder;
}

// In a folder from its first to its last moment without a name of its own; takes the room that it will need.
constexpr const char* kMarker = ".unfinished";
constexpr int64_t kSmallRun = 1 << 20;  // bytes

bool is_public(std::string_view part) { return part == run::kRelease; }

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

struct RunFolder::State {
  fs::path target, path;
  int lock = -1;
  bool claimed = false;                  // the path is ours to remove
  std::vector<fs::path> parents;         // made on the way, outermost first
  std::list<UnfinishedPath> unfinished;  // should a signal end the process

  void make(const fs::path& folder, mode_t mode) {
    if (mkdir(folder.c_str(), mode) != 0) {
      fail(ErrorKind::Io, "{}: cannot be made: {}", folder.string(), std::generic_category().message(errno));
    }
    unfinished.emplace_back(folder.string());
  }
  fs::path marker() const { return path / kMarker; }
  // Leaves nothing behind of what was begun.
  ~State() {
    if (claimed) clear();
    if (claimed) unlink(marker().c_str());
    if (claimed) rmdir(path.c_str());
    // Those that nobody else has put anything into.
    for (auto parent = parents.rbegin(); parent != parents.rend(); ++parent) rmdir(parent->c_str());
    if (lock >= 0) close(lock);
  }

  // Removes everything but the marker: a kill in between leaves what the next run takes over.
  void clear() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path, ignored)) {
      if (entry.path().filename() != kMarker) fs::remove_all(entry.path(), ignored);
    }
  }

  // Makes the folder, or takes over what a killed run left: told by its marker, and by that nobody holds its lock.
  void claim() {
    const bool made = mkdir(path.c_str(), 0755) == 0;
    if (!made && errno != EEXIST) {
      fail(ErrorKind::Io, "{}: cannot be made: {}", target.string(), std::generic_category().message(errno));
    }
    // A link would have us empty somebody's own folder.
    lock = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0 && (errno == ELOOP || errno == ENOTDIR)) {
      fail(ErrorKind::Io, "{}: is in the way, and is no folder; move it", path.string());
    }
    struct stat locked {
    }, there{};
    const bool mine = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &locked) == 0 &&
                      lstat(path.c_str(), &there) == 0 && locked.st_ino == there.st_ino;
    if (!mine) fail(ErrorKind::Io, "{}: another run is writing it", target.string());
    if (!made && !fs::is_empty(path) && !fs::exists(marker())) {
      fail(ErrorKind::Io, "{}: is in the way, and is not what an unfinished run left; move it", path.string());
    }
    claimed = true;
    clear();
    unfinished.emplace_back(path.string());
    unfinished.emplace_back(marker().string());
  }
  void reserve(int64_t bytes) const {
    const int file = open(marker().c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
    const int error = file < 0 ? errno : posix_fallocate(file, 0, bytes);
    if (file >= 0) close(file);
    if (error != 0) {
      fail(ErrorKind::Io, "{}: cannot be written: {}", target.string(), std::generic_category().message(error));
    }
  }
  void make_parents(const fs::path& folder) {
    if (folder.empty() || fs::exists(folder)) return;
    make_parents(folder.parent_path());
    make(folder, 0777);
    parents.push_back(folder);
  }
  void write(const char* part, const char* name, std::span<const uint8_t> bytes) {
    const fs::path folder = path / part;
    if (!fs::exists(folder)) make(folder, is_public(part) ? 0755 : 0700);
    unfinished.emplace_back((folder / name).string());
    files::AtomicFile file((folder / name).string());
    file.write(std::as_bytes(bytes));
    file.commit(is_public(part) ? 0666 : 0600);
  }
  void write(const char* part, const char* name, const std::string& text) {
    write(part, name, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
};

RunFolder::RunFolder(std::string folder) : state_(std::make_unique<State>()) {
  require(!folder.empty(), "--out is empty, want the name of a folder");
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  state_->target = folder;
  state_->path = folder + ".part";
  if (fs::exists(state_->target)) {
    fail(ErrorKind::Io, "{}: exists already; choose another folder or remove it", folder);
  }
  state_->make_parents(state_->target.parent_path());
  state_->claim();
  reserve(kSmallRun);
}

void RunFolder::reserve(int64_t bytes) { state_->reserve(bytes); }

RunFolder::~RunFolder() = default;

void RunFolder::write(run::TrainOutcome& outcome, const run::Experiment& experiment, const run::Fingerprint& data,
                      const std::optional<std::string>& signing_key) {
  run::Certificate& c = outcome.certificate;
  const method::Output& output = outcome.trained.output;
  const char* release = c.valid() ? run::kRelease : run::kHolder;  // without a guarantee nothing may leave
  const run::FingerprintKey key = run::new_fingerprint_key();
  const std::vector<uint8_t> model = run::to_safetensors(output.model.value());
  const std::string config = run::config_text(experiment);
  c.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  c.model_sha256 = sha256_hex(model);
  c.config_sha256 = sha256_text(config);
  c.data_fingerprint = run::keyed(key, data);
  const char* audience = c.valid() ? folder_of(method::audience(output.predictions)) : run::kHolder;
  const std::string predictions = run::predictions_csv(method::values(output.predictions),
                                                       {outcome.ids, outcome.predicted_ids, public_names(c, outcome)});
  // Of others not even the hash is public.
  if (is_public(audience)) c.predictions_sha256 = sha256_text(predictions);
  const std::string certificate = to_json(c).dump(2) + "\n";
  fs::resize_file(state_->marker(), 0);  // gives the room to what follows; goes when the folder has its name

  state_->write(release, run::kModel, model);
  state_->write(release, run::kConfig, config);
  if (!outcome.schema.empty()) state_->write(release, run::kSchema, outcome.schema);
  state_->write(release, run::kCertificate, certificate);
  state_->write(release, run::kCertificatePage, certificate_page(c));
  if (signing_key) state_->write(release, run::kSignature, run::sign(*signing_key, certificate));
  state_->write(audience, run::kPredictions, predictions);
  state_->write(run::kHolder, run::kMetrics, metrics_jsonl(outcome));
  if (!output.sums.private_value().empty()) {
    state_->write(run::kHolder, run::kSums, run::to_safetensors(output.sums.private_value()));
  }
  state_->write(run::kHolder, run::kKey, run::to_hex(key) + "\n");
  {
    const std::string log = (state_->path / run::kHolder / run::kReleases).string();
    state_->unfinished.emplace_back(log);
    budget::SpendLog(log, budget::SpendLog::File::New)
        .add({"training", c.plan.ledger(), c.delta, false, run::keyed(key, data.features)});
  }
  std::error_code error;
  fs::rename(state_->path, state_->target, error);
  if (error) fail(ErrorKind::Io, "{}: cannot be named: {}", state_->target.string(), error.message());
  state_->claimed = false;
  state_->parents.clear();
  unlink((state_->target / kMarker).c_str());
}

}  // namespace graphveil::report
