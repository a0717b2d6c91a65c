#include "graphveil/files/mat5.h"

#include <cstring>

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::mat5_test {
namespace {

const std::vector<std::string> kWanted{"A", "x"};

std::vector<MatMatrix> read(const std::string& bytes) {
  return read_mat5("f.mat", std::as_bytes(std::span(bytes)), kWanted);
}

void refuse(const std::string& bytes, std::initializer_list<std::string> words) {
  expect_bad_input(words, [&] { read(bytes); });
}

std::string sparse() { return mat_sparse("A", 3, {1, 0, 2}, {0, 1, 3}, {1, 2, 3}); }
std::string dense() { return mat_dense("x", 2, 2, {1, 2, 3, 4}); }

TEST(Mat5, SparseAndDensePlainAndCompressed) {
  for (const std::string& body : {sparse() + dense(), mat_compressed(sparse()) + mat_compressed(dense())}) {
    const auto found = read(mat_header() + body);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_TRUE(found[0].sparse);
    EXPECT_EQ(found[0].rows, 3);
    EXPECT_EQ(found[0].cols, 2);
    EXPECT_EQ(found[0].row_indices, (std::vector<int64_t>{1, 0, 2}));
    EXPECT_EQ(found[0].values, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(found[1].name, "x");
    EXPECT_EQ(found[1].values, (std::vector<double>{1, 2, 3, 4}));
  }
}

TEST(Mat5, OtherVariablesArePassedOver) {
  const std::string text =
      mat_element(14, mat_element(6, raw<uint32_t>({4, 0})) + mat_element(5, raw<int32_t>({1, 1})) +
                          mat_element(1, "comment") + mat_element(4, "hi"));
  const auto found = read(mat_header() + text + mat_dense("unwanted", 1, 1, {1}) + dense());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "x");
}

TEST(Mat5, RoomForMoreEntriesThanThereAre) {
  const auto found = read(mat_header() + mat_sparse("A", 3, {1, 0, 2, 99, 99}, {0, 1, 3}, {1, 2, 3, 0, 0}));
  EXPECT_EQ(found.at(0).row_indices.size(), 3u);
}

TEST(Mat5, WrongHeadersAreRefused) {
  refuse("hello", {"f.mat", "not a MATLAB 5 file"});
  refuse(mat_header().substr(0, 100), {"cut short"});
  refuse("\x89HDF\r\n", {"7.3", "-v7"});
  std::string header = mat_header();
  header.replace(0, 10, "MATLAB 7.3");
  refuse(header, {"7.3", "-v7"});
  header = mat_header();
  header.replace(126, 2, "MI");
  refuse(header, {"big-endian"});
  header.replace(126, 2, "??");
  refuse(header, {"byte order"});
}

TEST(Mat5, InconsistentMatricesAreRefused) {
  refuse(mat_header() + mat_sparse("A", 3, {1, 0, 3}, {0, 1, 3}, {1, 2, 3}), {"A", "row 1", "3"});
  refuse(mat_header() + mat_sparse("A", 3, {1, -1, 2}, {0, 1, 3}, {1, 2, 3}), {"A", "-1"});
  refuse(mat_header() + mat_sparse("A", 3, {1, 0, 2}, {0, 2, 1}, {1, 2, 3}), {"A", "column offsets"});
  refuse(mat_header() + mat_sparse("A", 3, {1, 0, 2}, {1, 1, 3}, {1, 2, 3}), {"A", "column offsets"});
  refuse(mat_header() + mat_sparse("A", 3, {1, 0, 2}, {0, 1, 4}, {1, 2, 3}), {"A", "4 entries"});
  refuse(mat_header() + mat_dense("x", 2, 3, {1, 2, 3, 4}), {"x", "4 values for 2 x 3"});
  refuse(mat_header() + mat_dense("x", -2, -2, {1, 2, 3, 4}), {"x", "shape"});
}

TEST(Mat5, EveryTruncationIsRefusedOrLacksAVariable) {
  for (const std::string& body : {sparse() + dense(), mat_compressed(sparse()) + mat_compressed(dense())}) {
    const std::string bytes = mat_header() + body;
    for (size_t length = 0; length < bytes.size(); ++length) {
      try {
        EXPECT_LT(read(bytes.substr(0, length)).size(), 2u) << length;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      }
    }
  }
}

TEST(Mat5, CompressedVariableThatClaimsTooMuchIsRefused) {
  std::string element = dense();
  const uint32_t huge = 0xfffffff0u;
  std::memcpy(&element[4], &huge, 4);
  refuse(mat_header() + mat_compressed(element), {"claims to unpack"});
  std::string damaged = mat_compressed(dense());
  damaged[12] = static_cast<char>(damaged[12] ^ 0x55);
  refuse(mat_header() + damaged, {"compressed variable"});
}

}  // namespace
}  // namespace graphveil::files::mat5_test
