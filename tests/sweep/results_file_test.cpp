#include "graphveil/sweep/results_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"
#include "tests/report/result_lines.h"

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
  EXPECT_EQ(read_results(at + "/results.jsonl").lines.size(), 2u);
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
    EXPECT_EQ(read_results(at + "/results.jsonl").lines.size(), 2u) << torn;
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
  ASSERT_EQ(read_results(at + "/results.jsonl").lines.size(), 1u);
  EXPECT_EQ(read_results(at + "/results.jsonl").lines[0].error, "second");
}

TEST(ResultsFile, RefusesAFolderOfSomethingElse) {
  const TemporaryFolder folder;
  folder.write("other/notes.txt", "mine");
  EXPECT_THROW(ResultsFile(folder.path("other")), Error);
  folder.write("file", "x");
  EXPECT_THROW(ResultsFile(folder.path("file")), Error);
  EXPECT_THROW(ResultsFile(""), Error);
}

// Lines as a report reads them.
class ReadResults : public testing::Test {
 protected:
  ResultLines read(const std::string& text) const { return read_results(folder_.write("results.jsonl", text)); }
  // What is said of a line with this field.
  std::string said(const char* field, const nlohmann::ordered_json& value) const {
    nlohmann::ordered_json line = report::made_line({});
    line[field] = value;
    try {
      read("\n" + line.dump() + "\n");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
    return "nothing";
  }
  TemporaryFolder folder_;
};

TEST_F(ReadResults, HasWhatAReportDraws) {
  using report::made_text;
  const ResultLines file = read(made_text({.seed = 3, .accuracy = 0.75}) + made_text({.epsilon = std::nullopt}));
  ASSERT_EQ(file.lines.size(), 2u);
  const Result& line = file.lines[0];
  EXPECT_TRUE(line.done);
  EXPECT_EQ(line.relation, "node");
  EXPECT_EQ(line.protect_degree, 100);
  EXPECT_EQ(line.epsilon, 4);
  EXPECT_EQ(line.delta, 1e-4);
  EXPECT_EQ(line.seed, 3);
  EXPECT_EQ(line.scores, (std::map<std::string, double>{{"accuracy", 0.75}, {"macro_f1", 0.4}, {"majority", 0.5}}));
  ASSERT_EQ(line.classes.size(), 2u);
  EXPECT_EQ(line.classes[1].name, "b");
  EXPECT_EQ(line.confusion[1], (std::vector<int64_t>{8, 2}));
  EXPECT_EQ(line.seconds, 0.5);
  EXPECT_FALSE(line.beats_majority) << "the line does not say";
  EXPECT_FALSE(file.lines[1].epsilon);
  EXPECT_FALSE(file.unfinished);
}

TEST_F(ReadResults, WhoeverReadsNoEdgeNeedsNoNoise) {
  using report::made_line, report::made_text;
  nlohmann::ordered_json quiet = made_line({.seed = 1, .accuracy = 0.5}), noisy = made_line({.seed = 2});
  quiet["noise"] = nlohmann::ordered_json::object();
  noisy["noise"] = {{"training", 1.5}};
  const ResultLines file =
      read(quiet.dump() + "\n" + noisy.dump() + "\n" + made_text({.epsilon = std::nullopt}) + made_text({}));
  EXPECT_FALSE(file.lines[0].noise);
  EXPECT_TRUE(file.lines[1].noise);
  EXPECT_FALSE(file.lines[2].noise);
  EXPECT_TRUE(file.lines[3].noise) << "a file that does not say: with an epsilon there is noise";
}

TEST_F(ReadResults, ALineThatWasNeverWrittenToItsEndIsLeftOut) {
  const std::string whole = report::made_text({});
  for (const std::string& torn : {report::made_text({.seed = 1}).substr(0, 40), std::string("{\"id\": 1\n")}) {
    const ResultLines file = read(whole + torn);
    EXPECT_EQ(file.lines.size(), 1u);
    EXPECT_TRUE(file.unfinished);
  }
}

TEST_F(ReadResults, NamesTheLineAndTheField) {
  const std::string path = folder_.path("results.jsonl");
  EXPECT_EQ(said("status", "maybe"), path + ": line 2: status is 'maybe', want done or failed");
  EXPECT_EQ(said("epsilon", -1), path + ": line 2: epsilon is -1, want a positive number, or null without noise");
  EXPECT_NE(said("epsilon", "4").find("line 2"), std::string::npos);
  EXPECT_EQ(said("scores", {{"accuracy", 1.5}}), path + ": line 2: scores.accuracy is 1.5, want 0 to 1");
  EXPECT_EQ(said("scores", {{"accuracy", "high"}}),
            path + ": line 2: scores.accuracy is string, want a number or null");
  EXPECT_NE(said("confusion", {{1, 2}}).find("want as many as there are classes"), std::string::npos);
  EXPECT_NE(said("confusion", {{1, -2}, {0, 0}}).find("want counts"), std::string::npos);
  EXPECT_NE(said("noise", "much").find("noise is string, want an object"), std::string::npos);
  EXPECT_NE(said("method", 3).find("method"), std::string::npos);
  EXPECT_NE(said("seed", 0.5).find("seed"), std::string::npos);
  EXPECT_NE(said("outcome", {{"majority", {{"beaten", 3}}}}).find("beaten"), std::string::npos);
  EXPECT_THROW(read("[1]\n"), Error);
  EXPECT_THROW(read_results(folder_.path("none.jsonl")), Error);
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
