// Matrix Market text: a header line, sizes, then entries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graphveil::files {

// The entries in the file's order, counted from 0; those of a symmetric file on both sides of the diagonal.
struct MatrixMarket {
  int64_t rows = 0;
  int64_t cols = 0;
  bool dense = false;             // every entry, column after column
  std::vector<int32_t> row, col;  // empty when dense
  std::vector<float> values;      // empty: all 1 (a pattern)
};

// Plain or gzip. Throws Io or BadInput naming the file and the line.
MatrixMarket read_matrix_market(const std::string& path);

}  // namespace graphveil::files
