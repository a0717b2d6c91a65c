#include "graphveil/report/results_file.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"
#include "tests/report/result_lines.h"

namespace graphveil::report::results_file_test {
namespace {

class ResultsFileTest : public testing::Test {
 protected:
  ResultsFile read(const std::string& text) const { return read_results(folder_.write("results.jsonl", text)); }
  // What is said of a line with this field.
  std::string said(const char* field, const nlohmann::ordered_json& value) const {
    nlohmann::ordered_json line = made_line({});
    line[field] = value;
    try {
      read("\n" + line.dump() + "\n");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
    return "nothing";
  }
  files::TemporaryFolder folder_;
};

TEST_F(ResultsFileTest, ReadsWhatAReportDraws) {
  const ResultsFile file = read(made_text({.seed = 3, .accuracy = 0.75}) + made_text({.epsilon = std::nullopt}));
  ASSERT_EQ(file.lines.size(), 2u);
  const ResultLine& line = file.lines[0];
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
  EXPECT_FALSE(file.lines[1].epsilon);
  EXPECT_FALSE(file.unfinished);
}

TEST_F(ResultsFileTest, WhoeverReadsNoEdgeNeedsNoNoise) {
  nlohmann::ordered_json quiet = made_line({.seed = 1, .accuracy = 0.5}), noisy = made_line({.seed = 2});
  quiet["noise"] = nlohmann::ordered_json::object();
  noisy["noise"] = {{"training", 1.5}};
  const ResultsFile file =
      read(quiet.dump() + "\n" + noisy.dump() + "\n" + made_text({.epsilon = std::nullopt}) + made_text({}));
  EXPECT_FALSE(file.lines[0].noise);
  EXPECT_TRUE(file.lines[1].noise);
  EXPECT_FALSE(file.lines[2].noise);
  EXPECT_TRUE(file.lines[3].noise) << "a file that does not say: with an epsilon there is noise";
}

TEST_F(ResultsFileTest, ALineThatWasNeverWrittenToItsEndIsLeftOut) {
  const std::string whole = made_text({});
  const ResultsFile file = read(whole + made_text({.seed = 1}).substr(0, 40));
  EXPECT_EQ(file.lines.size(), 1u);
  EXPECT_TRUE(file.unfinished);
}

TEST_F(ResultsFileTest, ARunThatWasMadeAgainCountsOnce) {
  nlohmann::ordered_json failed = made_line({});
  failed["status"] = "failed";
  failed["error"] = "killed";
  failed.erase("scores");
  const ResultsFile file = read(failed.dump() + "\n" + made_text({.accuracy = 0.625}));
  ASSERT_EQ(file.lines.size(), 1u);
  EXPECT_TRUE(file.lines[0].done);
  EXPECT_EQ(file.lines[0].scores.at("accuracy"), 0.625);
}

TEST_F(ResultsFileTest, NamesTheLineAndTheField) {
  const std::string path = folder_.path("results.jsonl");
  EXPECT_EQ(said("status", "maybe"), path + ", line 2: status is 'maybe', want done or failed");
  EXPECT_EQ(said("epsilon", -1), path + ", line 2: epsilon is -1, want a positive number, or null without noise");
  EXPECT_NE(said("epsilon", "4").find("line 2"), std::string::npos);
  EXPECT_EQ(said("scores", {{"accuracy", 1.5}}), path + ", line 2: scores.accuracy is 1.5, want 0 to 1");
  EXPECT_EQ(said("scores", {{"accuracy", "high"}}),
            path + ", line 2: scores.accuracy is string, want a number or null");
  EXPECT_NE(said("confusion", {{1, 2}}).find("want as many as there are classes"), std::string::npos);
  EXPECT_NE(said("confusion", {{1, -2}, {0, 0}}).find("want counts"), std::string::npos);
  EXPECT_NE(said("noise", 3).find("noise is number, want an object"), std::string::npos);
  EXPECT_NE(said("method", 3).find("method"), std::string::npos);
  EXPECT_NE(said("seed", 0.5).find("seed"), std::string::npos);
  EXPECT_THROW(read("[1]\n"), Error);
  EXPECT_THROW(read("{\"id\": 1\n"), Error);
  EXPECT_THROW(read_results(folder_.path("none.jsonl")), Error);
}

}  // namespace
}  // namespace graphveil::report::results_file_test
