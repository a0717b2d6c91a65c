#include "graphveil/files/table_text.h"

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/expansion.h"
#include "graphveil/files/file_bytes.h"

namespace graphveil::files {
namespace {

SharedArray<char> unpacked(const std::string& path, int64_t file_bytes) {
  constexpr size_t kPiece = size_t{1} << 20;
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(path.c_str(), "rb"), &gzclose);
  if (!file) fail(ErrorKind::Io, "{}: cannot be opened: {}", path, std::strerror(errno));
  std::vector<char> bytes;
  while (true) {
    const size_t before = bytes.size();
    bytes.resize(before + kPiece);
    const int got = gzread(file.get(), bytes.data() + before, kPiece);
    int code = Z_OK;
    if (got <= 0) gzerror(file.get(), &code);
    if (got < 0 || code != Z_OK) bad_file(path, "the compressed data is damaged or cut short");
    bytes.resize(before + static_cast<size_t>(got));
    if (got == 0) return bytes;
    if (static_cast<int64_t>(bytes.size()) > expansion_limit(file_bytes)) {
      bad_file(path, "unpacks to more than {} bytes, which {} bytes cannot hold honestly", expansion_limit(file_bytes),
               file_bytes);
    }
  }
}

}  // namespace

std::optional<size_t> first_not_utf8(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  size_t i = 0;
  while (i < text.size()) {
    uint64_t eight = 0;
    if (text.size() - i >= 8) {
      std::memcpy(&eight, text.data() + i, 8);
      if ((eight & 0x8080808080808080ULL) == 0) {
        i += 8;
        continue;
      }
    }
    if (byte(i) < 0x80) {
      ++i;
      continue;
    }
    const size_t length = byte(i) >= 0xF0 ? 4 : byte(i) >= 0xE0 ? 3 : 2;
    if (byte(i) < 0xC2 || byte(i) > 0xF4 || text.size() - i < length) return i;
    for (size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    }
    // Longer than need be, a surrogate, or beyond the last character.
    const bool wrong = (byte(i) == 0xE0 && byte(i + 1) < 0xA0) || (byte(i) == 0xED && byte(i + 1) > 0x9F) ||
                       (byte(i) == 0xF0 && byte(i + 1) < 0x90) || (byte(i) == 0xF4 && byte(i + 1) > 0x8F);
    if (wrong) return i;
    i += length;
  }
  return std::nullopt;
}

TableText::TableText(const std::string& path) : file_(path) {
  const SharedArray<std::byte> read = file_bytes(path);
  const std::span<const char> span(reinterpret_cast<const char*>(read.data()), read.size());
  const bool gzip = span.size() >= 2 && span[0] == '\x1f' && span[1] == '\x8b';
  bytes_ = gzip ? unpacked(path, static_cast<int64_t>(span.size()))
                : SharedArray<char>(span, std::make_shared<const SharedArray<std::byte>>(read));
  check();
}

TableText::TableText(std::string file, std::string text)
    : file_(std::move(file)), bytes_(std::vector<char>(text.begin(), text.end())) {
  check();
}

void TableText::check() {
  text_ = {bytes_.data(), bytes_.size()};
  if (text_.starts_with("PAR1") || text_.starts_with("ARROW1")) {
    bad_file(file_, "is a {} file, which only the Python package reads; write the table as CSV",
             text_.starts_with("PAR1") ? "Parquet" : "Arrow");
  }
  if (text_.starts_with("PK\x03\x04") || text_.starts_with("\xD0\xCF\x11\xE0")) {
    bad_file(file_, "is a spreadsheet or an archive; save the table as CSV (UTF-8)");
  }
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    bad_file(file_, "is UTF-16; save the table as CSV (UTF-8)");
  }
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  if (text_.empty()) bad_file(file_, "the table is empty");
  check_letters();
}

void TableText::check_letters() {
  constexpr int64_t kPieceBytes = int64_t{1} << 20;
  std::atomic<size_t> zero{std::string_view::npos}, wrong{std::string_view::npos};
  std::atomic<bool> quote{false};
  const auto lower = [](std::atomic<size_t>& first, size_t offset) {
    size_t seen = first.load();
    while (offset < seen && !first.compare_exchange_weak(seen, offset)) {
    }
  };
  // The first character that begins at `at` or later, where those before it are well-formed.
  const auto cut = [&](int64_t at) {
    auto begin = static_cast<size_t>(at);
    for (int k = 0; k < 3 && begin < text_.size() && (text_[begin] & 0xC0) == 0x80; ++k) ++begin;
    return begin;
  };
  parallel_for(std::ssize(text_), kPieceBytes, [&](int64_t from, int64_t to) {
    const size_t begin = from == 0 ? 0 : cut(from);
    const std::string_view piece = text_.substr(begin, cut(to) - begin);
    if (const size_t at = piece.find('\0'); at != std::string_view::npos) lower(zero, begin + at);
    if (const auto at = first_not_utf8(piece)) lower(wrong, begin + *at);
    if (piece.find('"') != std::string_view::npos) quote = true;
  });
  if (zero != std::string_view::npos) bad_file(file_, "line {}: a zero byte: this is not text", line_at(zero));
  if (wrong != std::string_view::npos) {
    bad_file(file_, "line {}: byte {:#04x} is not UTF-8; save the table as CSV (UTF-8)", line_at(wrong),
             static_cast<unsigned char>(text_[wrong]));
  }
  quoted_ = quote;
}

int64_t TableText::line_at(size_t offset) const {
  int64_t line = 1;
  for (size_t i = 0; i < offset; ++i) {
    const bool lone_return = text_[i] == '\r' && !(i + 1 < text_.size() && text_[i + 1] == '\n');
    line += text_[i] == '\n' || lone_return ? 1 : 0;
  }
  return line;
}

}  // namespace graphveil::files
