#include "graphveil/files/text_rows.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "graphveil/files/bad_input.h"
#include "graphveil/files/expansion.h"
#include "graphveil/files/label_bins.h"

namespace graphveil::files {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 17;
constexpr size_t kMaxLineBytes = size_t{1} << 26;

bool is_separator(char c) { return c == ',' || c == ' ' || c == '\t' || c == ';' || c == '\r'; }

bool starts_with_number(std::string_view line) {
  const char c = line[0];
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || line.starts_with("nan") ||
         line.starts_with("NaN") || line.starts_with("inf");
}

// For messages: a file may hold anything.
std::string printable(std::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown;
}

}  // namespace

struct TextRows::Stream {
  gzFile file = nullptr;
  int64_t file_bytes = 0;
  int64_t unpacked = 0;
  int64_t told = 0;  // of progress
  std::vector<char> buffer;
  size_t begin = 0;  // what has not been handed out yet
  size_t end = 0;
  bool at_end = false;

  ~Stream() {
    if (file) gzclose(file);
  }
};

TextRows::TextRows(const std::string& path) : file_(path), stream_(std::make_unique<Stream>()) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail(ErrorKind::Io, "{}: cannot be opened: {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(ErrorKind::Io, "{}: not a regular file", path);
  stream_->file = gzopen(path.c_str(), "rb");
  if (!stream_->file) fail(ErrorKind::Io, "{}: cannot be opened: {}", path, std::strerror(errno));
  stream_->file_bytes = status.st_size;
  stream_->buffer.resize(kBufferBytes);
  progress_ = std::make_unique<Progress>("reading " + std::filesystem::path(path).filename().string(), status.st_size);
}

TextRows::~TextRows() = default;

bool TextRows::next_line() {
  Stream& s = *stream_;
  size_t searched = s.begin;
  while (true) {
    const auto* found = static_cast<const char*>(std::memchr(s.buffer.data() + searched, '\n', s.end - searched));
    if (found || (s.at_end && s.begin < s.end)) {
      const size_t stop = found ? static_cast<size_t>(found - s.buffer.data()) : s.end;
      line_ = {s.buffer.data() + s.begin, stop - s.begin};
      s.begin = std::min(stop + 1, s.end);
      return true;
    }
    if (s.at_end) return false;

    // Keep the started line at the front of the buffer and read on behind it.
    std::memmove(s.buffer.data(), s.buffer.data() + s.begin, s.end - s.begin);
    s.end -= s.begin;
    s.begin = 0;
    searched = s.end;
    if (s.end == s.buffer.size()) {
      if (s.end >= kMaxLineBytes) bad_row(file_, "line", row_ + 1, "is longer than {} bytes", kMaxLineBytes);
      s.buffer.resize(2 * s.buffer.size());
    }
    const int got = gzread(s.file, s.buffer.data() + s.end, static_cast<unsigned>(s.buffer.size() - s.end));
    int code = Z_OK;
    if (got <= 0) gzerror(s.file, &code);
    if (got < 0 || code != Z_OK) bad_row(file_, "line", row_ + 1, "the compressed data is damaged or cut short");
    s.at_end = got == 0;
    s.end += static_cast<size_t>(got);
    s.unpacked += got;
    if (s.unpacked > expansion_limit(s.file_bytes)) {
      bad_row(file_, "line", row_ + 1, "unpacks to more than {} bytes, which {} bytes cannot hold honestly",
              expansion_limit(s.file_bytes), s.file_bytes);
    }
    const int64_t at = gzoffset(s.file);
    if (at > s.told) progress_->advance(at - s.told);
    s.told = std::max(at, s.told);
  }
}

bool TextRows::next() {
  while (next_line()) {
    while (!line_.empty() && is_separator(line_.back())) line_.remove_suffix(1);
    while (!line_.empty() && is_separator(line_.front())) line_.remove_prefix(1);
    if (line_.empty() || line_[0] == '#') continue;
    const bool header = row_ < 0 && !starts_with_number(line_);
    if (header && !header_seen_) {
      header_seen_ = true;
      continue;
    }
    ++row_;
    return true;
  }
  return false;
}

template <typename T>
int64_t TextRows::append_numbers(std::vector<T>& out) const {
  const char* at = line_.data();
  const char* const end = at + line_.size();
  int64_t count = 0;
  while (at < end) {
    T value{};
    const auto [next, error] = std::from_chars(at, end, value);
    const bool separated = next == end || is_separator(*next);
    if (error != std::errc() || !separated) {
      const std::string_view seen(at, static_cast<size_t>(std::min<ptrdiff_t>(end - at, 20)));
      bad_row(file_, fmt::format("column {}", count), row_, "'{}' is not a {}number in range", printable(seen),
              std::is_integral_v<T> ? "whole " : "");
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value))
        bad_row(file_, fmt::format("column {}", count), row_, "is {}, want a finite number", value);
    }
    out.push_back(value);
    ++count;
    at = next;
    while (at < end && is_separator(*at)) ++at;
  }
  return count;
}

int64_t TextRows::append(std::vector<int64_t>& out) const { return append_numbers(out); }
int64_t TextRows::append(std::vector<float>& out) const { return append_numbers(out); }

std::string plain_or_gzip(const std::string& path) {
  std::error_code ignored;
  for (const std::string& candidate : {path, path + ".gz"}) {
    if (std::filesystem::exists(candidate, ignored)) return candidate;
  }
  return {};
}

std::vector<int64_t> read_column(const std::string& path) {
  TextRows rows(path);
  std::vector<int64_t> values;
  while (rows.next()) {
    const int64_t count = rows.append(values);
    if (count != 1) bad_row(path, "line", rows.row(), "has {} values, want 1", count);
  }
  return values;
}

std::vector<int64_t> read_labels(const std::string& path) {
  TextRows rows(path);
  std::vector<int64_t> labels;
  while (rows.next()) {
    if (rows.line() == "nan" || rows.line() == "NaN") {
      labels.push_back(-1);
      continue;
    }
    std::vector<float> numbers;
    const int64_t count = rows.line().find('.') == std::string_view::npos ? rows.append(labels) : rows.append(numbers);
    if (count != 1) {
      bad_row(path, "line", rows.row(), "has {} values, want 1: one label a node, so keep one of several in a file",
              count);
    }
    if (numbers.empty()) continue;
    // OGB writes labels as floats where some are missing.
    if (std::abs(numbers[0]) > 1e6f || numbers[0] != std::floor(numbers[0])) {
      bad_row(path, "column 0", rows.row(), "{} is not a whole number in range; {}", numbers[0], bins_advice(""));
    }
    labels.push_back(static_cast<int64_t>(numbers[0]));
  }
  return labels;
}

int64_t read_table(const std::string& path, std::vector<float>& values) {
  TextRows rows(path);
  int64_t width = 0;
  while (rows.next()) {
    const int64_t count = rows.append(values);
    if (rows.row() == 0) width = count;
    if (count != width) bad_row(path, "line", rows.row(), "has {} values where the rows before have {}", count, width);
  }
  return width;
}

void read_edges(const std::string& path, int64_t nodes, std::vector<int32_t>& sources, std::vector<int32_t>& targets) {
  TextRows rows(path);
  std::vector<int64_t> ends;
  while (rows.next()) {
    ends.clear();
    const int64_t count = rows.append(ends);
    if (count != 2) bad_row(path, "line", rows.row(), "has {} values, want a source and a target", count);
    for (int64_t end : ends) {
      if (end < 0 || end >= nodes) {
        bad_row(path, "line", rows.row(), "node {} is out of range, want 0 to {}", end, nodes - 1);
      }
    }
    sources.push_back(static_cast<int32_t>(ends[0]));
    targets.push_back(static_cast<int32_t>(ends[1]));
  }
}

}  // namespace graphveil::files
