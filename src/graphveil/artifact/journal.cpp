#include "graphveil/artifact/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/strict_json.h"
#include "graphveil/base/version.h"

namespace graphveil::artifact {
namespace {

constexpr std::string_view kTraining = "training ";

// Everything but the seed, of which the document would leave copies in memory.
nlohmann::ordered_json head_json(const JournalHead& head) {
  nlohmann::ordered_json data = nlohmann::ordered_json::array();
  for (const Fingerprint& print : head.data) data.push_back({print.edges, print.features, print.labels, print.ids});
  return {{"version", head.version},    {"method", head.method}, {"options", head.options},
          {"inputs", head.inputs},      {"data", data},          {"seeded", head.seed.reproducible()},
          {"cpu_level", head.cpu_level}};
}

// What the seal of a seed covers besides it: everything else in the head.
std::string seal_name(nlohmann::ordered_json head) {
  head.erase("seed");
  return "the seed of a run " + sha256_text(head.dump());
}

// The seed as the file has it: in the clear, or sealed.
std::string seed_text(const Seed& seed, const std::optional<SealKey>& key, const std::string& name) {
  if (!key) return to_hex(seed.bytes());
  std::string text;
  for (const uint8_t byte : seal(*key, seed.bytes(), name)) text += fmt::format("{:02x}", byte);
  return text;
}

FingerprintKey seed_from_text(const std::string& text, const std::optional<SealKey>& key, const std::string& name,
                              const std::string& path) {
  const bool sealed = text.size() > 64;
  if (sealed != key.has_value()) {
    fail(ErrorKind::BadInput, "{}: {}", path,
         sealed ? "is sealed; give --checkpoint-key with the key file that the run was begun with"
                : "is not sealed; leave --checkpoint-key out");
  }
  if (!sealed) return key_from_hex(text, path);
  std::vector<uint8_t> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char* begin = text.data() + 2 * i;
    if (std::from_chars(begin, begin + 2, bytes[i], 16).ptr != begin + 2) {
      fail(ErrorKind::BadInput, "{}: its seed is not in hexadecimal", path);
    }
  }
  std::vector<uint8_t> opened = open_sealed(*key, bytes, name, path);
  FingerprintKey out{};
  const size_t size = opened.size();
  if (size == out.size()) std::copy(opened.begin(), opened.end(), out.begin());
  wipe(opened);
  if (size != out.size()) fail(ErrorKind::BadInput, "{}: its seed has {} bytes", path, size);
  return out;
}

JournalHead head_from_json(const std::string& line, const std::string& path, const std::optional<SealKey>& key) {
  const nlohmann::ordered_json document =
      nlohmann::ordered_json::parse(parse_strict_json(line, path).is_object() ? line : "null");
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  try {
    JournalHead head{
        .version = document.at("version").get<std::string>(),
        .method = document.at("method").get<std::string>(),
        .options = document.at("options").get<Pairs>(),
        .inputs = document.at("inputs").get<Pairs>(),
        .data = {},
        .seed = Seed::from_bytes(seed_from_text(document.at("seed").get<std::string>(), key, seal_name(document), path),
                                 document.at("seeded").get<bool>()),
        .cpu_level = document.at("cpu_level").get<std::string>()};
    for (const auto& print : document.at("data")) {
      head.data.push_back({print.at(0).get<std::string>(), print.at(1).get<std::string>(),
                           print.at(2).get<std::string>(), print.at(3).get<std::string>()});
    }
    return head;
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorKind::BadInput, "{}: is no journal of a run: {}", path, error.what());
  }
}

SecretText head_line(const JournalHead& head, const std::optional<SealKey>& key) {
  try {
    const nlohmann::ordered_json document = head_json(head);
    const std::string rest = document.dump();
    const SecretText seed(seed_text(head.seed, key, seal_name(document)));
    std::string line;
    line.reserve(rest.size() + seed.text().size() + 16);
    line += rest.substr(0, rest.size() - 1);
    line += ",\"seed\":\"";
    line += seed.text();
    line += "\"}\n";
    return SecretText(std::move(line));
  } catch (const nlohmann::json::exception&) {
    fail(ErrorKind::InvalidArgument, "a path or an option is not UTF-8: the journal of the run cannot name it");
  }
}

// What is said to whoever presses Ctrl-C.
std::string goodbye(const std::string& folder) {
  return fmt::format("\ngraphveil: stopped; what was done is kept, go on with: graphveil train --resume {}\n", folder);
}

std::string digest(const std::string& text) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace

Seed Journal::seed() const {
  if (head_.seed.reproducible()) return head_.seed;
  nlohmann::ordered_json document = head_json(head_);
  document.erase("inputs");  // paths: the data itself is there
  return head_.seed.derived("run " + digest(document.dump()));
}

std::string Journal::run_name() const { return sha256_hex(seed().derived("name in a budget book").bytes()); }

std::string Journal::path_of(const std::string& folder) {
  std::string path = folder;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path + ".unfinished";
}

Journal::Journal(std::string folder, JournalHead head, const std::optional<SealKey>& key)
    : path_(path_of(folder)), head_(std::move(head)), folder_(folder) {
  const SecretText line = head_line(head_, key);
  open_file(O_RDWR | O_APPEND | O_CREAT);
  try {
    // One without a whole first line is of a run that was killed before it began.
    if (read_text(path_).find('\n') != std::string::npos) {
      fail(ErrorKind::Io, "{}: a run was stopped here; go on with `train --resume {}`, or remove the file", path_,
           folder);
    }
    not_begun_.emplace(path_);
    if (ftruncate(fd_, 0) != 0) fail(ErrorKind::Io, "{}: cannot be written", path_);
    write(line.text(), true);
  } catch (...) {
    if (not_begun_) finish();
    close(fd_);
    throw;
  }
}

Journal::Journal(std::string folder, const std::optional<SealKey>& key) : path_(path_of(folder)), folder_(folder) {
  if (!std::filesystem::exists(path_)) {
    fail(ErrorKind::Io, "{}: there is no run to go on with; one that was stopped before it began is run anew", path_);
  }
  open_file(O_RDWR | O_APPEND);
  try {
    read(key);
    stay();
  } catch (...) {
    close(fd_);
    throw;
  }
}

void Journal::read(const std::optional<SealKey>& key) {
  const std::string text = read_text(path_);
  // What follows the last line break was being written when the process ended: it is done again, to the same end.
  const size_t whole = text.rfind('\n') + 1;  // 0 without one
  if (whole == 0) fail(ErrorKind::BadInput, "{}: the run was stopped before it began; run it anew", path_);
  size_t begin = std::min(text.find('\n'), whole);
  head_ = head_from_json(text.substr(0, begin), path_, key);
  for (++begin; begin < whole;) {
    const size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with(kTraining)) {
      const size_t first = kTraining.size(), cut = std::max(line.rfind(' '), first);
      trainings_.push_back({line.substr(first, cut - first), line.substr(std::min(cut + 1, line.size())), {}});
      continue;
    }
    int32_t label = -1;
    const auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), label);
    if (trainings_.empty() || error != std::errc() || last != line.data() + line.size()) {
      fail(ErrorKind::BadInput, "{}: '{}' is not a label of a training", path_, line);
    }
    trainings_.back().labels.push_back(label);
  }
  if (ftruncate(fd_, static_cast<off_t>(whole)) != 0) fail(ErrorKind::Io, "{}: cannot be written", path_);
}

Journal::~Journal() {
  if (not_begun_) finish();  // nothing was given out that would have to be given out again
  if (fd_ >= 0) close(fd_);
}

void Journal::check(const std::vector<Fingerprint>& data, const std::string& cpu_level) const {
  if (head_.version != version()) {
    fail(ErrorKind::BadInput, "{}: was begun by version {}, this is {}: only the same program goes on", path_,
         head_.version, version());
  }
  if (head_.cpu_level != cpu_level) {
    fail(
        ErrorKind::BadInput,
        "{}: was begun on CPU level {}, this is {}: it rounds otherwise, and the same noise on other values would tell "
        "them apart. Go on with GRAPHVEIL_CPU={} where the machine has it",
        path_, head_.cpu_level, cpu_level, head_.cpu_level);
  }
  if (head_.data != data) {
    fail(ErrorKind::BadInput,
         "{}: the data is not what it was when the run began; the same noise on other data would tell them apart. "
         "Restore it, or remove the file and begin anew",
         path_);
  }
}

std::vector<int32_t> Journal::begin(const std::string& training, const std::string& plan) {
  const auto found =
      std::find_if(trainings_.begin(), trainings_.end(), [&](const Training& t) { return t.name == training; });
  last_begun_ = found == trainings_.end() || found + 1 == trainings_.end();
  if (found != trainings_.end()) {
    if (found->plan != digest(plan)) {
      fail(ErrorKind::BadInput, "{}: {} was begun with another plan", path_, training);
    }
    return found->labels;
  }
  stay();
  write(fmt::format("{}{} {}\n", kTraining, training, digest(plan)), true);
  trainings_.push_back({training, digest(plan), {}});
  return {};
}

void Journal::add(int32_t label) {
  if (!last_begun_) fail(ErrorKind::Internal, "{}: a label was given out by a training that is over", path_);
  // Not flushed to the disk one by one: a label that a power cut takes is drawn again, the same.
  write(fmt::format("{}\n", label), false);
}

void Journal::stay() {
  not_begun_.reset();
  if (!farewell_) farewell_.emplace(goodbye(folder_));
}

void Journal::finish() {
  farewell_.reset();
  if (fd_ >= 0) unlink(path_.c_str());
}

void Journal::open_file(int flags) {
  fd_ = open(path_.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd_ < 0) fail(ErrorKind::Io, "{}: cannot be opened for writing", path_);
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    close(fd_);
    fd_ = -1;
    fail(ErrorKind::Io, "{}: another process has it", path_);
  }
}

void Journal::write(const std::string& text, bool flush) {
  if (::write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()) || (flush && fsync(fd_) != 0)) {
    fail(ErrorKind::Io, "{}: cannot be written, and a run that can go on keeps its answers there", path_);
  }
}

}  // namespace graphveil::artifact
