// The text of a table as somebody exported it, plain or gzip: UTF-8, or a refusal that says what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graphveil/base/shared_array.h"

namespace graphveil::files {

// The offset of the first byte that does not belong to a well-formed character.
std::optional<size_t> first_not_utf8(std::string_view text);

class TableText {
 public:
  // Maps or unpacks the file and passes over a byte-order mark. Throws Io when it cannot be read, BadInput when it is
  // something else than a table as text (Parquet, Arrow, a spreadsheet), in another encoding, or unpacks to far more
  // than its size.
  explicit TableText(const std::string& path);
  // A text in memory; `file` names it in messages.
  TableText(std::string file, std::string text);

  const std::string& file() const { return file_; }
  std::string_view text() const { return text_; }
  // Whether there is a quote in it.
  bool quoted() const { return quoted_; }
  // The line, from 1, on which the byte at this offset lies.
  int64_t line_at(size_t offset) const;

 private:
  void check();
  void check_letters();

  std::string file_;
  SharedArray<char> bytes_;
  std::string_view text_;
  bool quoted_ = false;
};

}  // namespace graphveil::files
