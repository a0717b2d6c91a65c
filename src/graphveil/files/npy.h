// The .npy layout: a short text header, then the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graphveil::files {

// One array, its values still as bytes in the file's type.
struct NpyArray {
  std::string file;  // for messages
  std::string key;
  char kind = 0;  // 'b' bool, 'i' signed, 'u' unsigned, 'f' float
  int item_bytes = 0;
  bool fortran_order = false;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;  // header and values
  size_t values_at = 0;

  int64_t size() const;  // product of the shape
};

// Takes the bytes of one .npy file. Throws BadInput for a broken header, for big-endian values, for values that
// are not numbers, and when the values do not fill the rest of the bytes exactly.
NpyArray parse_npy(std::string file, std::string key, std::vector<std::byte> bytes);

// The values in row-major order. Integers come from integer and bool arrays, or from floats that are whole; floats
// from any. Throws BadInput, naming the row, for values that do not fit; floats must be finite.
std::vector<int64_t> integers(const NpyArray& array);
std::vector<float> floats(const NpyArray& array);

// Header and nothing else: what comes before the values of a row-major array. `descr` as NumPy writes it, say "<f4".
std::string npy_header(const std::string& descr, const std::vector<int64_t>& shape);

}  // namespace graphveil::files
