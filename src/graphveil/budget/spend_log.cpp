#include "graphveil/budget/spend_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/event_json.h"
#include "graphveil/account/strict_json.h"
#include "graphveil/base/error.h"

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
  try {
    const nlohmann::json entry = account::parse_strict_json(line, where);
    return {entry.at("what").get<std::string>(), account::ledger_from_json(entry.at("events")),
            entry.at("delta").get<double>(), entry.at("disjoint").get<bool>(), entry.at("people").get<std::string>()};
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorKind::BadInput, "{}: is not a record of a release: {}", where, error.what());
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "{}: {}", where, error.what());
  }
}

}  // namespace

SpendLog::SpendLog(std::string path) : path_(std::move(path)) {
  fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd_ < 0) fail(ErrorKind::Io, "{}: cannot be opened for writing, and every release must be recorded", path_);
  if (flock(fd_, LOCK_EX) != 0) {
    close(fd_);
    fail(ErrorKind::Io, "{}: cannot be locked", path_);
  }
  try {
    std::ifstream in(path_);
    size_t number = 0;
    for (std::string line; std::getline(in, line); ++number) {
      entries_.push_back(from_json(line, fmt::format("{}: line {}", path_, number + 1)));
    }
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

std::vector<account::Ledger> SpendLog::totals(const Spending* next) const {
  std::vector<const Spending*> all;
  for (const Spending& entry : entries_) all.push_back(&entry);
  if (next != nullptr) all.push_back(next);
  // People of a graph that was ever read without the declaration belong to the common group.
  std::set<std::string> common;
  for (const Spending* spending : all) {
    if (!spending->disjoint) common.insert(spending->people);
  }
  account::Ledger shared;
  std::map<std::string, account::Ledger> apart;
  for (const Spending* spending : all) {
    (common.count(spending->people) > 0 ? shared : apart[spending->people]).add(spending->ledger);
  }
  std::vector<account::Ledger> ledgers{shared};
  for (const auto& [people, ledger] : apart) ledgers.push_back(ledger);
  return ledgers;
}

void SpendLog::add(const Spending& spending) {
  const std::string line = to_json(spending).dump() + "\n";
  if (write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(fd_) != 0) {
    fail(ErrorKind::Io, "{}: cannot be written, and every release must be recorded", path_);
  }
  entries_.push_back(spending);
}

}  // namespace graphveil::budget
