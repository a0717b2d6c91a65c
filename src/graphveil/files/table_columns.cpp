#include "graphveil/files/table_columns.h"

#include <set>

#include "graphveil/files/bad_input.h"
#include "graphveil/files/table_assembly.h"

namespace graphveil::files {

TableColumns::TableColumns(const TableText& text, const TableLayout& layout, bool wants_rows) : text_(text) {
  CsvRows rows(text, layout.separator);
  if (!rows.next()) bad_file(text.file(), "the table is empty");
  for (size_t c = 0; c < rows.cells().size(); ++c) {
    names_.push_back(layout.header && !rows.cells()[c].empty() ? std::string(rows.cells()[c])
                                                               : fmt::format("column{}", c + 1));
  }
  begin_ = rows.offset();
  if (layout.header) {
    begin_ = rows.next() ? rows.offset() : text.text().size();
    if (wants_rows && begin_ == text.text().size()) bad_file(text.file(), "the table has a header and no rows");
  }
  blank_lines_ = rows.blank_lines();
  std::set<std::string> seen;
  for (const std::string& name : names_) {
    if (!seen.insert(name).second) bad_file(text.file(), "the header has column '{}' twice", name);
  }
}

size_t TableColumns::place(const std::string& name) const { return column_place(names_, name, text_.file()); }

bool TableColumns::next(CsvRows& rows) const {
  if (!rows.next()) return false;
  if (rows.cells().size() != names_.size()) {
    bad_file(text_.file(), "line {}: {} cells where the table has {} columns", rows.line(), rows.cells().size(),
             names_.size());
  }
  return true;
}

}  // namespace graphveil::files
