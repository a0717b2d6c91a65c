// Rows of comma-separated values, as RFC 4180 has them.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/files/table_text.h"

namespace graphveil::files {

// One row at a time. Rows end with LF, CRLF or CR. A cell that begins with a quote ends with one, may hold separators
// and line ends, and has each of its quotes doubled; a quote elsewhere is a letter. Cells are kept as they are, blanks
// and all. Blank lines are passed over and counted.
class CsvRows {
 public:
  // The whole text, or the part of it in [begin, end), which must begin and end where rows do. `text` must outlive
  // this.
  CsvRows(const TableText& text, char separator) : CsvRows(text, separator, 0, text.text().size()) {}
  CsvRows(const TableText& text, char separator, size_t begin, size_t end)
      : text_(&text), separator_(separator), at_(begin), end_(end) {}

  // Goes to the next row; false at the end. Throws BadInput, naming the line, for a quote that is never closed and for
  // text behind a closing one.
  bool next();
  // The cells of the present row, valid until next().
  std::span<const std::string_view> cells() const { return cells_; }
  int64_t line() const { return text_->line_at(row_); }  // slow: for messages
  size_t offset() const { return row_; }
  int64_t blank_lines() const { return blank_lines_; }

 private:
  // The cell that begins at at_, and at_ behind it.
  std::string_view plain_cell();
  std::string_view quoted_cell();
  bool at_row_end() const;
  void pass_row_end();

  const TableText* text_;
  char separator_;
  size_t at_, end_;
  size_t row_ = 0;
  int64_t blank_lines_ = 0;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  // cells that are not in the text as they read
};

// Where a part of the text that begins at `begin`, and has about so many bytes, ends: behind a row. At the text's end
// when cells may hold line ends.
size_t part_end(const TableText& text, size_t begin, size_t bytes);

// A cell as it is written: quoted where it must be.
std::string csv_cell(std::string_view text, char separator = ',');

}  // namespace graphveil::files
