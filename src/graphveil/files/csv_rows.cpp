#include "graphveil/files/csv_rows.h"

#include <algorithm>

#include "graphveil/files/bad_input.h"

namespace graphveil::files {

bool CsvRows::at_row_end() const {
  const char* const text = text_->text().data();
  return at_ == end_ || text[at_] == '\n' || text[at_] == '\r';
}

void CsvRows::pass_row_end() {
  const char* const text = text_->text().data();
  if (at_ == end_) return;
  if (text[at_] == '\r' && at_ + 1 < end_ && text[at_ + 1] == '\n') ++at_;
  ++at_;
}

std::string_view CsvRows::plain_cell() {
  const char* const text = text_->text().data();
  const size_t begin = at_;
  while (at_ < end_ && text[at_] != separator_ && text[at_] != '\n' && text[at_] != '\r') ++at_;
  return {text + begin, at_ - begin};
}

std::string_view CsvRows::quoted_cell() {
  const std::string_view text = text_->text().substr(0, end_);
  const size_t begin = ++at_;
  bool doubled = false;
  while (true) {
    at_ = text.find('"', at_);
    if (at_ == std::string_view::npos) bad_file(text_->file(), "line {}: a quote is never closed", line());
    if (at_ + 1 == end_ || text[at_ + 1] != '"') break;
    doubled = true;
    at_ += 2;
  }
  const std::string_view inside = text.substr(begin, at_ - begin);
  ++at_;
  if (!at_row_end() && text[at_] != separator_) {
    bad_file(text_->file(), "line {}: text follows a closing quote; quotes within a cell are doubled",
             text_->line_at(at_));
  }
  if (!doubled) return inside;
  std::string& cell = unquoted_.emplace_back();
  for (size_t i = 0; i < inside.size(); ++i) {
    cell += inside[i];
    if (inside[i] == '"') ++i;
  }
  return cell;
}

bool CsvRows::next() {
  const char* const text = text_->text().data();
  cells_.clear();
  unquoted_.clear();
  while (at_ < end_ && at_row_end()) {
    pass_row_end();
    ++blank_lines_;
  }
  if (at_ == end_) return false;
  row_ = at_;
  while (true) {
    cells_.push_back(at_ < end_ && text[at_] == '"' ? quoted_cell() : plain_cell());
    if (at_row_end()) break;
    ++at_;  // the separator
  }
  pass_row_end();
  return true;
}

size_t part_end(const TableText& text, size_t begin, size_t bytes) {
  const std::string_view all = text.text();
  if (text.quoted() || all.size() - begin <= bytes) return all.size();
  const size_t newline = all.find('\n', begin + bytes);
  return newline == std::string_view::npos ? all.size() : newline + 1;
}

std::string csv_cell(std::string_view text, char separator) {
  const bool plain = std::none_of(text.begin(), text.end(),
                                  [&](char c) { return c == separator || c == '"' || c == '\n' || c == '\r'; }) &&
                     !text.empty();
  if (plain) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

}  // namespace graphveil::files
