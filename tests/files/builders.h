// Builds small files of every format in memory, right or wrong, for the reader tests and the fuzz seeds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// A folder of its own that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  // Writes a file (with the folders on its way) and returns its path.
  std::string write(const std::string& name, const std::string& bytes) const;

 private:
  std::string folder_;
};

std::string read_bytes(const std::string& path);
std::string gzip(const std::string& text);

// Raw bytes of numbers.
template <typename T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A .npy file. `descr` must fit T.
std::string npy(const std::string& descr, const std::vector<int64_t>& shape, const std::string& values);

// Keys (without ".npy") and their .npy bytes.
using Arrays = std::map<std::string, std::string>;
std::string npz(const Arrays& arrays, bool compressed = false);

// The arrays of a good file: 4 nodes, 0 - 1 - 2 and 3 -> 0, three sparse features, labels 0 1 0 1, a split.
Arrays good_arrays();

// MATLAB 5: the header, and variables around it.
std::string mat_header();
std::string mat_element(uint32_t type, const std::string& data);
std::string mat_compressed(const std::string& element);
std::string mat_sparse(const std::string& name, int32_t rows, const std::vector<int32_t>& row_indices,
                       const std::vector<int32_t>& offsets, const std::vector<double>& values);
std::string mat_dense(const std::string& name, int32_t rows, int32_t cols, const std::vector<uint16_t>& values);

// A school of 5: friends 0 - 1 - 2, 3 - 4. Columns status, gender, major, minor, housing, year, high school.
std::string good_mat(bool compressed);
std::vector<uint16_t> good_local_info();

// The plain text and OGB folders of the same small graph, as file name -> content.
Arrays good_csv();
Arrays good_ogb();
// Matrix Market: 0 - 1 - 2, two sparse features, labels 0 1 0.
Arrays good_mtx();

}  // namespace graphveil::files
