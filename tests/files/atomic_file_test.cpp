#include "graphveil/files/atomic_file.h"

#include <sys/stat.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/files/refusal.h"

namespace graphveil::files::atomic_file_test {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

int64_t files_in(const std::string& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("a"));
  file.write(bytes_of("12345"));
  file.pad_to(8);
  EXPECT_EQ(file.position(), 8);
  EXPECT_FALSE(std::filesystem::exists(folder.path("a")));
  file.commit();
  EXPECT_EQ(read_bytes(folder.path("a")), std::string("12345\0\0\0", 8));
  EXPECT_EQ(files_in(folder.path("")), 1);
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  { AtomicFile(folder.path("a")).write(bytes_of("new")); }
  EXPECT_EQ(read_bytes(folder.path("a")), "old");
  EXPECT_EQ(files_in(folder.path("")), 1);
}

TEST(AtomicFile, IsForWhomItIsSaidToBe) {
  const TemporaryFolder folder;
  const mode_t before = umask(022);
  for (const auto& [name, mode, wanted] : {std::tuple{"all", 0666u, 0644u}, {"own", 0600u, 0600u}}) {
    AtomicFile file(folder.path(name));
    file.commit(mode);
    EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(folder.path(name)).permissions()), wanted) << name;
  }
  umask(before);
}

TEST(AtomicFile, UnwritablePlaces) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::Io, {"no/a"}, [&] { AtomicFile(folder.path("no/a")); });
  expect_error(ErrorKind::Io, {"folder"}, [&] { AtomicFile(folder.path("")); });
}

TEST(AtomicFile, RoomThatIsNotUsedIsGivenBack) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("a"));
  EXPECT_THROW(file.reserve(int64_t{1} << 55), Error);
  file.reserve(1 << 20);
  const std::string text = "short";
  file.write(std::as_bytes(std::span(text)));
  file.commit();
  EXPECT_EQ(read_bytes(folder.path("a")), "short");
}

TEST(AtomicFile, WhatIsWrittenCanBeMended) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("a"));
  file.write_at(2, bytes_of("cdef"));
  file.write_at(0, bytes_of("ab"));
  file.write_at(3, bytes_of("D"));
  file.commit();
  EXPECT_EQ(read_bytes(folder.path("a")), "abcDef");
}

// What a killed process left goes; what somebody is writing, or only looks like it, stays.
TEST(AtomicFile, ADeadLeftoverIsRemoved) {
  const TemporaryFolder folder;
  for (const char* name : {"a.graphveil-Ab3dEf", "a.backup", "a.graphveil-longer1", "ba.graphveil-Ab3dEf"}) {
    folder.write(name, "x");
  }
  AtomicFile live(folder.path("a"));
  live.write(bytes_of("live"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.graphveil-Ab3dEf")));
  AtomicFile(folder.path("a")).commit();
  for (const char* name : {"a.backup", "a.graphveil-longer1", "ba.graphveil-Ab3dEf"}) {
    EXPECT_TRUE(std::filesystem::exists(folder.path(name))) << name;
  }
  live.commit();
  EXPECT_EQ(read_bytes(folder.path("a")), "live");
}

}  // namespace
}  // namespace graphveil::files::atomic_file_test
