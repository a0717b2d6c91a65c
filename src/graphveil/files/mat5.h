// MATLAB 5 files (.mat as saved with -v6 or -v7): numeric and sparse matrices, plain or compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graphveil::files {

// A real matrix by columns. Dense: rows * cols values. Sparse: column c holds rows
// row_indices[offsets[c] .. offsets[c + 1]) with the values beside them.
struct MatMatrix {
  std::string name;
  bool sparse = false;
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<double> values;
  std::vector<int64_t> offsets;  // cols + 1
  std::vector<int64_t> row_indices;
};

// The matrices whose names are wanted; other variables are passed over, whatever they are. Throws BadInput for
// anything that is cut short, inconsistent, of MATLAB 7.3 (HDF5) layout, or that unpacks to far more than the
// file can hold. Indices are checked against the shape.
std::vector<MatMatrix> read_mat5(const std::string& file, std::span<const std::byte> bytes,
                                 std::span<const std::string> wanted);

}  // namespace graphveil::files
