#include "graphveil/budget/spend_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
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

}  // namespace

std::vector<Spending> read_spend_log(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    fail(ErrorKind::Io, "{}: is not a regular file", path);
  }
  std::ifstream in(path);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  std::vector<Spending> entries;
  for (std::string line; std::getline(in, line);) {
    entries.push_back(from_json(line, fmt::format("{}: line {}", path, entries.size() + 1)));
  }
  return entries;
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
  if (write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(fd_) != 0) {
    fail(ErrorKind::Io, "{}: cannot be written, and every release must be recorded", path_);
  }
  entries_.push_back(spending);
}

}  // namespace graphveil::budget
