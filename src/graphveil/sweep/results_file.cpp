#include "graphveil/sweep/results_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/error.h"

namespace graphveil::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";
constexpr auto kPatience = std::chrono::seconds(5);

struct Whole {
  std::vector<Result> results;
  size_t bytes = 0;  // that whole lines take
};

// A last line without its end, or one that a crash left unreadable, was never counted.
Whole whole_lines(const std::string& text, const std::string& path) {
  Whole out;
  int64_t number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string line = text.substr(begin, end - begin);
    if (end + 1 == text.size() && !nlohmann::json::accept(line)) break;
    begin = out.bytes = end + 1;
    if (!line.empty()) out.results.push_back(parse_result(line, fmt::format("{}: line {}", path, number)));
  }
  return out;
}

}  // namespace

ResultLines read_results(const std::string& path) {
  const std::string text = artifact::read_text(path);
  Whole whole = whole_lines(text, path);
  ResultLines out{path, {}, whole.bytes < text.size()};
  std::map<std::string, size_t> places;
  for (Result& result : whole.results) {
    const auto [place, first] = places.emplace(result.id, out.lines.size());
    if (first) {
      out.lines.push_back(std::move(result));
    } else {
      out.lines[place->second] = std::move(result);
    }
  }
  return out;
}

ResultsFile::ResultsFile(std::string folder)
    : folder_(std::move(folder)), path_((fs::path(folder_) / kResults).string()) {
  require(!folder_.empty(), "a sweep needs a folder: give --out");
  std::error_code error;
  if (fs::exists(folder_, error) && !fs::exists(path_, error) && !fs::exists(fs::path(folder_) / kLock, error)) {
    if (!fs::is_directory(folder_, error)) fail(ErrorKind::Io, "{}: is a file, want a folder", folder_);
    if (!fs::is_empty(folder_, error)) {
      fail(ErrorKind::Io, "{}: has files in it and is no folder of a sweep; choose another", folder_);
    }
  }
  // Accuracies are read off private labels: a new folder is for its owner alone, and so are all files.
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  if (error) fail(ErrorKind::Io, "{}: {}", folder_, error.message());
  // The programs that a sweep starts inherit the lock: as long as one of them runs, nobody else begins here.
  lock_ = ::open((fs::path(folder_) / kLock).c_str(), O_RDWR | O_CREAT, 0600);
  if (lock_ < 0) fail(ErrorKind::Io, "{}: {}", folder_, std::strerror(errno));
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (std::chrono::steady_clock::now() >= until) {
      ::close(std::exchange(lock_, -1));
      fail(ErrorKind::Io, "{}: another sweep is at work in this folder; wait for it, or choose another --out", folder_);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  try {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file_ < 0) fail(ErrorKind::Io, "{}: {}", path_, std::strerror(errno));
    const std::string text = artifact::read_text(path_);
    Whole whole = whole_lines(text, path_);
    if (whole.bytes < text.size() && ::ftruncate(file_, static_cast<off_t>(whole.bytes)) != 0) {
      fail(ErrorKind::Io, "{}: {}", path_, std::strerror(errno));
    }
    for (Result& result : whole.results) {
      std::string id = result.id;
      results_.insert_or_assign(std::move(id), std::move(result));
    }
  } catch (...) {
    if (file_ >= 0) ::close(file_);
    ::close(lock_);
    throw;
  }
}

ResultsFile::~ResultsFile() {
  if (file_ >= 0) ::close(file_);
  if (lock_ >= 0) ::close(lock_);
}

void ResultsFile::add(const Result& result) {
  const std::string text = result.line + "\n";
  const off_t before = ::lseek(file_, 0, SEEK_END);
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t got = ::write(file_, text.data() + written, text.size() - written);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    written += static_cast<size_t>(got);
  }
  if (written < text.size() || ::fdatasync(file_) != 0) {
    const int reason = errno;
    [[maybe_unused]] const int cut = ::ftruncate(file_, before);
    fail(ErrorKind::Io, "{}: a result cannot be written: {}", path_, std::strerror(reason));
  }
  results_.insert_or_assign(result.id, result);
}

}  // namespace graphveil::sweep
