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

#include "graphveil/account/event_json.h"
#include "graphveil/account/group_epsilon.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/random.h"
#include "graphveil/base/strict_json.h"

namespace graphveil::budget {
namespace {

std::string to_line(const Spending& spending, size_t number, const std::string& previous) {
  nlohmann::ordered_json entry = {{"entry", number},
                                  {"previous", previous},
                                  {"id", spending.id},
                                  {"what", spending.what},
                                  {"delta", spending.delta},
                                  {"disjoint", spending.disjoint},
                                  {"people", spending.people},
                                  {"certificate", spending.certificate},
                                  {"predictions", spending.predictions},
                                  {"events", account::to_json(spending.ledger)}};
  if (!spending.joined.empty()) entry["joined"] = spending.joined;
  return entry.dump();
}

// The line of this number, which follows a line of that hash.
Spending from_line(const std::string& line, size_t number, const std::string& previous, const std::string& where) {
  const nlohmann::json entry = parse_strict_json(line, where);
  try {
    const auto found = entry.at("entry").get<size_t>();
    if (found != number || entry.at("previous").get<std::string>() != previous) {
      fail(ErrorKind::BadInput,
           "is release {} and does not follow the line before: a line is lost or was changed, so what was spent is not "
           "known",
           found);
    }
    return {entry.at("what").get<std::string>(),
            account::ledger_from_json(entry.at("events")),
            entry.at("delta").get<double>(),
            entry.at("disjoint").get<bool>(),
            entry.at("people").get<std::string>(),
            entry.at("certificate").get<std::string>(),
            entry.at("predictions").get<std::string>(),
            entry.contains("id") ? entry.at("id").get<std::string>() : sha256_text(line),
            entry.contains("joined") ? entry.at("joined").get<std::vector<std::string>>() : std::vector<std::string>()};
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

std::string head_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".head").string();
}

// The log had so many lines, the last of this hash, when the file beside it was written.
struct Head {
  size_t count = 0;
  std::string hash;
};

Head read_head(const std::string& path) {
  std::ifstream in(head_path(path));
  Head head;
  if (!(in >> head.count >> head.hash)) {
    fail(ErrorKind::BadInput, "{}: {} cannot be read, so whether a line of the log is lost is not known", path,
         head_path(path));
  }
  return head;
}

// Now it has as many lines or more.
void check_head(const std::string& path, const Head& head, const std::vector<std::string>& hashes) {
  if (head.count == 0 || head.count > hashes.size()) {
    fail(ErrorKind::BadInput, "{}: has {} lines and had {}: a line is lost, so what was spent is not known", path,
         hashes.size(), head.count);
  }
  if (hashes[head.count - 1] != head.hash) {
    fail(ErrorKind::BadInput, "{}: line {} is not what was written: what was spent is not known", path, head.count);
  }
}

// After the line itself: a crash between the two leaves a log that is ahead, never one that seems to have lost a line.
void write_head(const std::string& path, size_t count, const std::string& hash) {
  const std::string place = head_path(path), fresh = place + ".new", text = fmt::format("{} {}\n", count, hash);
  const int file = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  const bool written =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(file) == 0;
  if (file >= 0) close(file);
  if (!written || rename(fresh.c_str(), place.c_str()) != 0) {
    unlink(fresh.c_str());
    fail(ErrorKind::Io, "{}: cannot be written, and every release must be recorded", place);
  }
}

struct Lines {
  std::vector<Spending> entries;
  std::vector<std::string> hashes;
};

Lines read_lines(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    fail(ErrorKind::Io, "{}: is not a regular file", path);
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Lines lines;
  for (std::string_view rest = std::string_view(text).substr(0, whole_bytes(text)); !rest.empty();) {
    const std::string line(rest.substr(0, rest.find('\n')));
    const size_t number = lines.entries.size() + 1;
    lines.entries.push_back(from_line(line, number, lines.hashes.empty() ? "" : lines.hashes.back(),
                                      fmt::format("{}: line {}", path, number)));
    lines.hashes.push_back(sha256_text(line));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return lines;
}

}  // namespace

std::string new_release_id() {
  const Seed chance = Seed::from_system();
  return sha256_hex(chance.bytes()).substr(0, 32);
}

std::vector<Spending> read_spend_log(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) fail(ErrorKind::Io, "{}: cannot be opened", path);
  // First: a line that another process adds meanwhile is then one more, not one that is lost.
  const Head head = read_head(path);
  Lines lines = read_lines(path);
  check_head(path, head, lines.hashes);
  return std::move(lines.entries);
}

double total_epsilon(std::span<const Spending> entries, double delta, account::Accountant accountant, int64_t group) {
  // People of a graph that was ever read without the declaration belong to the common group.
  std::set<std::string> common;
  for (const Spending& entry : entries) {
    if (!entry.disjoint) common.insert(entry.people);
  }
  account::Ledger shared, everybody;
  std::map<std::string, account::Ledger> apart;
  for (const Spending& entry : entries) {
    (entry.people.empty()             ? everybody
     : common.count(entry.people) > 0 ? shared
                                      : apart[entry.people])
        .add(entry.ledger);
  }
  shared.add(everybody);
  double total = account::group_epsilon(shared, delta, group, accountant);
  for (auto& [people, ledger] : apart) {
    ledger.add(everybody);
    total = std::max(total, account::group_epsilon(ledger, delta, group, accountant));
  }
  return total;
}

SpendLog::SpendLog(std::string path, File file) : path_(std::move(path)) {
  const int flags = O_RDWR | O_APPEND | O_CLOEXEC | (file == File::New ? O_CREAT | O_EXCL : 0);
  fd_ = open(path_.c_str(), flags, 0600);
  if (fd_ < 0) fail(ErrorKind::Io, "{}: cannot be opened for writing, and every release must be recorded", path_);
  try {
    if (flock(fd_, LOCK_EX) != 0) fail(ErrorKind::Io, "{}: cannot be locked", path_);
    Lines lines = read_lines(path_);
    if (file == File::Existing) {
      const Head head = read_head(path_);
      check_head(path_, head, lines.hashes);
      // Nobody else writes now. A crash between a line and the head leaves it one behind, and the next line mends that.
      if (head.count + 1 < lines.hashes.size()) {
        fail(ErrorKind::BadInput,
             "{}: has {} lines, and the head beside it is of line {}: one of them is not of this run", path_,
             lines.hashes.size(), head.count);
      }
    }
    cut_back(fd_, path_);
    entries_ = std::move(lines.entries);
    if (!lines.hashes.empty()) last_ = lines.hashes.back();
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

void SpendLog::add(const Spending& given) {
  Spending spending = given;
  if (spending.id.empty()) spending.id = new_release_id();
  const std::string text = to_line(spending, entries_.size() + 1, last_), line = text + "\n";
  const off_t before = lseek(fd_, 0, SEEK_END);
  if (before < 0 || write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fsync(fd_) != 0) {
    // Nothing was drawn for it. Should the cut fail as well, the next one to open the log makes it.
    [[maybe_unused]] const int cut = before < 0 ? -1 : ftruncate(fd_, before);
    fail(ErrorKind::Io, "{}: cannot be written, and every release must be recorded", path_);
  }
  const std::string hash = sha256_text(text);
  try {
    write_head(path_, entries_.size() + 1, hash);
  } catch (...) {
    // Nothing was drawn for this line either.
    [[maybe_unused]] const int cut = ftruncate(fd_, before);
    throw;
  }
  entries_.push_back(std::move(spending));
  last_ = hash;
}

}  // namespace graphveil::budget
