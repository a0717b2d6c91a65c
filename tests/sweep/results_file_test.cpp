#include "graphveil/sweep/results_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"

namespace graphveil::sweep::results_file_test {
namespace {

namespace fs = std::filesystem;
using files::TemporaryFolder;

Result line(int seed, const std::string& error = "e") {
  return failed_result("p", make_run({"train", "lap", "-s", std::to_string(seed)}), error);
}

void append(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::app) << text; }

TEST(ResultsFile, KeepsEveryLine) {
  const TemporaryFolder folder;
  const std::string at = folder.path("s");
  {
    ResultsFile file(at);
    file.add(line(1));
    file.add(line(2));
  }
  ResultsFile again(at);
  EXPECT_EQ(again.results().size(), 2u);
  EXPECT_TRUE(again.results().contains(line(1).id));
  EXPECT_EQ(read_results(at).size(), 2u);
  // Only its owner may look.
  EXPECT_EQ(fs::status(at).permissions() & fs::perms::others_all, fs::perms::none);
}

TEST(ResultsFile, CutsOffATornLineAndGoesOn) {
  const TemporaryFolder folder;
  const std::string at = folder.path("s"), path = at + "/results.jsonl";
  for (const std::string torn : {"{\"id\": \"abc", "{\"id\": \"abc\n", "\n"}) {
    fs::remove_all(at);
    {
      ResultsFile file(at);
      file.add(line(1));
    }
    append(path, torn);
    {
      ResultsFile file(at);
      EXPECT_EQ(file.results().size(), 1u) << torn;
      file.add(line(2));
    }
    EXPECT_EQ(read_results(at).size(), 2u) << torn;
  }
}

TEST(ResultsFile, RefusesALineInTheMiddleThatIsNone) {
  const TemporaryFolder folder;
  const std::string at = folder.path("s");
  { ResultsFile file(at); }
  append(at + "/results.jsonl", "nonsense\n" + line(1).line + "\n");
  try {
    ResultsFile file(at);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("results.jsonl: line 1"), std::string::npos) << error.what();
  }
}

TEST(ResultsFile, TheLastLineOfARunCounts) {
  const TemporaryFolder folder;
  const std::string at = folder.path("s");
  {
    ResultsFile file(at);
    file.add(line(1, "first"));
    file.add(line(1, "second"));
    EXPECT_EQ(file.results().at(line(1).id).error, "second");
  }
  ASSERT_EQ(read_results(at).size(), 1u);
  EXPECT_EQ(read_results(at)[0].error, "second");
}

TEST(ResultsFile, RefusesAFolderOfSomethingElse) {
  const TemporaryFolder folder;
  folder.write("other/notes.txt", "mine");
  EXPECT_THROW(ResultsFile(folder.path("other")), Error);
  folder.write("file", "x");
  EXPECT_THROW(ResultsFile(folder.path("file")), Error);
  EXPECT_THROW(ResultsFile(""), Error);
}

// A process that holds the folder keeps others out; this takes as long as they are patient.
TEST(ResultsFile, IsOneProcessesAtATime) {
  const TemporaryFolder folder;
  const ResultsFile first(folder.path("s"));
  try {
    ResultsFile second(folder.path("s"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Io);
    EXPECT_NE(std::string(error.what()).find("another sweep"), std::string::npos);
  }
}

}  // namespace
}  // namespace graphveil::sweep::results_file_test
