#include "graphveil/artifact/checkpoint_folder.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "graphveil/artifact/journal.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/sealed.h"
#include "graphveil/base/error.h"
#include "graphveil/files/atomic_file.h"

namespace graphveil::artifact {

namespace fs = std::filesystem;

std::string CheckpointFolder::path_of(const std::string& folder) { return Journal::path_of(folder) + ".stages"; }

CheckpointFolder::CheckpointFolder(const std::string& folder, const Seed& seed, std::chrono::duration<double> every,
                                   std::function<void()> before_first)
    : path_(path_of(folder)),
      seed_(seed.derived("checkpoints")),
      every_(every),
      last_(std::chrono::steady_clock::now()),
      before_first_(std::move(before_first)) {}

std::string CheckpointFolder::next(const std::string& kind) { return fmt::format("{} {}", stages_++, kind); }

std::string CheckpointFolder::file_of(const std::string& stage) const {
  return (fs::path(path_) / (stage.substr(0, stage.find(' ')) + ".stage")).string();
}

std::optional<std::vector<uint8_t>> CheckpointFolder::load(const std::string& stage) {
  const std::string path = file_of(stage);
  std::error_code error;
  if (!fs::exists(path, error) && !error) return std::nullopt;
  return open_sealed(seed_.bytes(), read_file(path), stage,
                     path + " (remove it, and that part of the run is done again)");
}

void CheckpointFolder::save(const std::string& stage, std::span<const uint8_t> bytes) {
  if (before_first_) std::exchange(before_first_, nullptr)();
  if (mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST) fail(ErrorKind::Io, "{}: cannot be made", path_);
  const std::vector<uint8_t> sealed = seal(seed_.bytes(), bytes, stage);
  const std::string path = file_of(stage);
  files::AtomicFile file(path);
  file.write(std::as_bytes(std::span(sealed)));
  file.commit(0600);
  last_ = std::chrono::steady_clock::now();
}

bool CheckpointFolder::due() const { return std::chrono::steady_clock::now() - last_ >= every_; }

void CheckpointFolder::remove() const {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace graphveil::artifact
