// Lines of numbers from a text file, plain or gzip.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/base/progress.h"

namespace graphveil::files {

// One line at a time; numbers are separated by commas, semicolons, spaces or tabs. Empty lines and lines that
// start with # are passed over; so is a first line that does not start with a number (a header).
class TextRows {
 public:
  // Throws Io when the file cannot be opened.
  explicit TextRows(const std::string& path);
  ~TextRows();

  // Goes to the next line of numbers; false at the end. Throws BadInput for damaged gzip data or a file that
  // unpacks to far more than its size.
  bool next();
  int64_t row() const { return row_; }  // of the present line, from 0; headers and comments do not count
  const std::string& file() const { return file_; }

  // Appends the numbers of the line and returns how many. Throws BadInput, naming the row, for anything else.
  int64_t append(std::vector<int64_t>& out) const;
  int64_t append(std::vector<float>& out) const;  // finite ones only
  std::string_view line() const { return line_; }

 private:
  struct Stream;
  bool next_line();
  template <typename T>
  int64_t append_numbers(std::vector<T>& out) const;

  std::string file_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Progress> progress_;
  std::string_view line_;
  int64_t row_ = -1;
  bool header_seen_ = false;
};

// `path`, or `path` + ".gz" when only that is there; empty when neither is.
std::string plain_or_gzip(const std::string& path);

// Every row has one number.
std::vector<int64_t> read_column(const std::string& path);

// Reads labels, where nan stands for one that is missing (-1).
std::vector<int64_t> read_labels(const std::string& path);

// Every row has the same number of values, at least one. Returns the width.
int64_t read_table(const std::string& path, std::vector<float>& values);

// Every row has a source and a target in [0, nodes).
void read_edges(const std::string& path, int64_t nodes, std::vector<int32_t>& sources, std::vector<int32_t>& targets);

}  // namespace graphveil::files
