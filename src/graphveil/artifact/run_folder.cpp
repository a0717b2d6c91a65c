#include "graphveil/artifact/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

#include <cerrno>
#include <filesystem>
#include <list>
#include <mutex>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "graphveil/artifact/layout.h"
#include "graphveil/base/error.h"
#include "graphveil/base/unfinished_path.h"
#include "graphveil/files/atomic_file.h"

namespace graphveil::artifact {
namespace {

namespace fs = std::filesystem;

// In a folder from its first to its last moment without a name of its own; takes the room that it will need.
constexpr const char* kMarker = ".unfinished";
constexpr int64_t kSmallRun = 1 << 20;  // bytes

bool is_public(std::string_view part) { return part == kRelease; }

}  // namespace

struct RunFolder::State {
  fs::path target, path;
  int lock = -1;
  bool claimed = false;                  // the path is ours to remove
  std::vector<fs::path> parents;         // made on the way, outermost first
  std::list<UnfinishedPath> unfinished;  // should a signal end the process
  std::mutex placing;

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

  // Whether no file is there but a marker's: what a run leaves that is killed at its beginning, or while it clears up.
  bool only_begun() const {
    return std::ranges::all_of(fs::recursive_directory_iterator(path), [](const fs::directory_entry& entry) {
      return (entry.is_directory() && !entry.is_symlink()) || entry.path().filename().string().starts_with(kMarker);
    });
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
    if (!made && !only_begun() && !fs::exists(marker())) {
      fail(ErrorKind::Io, "{}: is in the way, and is not what an unfinished run left; move it", path.string());
    }
    claimed = true;
    // The marker is there before anything else is.
    if (const int file = open(marker().c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600); file >= 0)
      close(file);
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
  // Makes the part where it is not there yet. The room that was set aside is for what is written now.
  fs::path folder_of(const char* part) {
    fs::resize_file(marker(), 0);  // it goes when the folder has its name
    const fs::path folder = path / part;
    if (!fs::exists(folder)) make(folder, is_public(part) ? 0755 : 0700);
    return folder;
  }
  std::string place_of(const char* part, const char* name) {
    const std::lock_guard placed_by_one(placing);  // files may be written side by side
    std::string place = (folder_of(part) / name).string();
    unfinished.emplace_back(place);
    return place;
  }
  void write(const char* part, const char* name, const std::function<void(const Put&)>& pieces) {
    files::AtomicFile file(place_of(part, name));
    pieces([&](std::span<const uint8_t> bytes) { file.write(std::as_bytes(bytes)); });
    file.commit(is_public(part) ? 0666 : 0600);
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

void RunFolder::write(const char* part, const char* name, const std::function<void(const Put&)>& pieces) {
  state_->write(part, name, pieces);
}

void RunFolder::write(const char* part, const char* name, std::span<const uint8_t> bytes) {
  write(part, name, [&](const Put& put) { put(bytes); });
}

void RunFolder::write(const char* part, const char* name, const std::string& text) {
  write(part, name, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

std::string RunFolder::place(const char* part, const char* name) { return state_->place_of(part, name); }

void RunFolder::finish() {
  std::error_code error;
  fs::rename(state_->path, state_->target, error);
  if (error) fail(ErrorKind::Io, "{}: cannot be named: {}", state_->target.string(), error.message());
  state_->claimed = false;
  state_->parents.clear();
  unlink((state_->target / kMarker).c_str());
}

}  // namespace graphveil::artifact
