#include "tests/files/builders.h"

#include <unistd.h>
#include <zip.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "graphveil/files/npy.h"

namespace graphveil::files {
namespace {

namespace fs = std::filesystem;

std::string deflated(const std::string& data, int window_bits) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out(deflateBound(&stream, data.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string mat_matrix(uint32_t array_class, int32_t rows, int32_t cols, const std::string& name,
                       const std::string& rest) {
  constexpr uint32_t kInt8 = 1, kInt32 = 5, kUInt32 = 6, kMatrix = 14;
  return mat_element(kMatrix, mat_element(kUInt32, raw<uint32_t>({array_class, 0})) +
                                  mat_element(kInt32, raw<int32_t>({rows, cols})) + mat_element(kInt8, name) + rest);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  // In memory where the system has that: thousands of small files would wait for the disk.
  const fs::path place = ::access("/dev/shm", W_OK) == 0 ? fs::path("/dev/shm") : fs::temp_directory_path();
  folder_ = (place / "graphveil-test-XXXXXX").string();
  if (!::mkdtemp(folder_.data())) throw std::runtime_error("no temporary folder");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  fs::create_directories(fs::path(path(name)).parent_path());
  std::ofstream(path(name), std::ios::binary) << bytes;
  return path(name);
}

std::string read_bytes(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::string gzip(const std::string& text) { return deflated(text, 15 + 16); }

std::string npy(const std::string& descr, const std::vector<int64_t>& shape, const std::string& values) {
  return npy_header(descr, shape) + values;
}

std::string npz(const Arrays& arrays, bool compressed) {
  const TemporaryFolder folder;
  int code = 0;
  zip_t* zip = zip_open(folder.path("a.npz").c_str(), ZIP_CREATE, &code);
  if (!zip) throw std::runtime_error("no zip archive");
  for (const auto& [key, bytes] : arrays) {
    zip_source_t* source = zip_source_buffer(zip, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(zip, (key + ".npy").c_str(), source, 0);
    zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 6);
    zip_file_set_dostime(zip, static_cast<zip_uint64_t>(index), 0, 0x21, 0);
  }
  if (zip_close(zip) != 0) throw std::runtime_error("no zip archive");
  return read_bytes(folder.path("a.npz"));
}

Arrays good_arrays() {
  // Rows: 0 -> 1; 1 -> 0, 2; 2 -> 1; 3 -> 0.
  return {{"adj_data", npy("<f4", {5}, raw<float>({1, 1, 1, 1, 1}))},
          {"adj_indices", npy("<i4", {5}, raw<int32_t>({1, 0, 2, 1, 0}))},
          {"adj_indptr", npy("<i4", {5}, raw<int32_t>({0, 1, 3, 4, 5}))},
          {"adj_shape", npy("<i8", {2}, raw<int64_t>({4, 4}))},
          {"attr_data", npy("<f4", {4}, raw<float>({1, 0.5, 2, 1}))},
          {"attr_indices", npy("<i4", {4}, raw<int32_t>({2, 0, 1, 2}))},
          {"attr_indptr", npy("<i4", {5}, raw<int32_t>({0, 1, 2, 4, 4}))},
          {"attr_shape", npy("<i8", {2}, raw<int64_t>({4, 3}))},
          {"labels", npy("|i1", {4}, raw<int8_t>({0, 1, 0, 1}))},
          {"idx_train", npy("<i8", {2}, raw<int64_t>({2, 0}))},
          {"idx_val", npy("<i8", {1}, raw<int64_t>({1}))},
          {"idx_test", npy("<i8", {1}, raw<int64_t>({3}))}};
}

std::string mat_header() {
  std::string header = "MATLAB 5.0 MAT-file, made by a test";
  header.resize(124, ' ');
  return header + std::string("\x00\x01IM", 4);
}

std::string mat_element(uint32_t type, const std::string& data) {
  std::string element = raw<uint32_t>({type, static_cast<uint32_t>(data.size())}) + data;
  element.resize((element.size() + 7) / 8 * 8, '\0');
  return element;
}

std::string mat_compressed(const std::string& element) {
  const std::string packed = deflated(element, 15);
  return raw<uint32_t>({15, static_cast<uint32_t>(packed.size())}) + packed;
}

std::string mat_sparse(const std::string& name, int32_t rows, const std::vector<int32_t>& row_indices,
                       const std::vector<int32_t>& offsets, const std::vector<double>& values) {
  return mat_matrix(5, rows, static_cast<int32_t>(offsets.size()) - 1, name,
                    mat_element(5, raw(row_indices)) + mat_element(5, raw(offsets)) + mat_element(9, raw(values)));
}

std::string mat_dense(const std::string& name, int32_t rows, int32_t cols, const std::vector<uint16_t>& values) {
  return mat_matrix(6, rows, cols, name, mat_element(4, raw(values)));
}

std::vector<uint16_t> good_local_info() {
  return {1,    1,    2,    2,   1,     // status
          1,    2,    0,    1,   2,     // gender
          30,   40,   30,   0,   50,    // major
          0,    0,    7,    7,   7,     // minor
          9,    9,    0,    0,   0,     // housing
          2005, 2006, 2005, 0,   2006,  // year
          100,  200,  300,  400, 500};  // high school
}

std::string good_mat(bool compressed) {
  const std::string a = mat_sparse("A", 5, {1, 0, 2, 1, 4, 3}, {0, 1, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1});
  const std::string info = mat_dense("local_info", 5, 7, good_local_info());
  return mat_header() + (compressed ? mat_compressed(a) + mat_compressed(info) : a + info);
}

Arrays good_csv() {
  return {{"edges.csv", "source,target\n0,1\n1,0\n1,2\n2,1\n3,0\n"},
          {"features.csv", "# three columns\n0.5,1,0\n1e-2,0,0\n0,0,-3\n1,1,1\n"},
          {"labels.csv", "label\n0\n1\n0\n1\n"},
          {"train.csv", "2\n0\n"},
          {"val.csv", "1\n"},
          {"test.csv", "3\n"}};
}

Arrays good_ogb() {
  return {{"raw/edge.csv.gz", gzip("0,1\n1,0\n1,2\n2,1\n3,0\n")},
          {"raw/node-feat.csv.gz", gzip("0.5,1\n0.01,0\n0,-3\n1,1\n")},
          {"raw/node-label.csv.gz", gzip("0\n1\n0\n1\n")},
          {"raw/num-node-list.csv.gz", gzip("4\n")},
          {"raw/num-edge-list.csv.gz", gzip("5\n")},
          {"split/time/train.csv.gz", gzip("0\n2\n")},
          {"split/time/valid.csv.gz", gzip("1\n")},
          {"split/time/test.csv.gz", gzip("3\n")}};
}

Arrays good_mtx() {
  return {{"adjacency.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% a remark\n3 3 2\n2 1\n3 2\n"},
          {"features.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 0.5\n2 2 1\n3 1 -2e1\n"},
          {"labels.mtx", "%%MatrixMarket matrix array integer general\n3 1\n0\n1\n0\n"}};
}

}  // namespace graphveil::files
