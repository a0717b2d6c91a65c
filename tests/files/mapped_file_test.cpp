#include "graphveil/files/mapped_file.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::mapped_file_test {
namespace {

TEST(MappedFile, OutlivesTheFile) {
  SharedArray<std::byte> bytes;
  {
    const TemporaryFolder folder;
    bytes = map_file(folder.write("a", "hello"));
  }
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "hello");
}

TEST(MappedFile, WhatCannotBeMappedIsRefused) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::Io, {"gone", "No such file"}, [&] { map_file(folder.path("gone")); });
  expect_error(ErrorKind::Io, {"regular"}, [&] { map_file(folder.path("")); });
  expect_error(ErrorKind::Io, {"regular"}, [] { map_file("/dev/null"); });
  expect_bad_input({"empty"}, [&] { map_file(folder.write("a", "")); });
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  expect_error(ErrorKind::Io, {"regular"}, [&] { map_file(folder.path("pipe")); });
}

}  // namespace
}  // namespace graphveil::files::mapped_file_test
