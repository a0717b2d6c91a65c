#include "graphveil/budget/spend_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/drawn.h"
#include "graphveil/account/event_json.h"
#include "graphveil/base/error.h"
#include "graphveil/base/strict_json.h"

namespace graphveil::budget {
namespace {

nlohmann::ordered_json to_json(const Spending& spending) {
  return {{"what", spending.what},
          {"delta", spending.delta},
          {"disjoint", spending.disjoint},
          {"people", spending.people},
          {"events", account::to_json(spending.ledger)}};
}

Spending from_json(const std::string& line, const std::string& where) {
  const nlohmann::json entry = parse_strict_json(line, where);
  try {
    return {entry.at("what").get<std::string>(), account::ledger_from_json(entry.at("events")),
            entry.at("delta").get<double>(), entry.at("disjoint").get<bool>(), entry.at("people").get<std::string>()};
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorKind::BadInput, "{}: is not a record of a release: {}", where, error.what());
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "{}: {}", where, error.what());
  }
}

// What follows the last line break was being written when the disk was full or the process ended. A line pays only once
// it is on the disk with its end, so nothing was drawn for that one. Written whole but for its end, it counts all the
// same: that costs nobody anything. The first line is there before the run has its name: torn, it is damage.
size_t whole_bytes(std::string_view text) {
  const size_t lines = text.rfind('\n') + 1;  // 0 without one
  return lines == 0 || nlohmann::json::accept(text.substr(lines)) ? text.size() : lines;
}

std::vector<Spending> parsed(std::string_view text, const std::string& path) {
  std::vector<Spending> entries;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    entries.push_back(from_json(std::string(line), fmt::format("{}: line {}", path, entries.size() + 1)));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return entries;
}

// Leaves whole lines alone in a log that is open and locked.
void cut_back(int file, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const size_t whole = whole_bytes(text);
  bool good = in.good() || in.eof();
  if (good && whole < text.size()) good = ftruncate(file, static_cast<off_t>(whole)) == 0;
  if (good && whole > 0 && text[whole - 1] != '\n') good = write(file, "\n", 1) == 1;
  if (!good) fail(ErrorKind::Io, "{}: cannot be written, and every release must be recorded", path);
}

}  // namespace

std::vector<Spending> read_spend_log(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    fail(ErrorKind::Io, "{}: is not a regular file", path);
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parsed(std::string_view(text).substr(0, whole_bytes(text)), path);
}

double total_epsilon(std::span<const Spending> entries, double delta) {
  // People of a graph that was ever read without the declaration belong to the common group.
  std::set<std::string> common;
  for (const Spending& entry : entries) {
    if (!entry.disjoint) common.insert(entry.people);
  }
  account::Ledger shared;
  std::map<std::string, account::Ledger> apart;
  for (const Spending& entry : entries) {
    (common.count(entry.people) > 0 ? shared : apart[entry.people]).add(entry.ledger);
  }
  double total = account::drawn_epsilon(shared, delta);
  for (const auto& [people, ledger] : apart) total = std::max(total, account::drawn_epsilon(ledger, delta));
  return total;
}

SpendLog::SpendLog(std::string path, File file) : path_(std::move(path)) {
  const int flags = O_RDWR | O_APPEND | O_CLOEXEC | (file == File::New ? O_CREAT | O_EXCL : 0);
  fd_ = open(path_.c_str(), flags, 0600);
  if (fd_ < 0) fail(ErrorKind::Io, "{}: cannot be opened for writing, and every release must be recorded", path_);
  try {
    if (flock(fd_, LOCK_EX) != 0) fail(ErrorKind::Io, "{}: cannot be locked", path_);
    entries_ = read_spend_log(path_);
    cut_back(fd_, path_);
  } catch (...) {
    close(fd_);
    throw;
  }
}

SpendLog::~SpendLog() { close(fd_); }

bool SpendLog::shares_people(const std::string& people) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Spending& entry) { return !entry.disjoint && entry.people == people; });
}

void SpendLog::add(const Spending& spending) {
  const std::string line = to_json(spending).dump() + "\n";
  const off_t before = lseek(fd_, 0, SEEK_END);
  if (before < 0 || write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(fd_) != 0) {
    // Nothing was drawn for it. Should the cut fail as well, the next one to open the log makes it.
    [[maybe_unused]] const int cut = before < 0 ? -1 : ftruncate(fd_, before);
    fail(ErrorKind::Io, "{}: cannot be written, and every release must be recorded", path_);
  }
  entries_.push_back(spending);
}

}  // namespace graphveil::budget
