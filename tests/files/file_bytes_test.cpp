#include "graphveil/files/file_bytes.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::file_bytes_test {
namespace {

TEST(FileBytes, OutlivesTheFile) {
  SharedArray<std::byte> bytes;
  {
    const TemporaryFolder folder;
    bytes = file_bytes(folder.write("a", "hello"));
  }
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "hello");
}

// A mapping would end the process when the file is cut short, and would see what is written over it.
TEST(FileBytes, StayAsTheyWereRead) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", std::string(1 << 20, 'a'));
  const SharedArray<std::byte> bytes = file_bytes(path);
  const SharedArray<std::byte> start = file_bytes(path, 16);
  std::ofstream(path) << "b";
  ASSERT_EQ(bytes.size(), size_t{1} << 20);
  ASSERT_EQ(start.size(), 16u);
  EXPECT_TRUE(std::ranges::all_of(bytes.span(), [](std::byte b) { return b == std::byte{'a'}; }));
}

TEST(FileBytes, WhatCannotBeReadIsRefused) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::Io, {"gone", "No such file"}, [&] { file_bytes(folder.path("gone")); });
  expect_error(ErrorKind::Io, {"regular"}, [&] { file_bytes(folder.path("")); });
  expect_error(ErrorKind::Io, {"regular"}, [] { file_bytes("/dev/null"); });
  expect_bad_input({"empty"}, [&] { file_bytes(folder.write("a", "")); });
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  expect_error(ErrorKind::Io, {"regular"}, [&] { file_bytes(folder.path("pipe")); });
}

}  // namespace
}  // namespace graphveil::files::file_bytes_test
