// A table that comes as an Arrow stream: its columns by name, its rows batch by batch, its cells as text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/files/arrow.h"

namespace graphveil::files {

// Room for a number's text.
using CellText = std::array<char, 32>;

// One batch at a time. Cells read as a CSV file would have them: whole numbers and the shortest text of others, "true"
// and "false", nothing for a null. Reading cells is safe from several threads.
class ArrowTable {
 public:
  // Takes the stream over; `name` stands in messages. `decimal` is what numbers with a fraction are written with.
  // Throws BadInput for a stream that is no table, or has a column twice.
  ArrowTable(ArrowArrayStream* stream, std::string name, char decimal = '.');
  ~ArrowTable();
  ArrowTable(const ArrowTable&) = delete;
  ArrowTable& operator=(const ArrowTable&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<std::string>& columns() const { return columns_; }
  // Throws BadInput naming the column unless its cells can be read: text, whole numbers, numbers, truth values, and
  // dictionaries of these. With `id`, numbers with a fraction are refused too: 1 and 1.0 would be two ids.
  void check_column(size_t column, bool id) const;

  // Goes to the next batch; false at the end. Throws BadInput with what the stream says when it fails.
  bool next();
  int64_t rows() const { return batch_.length; }
  int64_t first_row() const { return first_row_; }  // of the present batch, counted from 0
  // The cell, valid as long as the batch and `room` are.
  std::string_view cell(size_t column, int64_t row, CellText& room) const;

 private:
  std::string last_error(int code);

  ArrowArrayStream stream_{};
  ArrowSchema schema_{};
  ArrowArray batch_{};
  std::string name_;
  char decimal_;
  std::vector<std::string> columns_;
  int64_t first_row_ = 0;
};

}  // namespace graphveil::files
