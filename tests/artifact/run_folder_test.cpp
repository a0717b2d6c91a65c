#include "graphveil/artifact/run_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "graphveil/base/unfinished_path.h"
#include "tests/run/small_run.h"

namespace graphveil::artifact::run_folder_test {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public run::SmallRun {};

TEST_F(RunFolderTest, AFolderThatExistsOrCannotBeMadeIsRefusedAtOnce) {
  const auto kind_of = [](const std::string& folder) {
    try {
      RunFolder claim(folder);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << folder;
    return ErrorKind::Internal;
  };
  fs::create_directory(place_ / "there");
  std::ofstream(place_ / "file") << "x";
  EXPECT_EQ(kind_of((place_ / "there").string()), ErrorKind::Io);
  EXPECT_EQ(kind_of((place_ / "there/").string()), ErrorKind::Io);
  EXPECT_EQ(kind_of((place_ / "file").string()), ErrorKind::Io);
  EXPECT_EQ(kind_of((place_ / "file/below").string()), ErrorKind::Io);
  EXPECT_EQ(kind_of("/proc/nothing/here"), ErrorKind::Io);
  EXPECT_EQ(kind_of(""), ErrorKind::InvalidArgument);
  EXPECT_EQ(left(), (std::vector<std::string>{"file", "there"}));
}

TEST_F(RunFolderTest, TwoRunsCannotClaimOneFolder) {
  const std::string folder = (place_ / "run").string();
  auto first = std::make_unique<RunFolder>(folder);
  try {
    RunFolder second(folder);
    ADD_FAILURE() << "claimed twice";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("another run is writing it"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(fs::exists(folder + ".part"));
  first.reset();
  EXPECT_TRUE(left().empty());
  EXPECT_NO_THROW(RunFolder third(folder));
}

// What SIGKILL leaves: nobody holds its lock, and its marker is there.
TEST_F(RunFolderTest, WhatAKilledRunLeftIsTakenOver) {
  const fs::path part = place_ / "run.part";
  fs::create_directories(part / "holder");
  std::ofstream(part / ".unfinished") << "x";
  std::ofstream(part / "holder/metrics.jsonl") << "x";
  {
    RunFolder claim((place_ / "run").string());
    EXPECT_FALSE(fs::exists(part / "holder"));
  }
  EXPECT_TRUE(left().empty());
  // Somebody's own folder of that name is left alone.
  fs::create_directory(part);
  std::ofstream(part / "letters") << "x";
  EXPECT_THROW(RunFolder claim((place_ / "run").string()), Error);
  EXPECT_TRUE(fs::exists(part / "letters"));
}

TEST_F(RunFolderTest, ALinkInTheWayIsNotFollowed) {
  fs::create_directory(place_ / "letters");
  std::ofstream(place_ / "letters/.unfinished") << "x";
  std::ofstream(place_ / "letters/one") << "x";
  fs::create_symlink(place_ / "letters", place_ / "run.part");
  EXPECT_THROW(RunFolder claim((place_ / "run").string()), Error);
  EXPECT_TRUE(fs::exists(place_ / "letters/one"));
  EXPECT_TRUE(fs::is_symlink(place_ / "run.part"));
  // Nor is the marker, where somebody can write into an unfinished folder.
  fs::remove(place_ / "run.part");
  fs::create_directory(place_ / "run.part");
  fs::create_symlink(place_ / "letters/one", place_ / "run.part/.unfinished");
  EXPECT_THROW(RunFolder claim((place_ / "run").string()), Error);
  EXPECT_EQ(fs::file_size(place_ / "letters/one"), 1u);
}

TEST_F(RunFolderTest, MoreThanTheDiskHoldsIsRefused) {
  RunFolder claim((place_ / "run").string());
  EXPECT_NO_THROW(claim.reserve(int64_t{2} << 20));
  EXPECT_THROW(claim.reserve(int64_t{1} << 55), Error);
}

TEST_F(RunFolderTest, ATrainingThatFailsLeavesNothing) {
  {
    RunFolder claim((place_ / "a/b/run").string());
    EXPECT_FALSE(left().empty());
  }
  EXPECT_TRUE(left().empty());
}

// As a signal handler does it: files first, then folders from the inside out.
TEST_F(RunFolderTest, AnInterruptedTrainingLeavesNothing) {
  auto claim = std::make_unique<RunFolder>((place_ / "a/b/run").string());
  const UnfinishedPath inner((place_ / "a/b/inner").string()), file((place_ / "a/b/inner/file").string());
  fs::create_directory(place_ / "a/b/inner");
  std::ofstream(place_ / "a/b/inner/file") << "x";
  remove_unfinished_paths();
  EXPECT_TRUE(left().empty()) << fmt::format("{}", fmt::join(left(), " "));
}

}  // namespace
}  // namespace graphveil::artifact::run_folder_test
