#include "graphveil/files/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::files {
namespace {

constexpr int64_t kBegin = int64_t{1} << 24;
constexpr size_t kMaxWrite = size_t{1} << 30;  // one call to write() moves at most 2 GiB

[[noreturn]] void fail_write(const std::string& path) {
  fail(ErrorKind::Io, "{}: cannot be written: {}", path, std::strerror(errno));
}

// The new name is durable once its folder is.
void sync_folder(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const int folder = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // a folder we may write to but not read
  ::fsync(folder);
  ::close(folder);
}

constexpr std::string_view kMark = ".graphveil-";
constexpr std::string_view kChance = "XXXXXX";

// Makes a file that nobody else has, and locks it while it is open; gives its name in `name`. Whoever clears away dead
// ones may have come in between: then it is made again.
int open_locked(const std::string& path, std::string& name) {
  while (true) {
    name = path + std::string(kMark) + std::string(kChance);
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) fail_write(path);
    ::flock(file, LOCK_EX);  // where there are no locks nobody is told to be dead either
    struct stat found {};
    if (::fstat(file, &found) == 0 && found.st_nlink > 0) return file;
    ::close(file);
  }
}

// Removes what a killed process left of the same file: told by the name, and by that nobody holds its lock.
void remove_dead(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path parent = fs::path(path).parent_path();
  const std::string begin = fs::path(path).filename().string() + std::string(kMark);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent.empty() ? "." : parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || name.size() != begin.size() + kChance.size()) continue;
    const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    struct stat found {};
    if (::fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == ::geteuid() &&
        ::flock(file, LOCK_EX | LOCK_NB) == 0) {
      ::unlink(entry.path().c_str());
    }
    ::close(file);
  }
}

// The umask can only be read by setting it: not by two at once.
mode_t forbidden() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) fail(ErrorKind::Io, "{}: is a folder", path_);
  fd_ = open_locked(path_, temporary_);
  unfinished_.emplace(temporary_);
  remove_dead(path_);
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), std::min(bytes.size(), kMaxWrite));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_write(path_);
    }
    bytes = bytes.subspan(static_cast<size_t>(written));
    position_ += written;
  }
  // The disk begins while more is made: commit() then waits for the rest alone.
  if (position_ - begun_ >= kBegin) {
    ::sync_file_range(fd_, begun_, position_ - begun_, SYNC_FILE_RANGE_WRITE);
    begun_ = position_;
  }
}

void AtomicFile::write_at(int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), std::min(bytes.size(), kMaxWrite), offset);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_write(path_);
    }
    bytes = bytes.subspan(static_cast<size_t>(written));
    offset += written;
  }
}

void AtomicFile::reserve(int64_t bytes) {
  errno = posix_fallocate(fd_, 0, std::max<int64_t>(bytes, 1));
  if (errno != 0) fail_write(path_);
  reserved_ = true;
}

void AtomicFile::pad_to(int64_t alignment) {
  static constexpr std::array<std::byte, 64> kZeros{};
  while (position_ % alignment != 0) {
    write(std::span(kZeros).first(static_cast<size_t>(std::min<int64_t>(64, alignment - position_ % alignment))));
  }
}

void AtomicFile::commit(mode_t mode) {
  if (reserved_ && ::ftruncate(fd_, position_) != 0) fail_write(path_);
  if (::fchmod(fd_, mode & ~forbidden()) != 0 || ::fsync(fd_) != 0) fail_write(path_);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail_write(path_);
  committed_ = true;
  sync_folder(path_);
}

}  // namespace graphveil::files
