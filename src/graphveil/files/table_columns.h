// The columns of a table by name.
#pragma once

#include <string>
#include <vector>

#include "graphveil/files/csv_rows.h"
#include "graphveil/files/schema.h"

namespace graphveil::files {

// Reads rows and knows where their columns are.
class TableColumns {
 public:
  // Reads the header, or without one counts the first row's cells. Throws BadInput for a name that is there twice, and
  // for a header alone where rows are wanted.
  TableColumns(const TableText& text, const TableLayout& layout, bool wants_rows = true);

  const std::vector<std::string>& names() const { return names_; }
  // Throws BadInput, with what may have been meant, when there is no such column.
  size_t place(const std::string& name) const;
  size_t begin() const { return begin_; }               // the offset of the first row of values
  int64_t blank_lines() const { return blank_lines_; }  // before it

  // Goes to the next row. Throws BadInput, naming the line, when it has more or fewer cells than there are columns.
  bool next(CsvRows& rows) const;

 private:
  const TableText& text_;
  std::vector<std::string> names_;
  size_t begin_ = 0;
  int64_t blank_lines_ = 0;
};

}  // namespace graphveil::files
