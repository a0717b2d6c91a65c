#include "graphveil/budget/spend_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
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
          {"about", spending.about},
          {"events", account::to_json(spending.ledger)}};
}

Spending from_json(const std::string& line, const std::string& where) {
  try {
    const nlohmann::json entry = account::parse_strict_json(line, where);
    return {entry.at("what").get<std::string>(), account::ledger_from_json(entry.at("events")),
            entry.at("delta").get<double>(), entry.at("disjoint").get<bool>(), entry.at("about").get<std::string>()};
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

account::Ledger SpendLog::total() const {
  account::Ledger ledger;
  for (const Spending& entry : entries_) {
    if (!entry.disjoint) ledger.add(entry.ledger);
  }
  return ledger;
}

account::Ledger SpendLog::total_with(const Spending& next) const {
  account::Ledger ledger;
  if (!next.disjoint) ledger = total();
  // A graph declared disjoint shares people with itself, should it be asked on again.
  if (next.disjoint) {
    for (const Spending& entry : entries_) {
      if (entry.disjoint && entry.about == next.about) ledger.add(entry.ledger);
    }
  }
  ledger.add(next.ledger);
  return ledger;
}

void SpendLog::add(const Spending& spending) {
  const std::string line = to_json(spending).dump() + "\n";
  if (write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(fd_) != 0) {
    fail(ErrorKind::Io, "{}: cannot be written, and every release must be recorded", path_);
  }
  entries_.push_back(spending);
}

}  // namespace graphveil::budget
