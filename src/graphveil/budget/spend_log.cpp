#include "graphveil/budget/spend_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
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
  const nlohmann::json entry = account::parse_strict_json(line, where);
  try {
    return {entry.at("what").get<std::string>(), account::ledger_from_json(entry.at("events")),
            entry.at("delta").get<double>(), entry.at("disjoint").get<bool>(), entry.at("about").get<std::string>()};
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorKind::BadInput, "{}: is not a record of a release: {}", where, error.what());
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "{}: {}", where, error.what());
  }
}

// What composes for somebody who is in every graph but those declared disjoint.
account::Ledger shared(std::span<const Spending> entries) {
  account::Ledger ledger;
  for (const Spending& entry : entries) {
    if (!entry.disjoint) ledger.add(entry.ledger);
  }
  return ledger;
}

// A graph declared disjoint shares people with itself, should it be asked on again.
account::Ledger by_itself(std::span<const Spending> entries, const std::string& about) {
  account::Ledger ledger;
  for (const Spending& entry : entries) {
    if (entry.disjoint && entry.about == about) ledger.add(entry.ledger);
  }
  return ledger;
}

}  // namespace

std::vector<Spending> read_spend_log(const std::string& path) {
  std::ifstream in(path);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  std::vector<Spending> entries;
  for (std::string line; std::getline(in, line);) {
    entries.push_back(from_json(line, fmt::format("{}: line {}", path, entries.size() + 1)));
  }
  return entries;
}

double total_epsilon(std::span<const Spending> entries, double delta) {
  double total = account::spent_epsilon(shared(entries), delta);
  for (const Spending& entry : entries) {
    if (entry.disjoint) total = std::max(total, account::spent_epsilon(by_itself(entries, entry.about), delta));
  }
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

account::Ledger SpendLog::total_with(const Spending& next) const {
  account::Ledger ledger = next.disjoint ? by_itself(entries_, next.about) : shared(entries_);
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
