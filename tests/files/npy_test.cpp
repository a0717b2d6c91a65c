#include "graphveil/files/npy.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::npy_test {
namespace {

NpyArray parse(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return parse_npy("file.npz", "field", {bytes.begin(), bytes.end()});
}

// A header as NumPy would write it for a column-major array, or with anything else in it.
std::string with_header(std::string dictionary, const std::string& values) {
  dictionary.resize(117, ' ');
  dictionary += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dictionary + values;
}

template <typename T>
void expect_integers(const char* descr) {
  const std::vector<T> values{T(0), T(1), T(100), std::numeric_limits<T>::max() > 127 ? T(120) : T(127)};
  const std::vector<int64_t> got = integers(parse(npy(descr, {4}, raw(values))));
  EXPECT_EQ(got, (std::vector<int64_t>(values.begin(), values.end()))) << descr;
  EXPECT_EQ(floats(parse(npy(descr, {4}, raw(values))))[2], 100.0f) << descr;
}

TEST(Npy, EveryNumberType) {
  expect_integers<int8_t>("|i1");
  expect_integers<uint8_t>("|u1");
  expect_integers<int16_t>("<i2");
  expect_integers<uint16_t>("<u2");
  expect_integers<int32_t>("<i4");
  expect_integers<uint32_t>("<u4");
  expect_integers<int64_t>("<i8");
  expect_integers<uint64_t>("<u8");
  expect_integers<float>("<f4");
  expect_integers<double>("<f8");
  EXPECT_EQ(integers(parse(npy("|b1", {3}, raw<uint8_t>({1, 0, 1})))), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_EQ(integers(parse(npy("<i2", {1}, raw<int16_t>({-5})))), (std::vector<int64_t>{-5}));
}

TEST(Npy, ColumnMajorComesOutRowMajor) {
  const std::string text =
      with_header("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", raw<float>({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(floats(parse(text)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, LongHeaderVersion) {
  std::string text = npy("<i4", {1}, raw<int32_t>({7}));
  text.replace(6, 4, std::string("\x02\x00\x76\x00\x00\x00", 6));
  EXPECT_EQ(integers(parse(text)), (std::vector<int64_t>{7}));
}

TEST(Npy, ScalarAndEmpty) {
  EXPECT_EQ(integers(parse(npy("<i4", {}, raw<int32_t>({7})))), (std::vector<int64_t>{7}));
  EXPECT_TRUE(integers(parse(npy("<i4", {0}, ""))).empty());
}

TEST(Npy, WhatCannotBeReadIsRefused) {
  const auto refuse = [](const std::string& text, std::initializer_list<std::string> words) {
    expect_bad_input(words, [&] { parse(text); });
  };
  refuse("", {"file.npz", "field", "not a NumPy array"});
  refuse("PK\x03\x04 something else", {"not a NumPy array"});
  refuse(npy(">i4", {1}, raw<int32_t>({1})), {"field", "big-endian"});
  refuse(npy("<U7", {1}, std::string(28, 'a')), {"field", "<U7"});
  refuse(npy("|O", {1}, "pickle"), {"field", "|O"});
  refuse(npy("<f2", {1}, "ab"), {"<f2"});
  refuse(npy("<c8", {1}, std::string(8, 'a')), {"<c8"});
  refuse(npy("<i4", {3}, raw<int32_t>({1, 2})), {"holds 8 bytes", "12"});
  refuse(npy("<i4", {1}, raw<int32_t>({1, 2})), {"holds 8 bytes", "4"});
  refuse(npy("<i4", {-1}, raw<int32_t>({1})), {"length of -1"});
  refuse(npy("<i4", {int64_t{1} << 39, 1 << 20}, ""), {"too large"});
  refuse(npy("<i4", {1, 1, 1}, raw<int32_t>({1})), {"3 axes"});
  refuse(with_header("{'fortran_order': False, 'shape': (1,), }", "1"), {"descr"});
  refuse(with_header("{'descr': '<i4', 'shape': (1,), }", "1234"), {"fortran_order"});
  refuse(with_header("{'descr': '<i4', 'fortran_order': False, }", "1234"), {"shape"});
  refuse(with_header("{'descr': '<i4', 'fortran_order': False, 'shape': (x,), }", "1234"), {"shape is broken"});
  refuse(with_header("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", "1234"), {"plain array"});
  const std::string good = npy("<i4", {1}, raw<int32_t>({1}));
  for (size_t length = 0; length < good.size(); ++length) refuse(good.substr(0, length), {"field"});
}

TEST(Npy, ValuesThatDoNotFitAreRefusedWithTheirRow) {
  expect_bad_input({"row 1", "not a whole number"}, [] { integers(parse(npy("<f8", {2}, raw<double>({1, 1.5})))); });
  expect_bad_input({"row 0", "not a whole number"}, [] { integers(parse(npy("<f8", {1}, raw<double>({NAN})))); });
  expect_bad_input({"row 0", "too large"}, [] { integers(parse(npy("<u8", {1}, raw<uint64_t>({~uint64_t{0}})))); });
  expect_bad_input({"row 1", "finite"}, [] { floats(parse(npy("<f4", {2, 2}, raw<float>({1, 1, 1, NAN})))); });
  expect_bad_input({"row 0", "finite"}, [] { floats(parse(npy("<f4", {1}, raw<float>({INFINITY})))); });
  expect_bad_input({"row 0", "finite"}, [] { floats(parse(npy("<f8", {1}, raw<double>({1e300})))); });
}

}  // namespace
}  // namespace graphveil::files::npy_test
