#include "graphveil/sweep/result.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil::sweep::result_test {
namespace {

using nlohmann::json;

Run run() { return make_run(split_words("train lap --data cora/cora.npz -e 4 -s 1 --hops 2")); }

constexpr const char* kOut = R"({"method": "lap", "relation": "node", "protect_degree": 100, "accounting": "tight",
 "epsilon": 3.99, "delta": 1e-4, "valid": true, "releasable": false, "reasons": [], "statements": [],
 "noise": {"x": 1.5}, "test_accuracy": {"mean": 0.75, "std": 0.01, "ci95": null, "values": [0.74, 0.76]},
 "val_accuracy": null, "confusion": [[6, 2], [1, 3]], "seconds": {"train": 1.5, "total": 2}, "peak_memory_mb": 40,
 "warnings": ["w"], "majority": {"share": 0.66, "beaten": false}, "diagnostics": {"queries": 3}})";

TEST(ResultOf, KeepsWhatTheProgramSaid) {
  sweep::Run asked = run();
  asked.measures = {"diagnostics.queries"};
  const Result result = result_of("p", asked, {.exit_code = 0, .signal = 0, .out = kOut, .error = "", .seconds = 2.5});
  EXPECT_TRUE(result.done);
  EXPECT_EQ(result.graph, "cora");
  EXPECT_EQ(result.epsilon, 4.0);  // what was asked for
  EXPECT_EQ(result.seed, 1);
  EXPECT_EQ(result.relation, "node");
  EXPECT_DOUBLE_EQ(result.scores.at("accuracy"), 0.75);
  EXPECT_DOUBLE_EQ(result.scores.at("majority"), 8.0 / 12);
  EXPECT_DOUBLE_EQ(result.scores.at("balanced_accuracy"), (6.0 / 8 + 3.0 / 4) / 2);
  EXPECT_FALSE(result.scores.contains("val_accuracy"));
  EXPECT_EQ(result.beats_majority, false);
  EXPECT_EQ(result.figures.at("diagnostics.queries").mean, 3);
  EXPECT_EQ(result.seconds, 2.5);
  const json line = json::parse(result.line);
  EXPECT_EQ(line["command"], "train lap --data cora/cora.npz -e 4 -s 1 --hops 2");
  EXPECT_EQ(line["outcome"]["warnings"][0], "w");
  EXPECT_EQ(line["options"], (json{{"hops", "2"}}));
  EXPECT_EQ(result.line.find('\n'), std::string::npos);
}

TEST(ResultOf, AFigureIsFoundByItsPath) {
  sweep::Run asked = run();
  asked.measures = {"test_accuracy", "nowhere.0"};
  const Result result = result_of("p", asked, {.exit_code = 0, .signal = 0, .out = kOut, .error = "", .seconds = 1});
  const Figure& figure = result.figures.at("test_accuracy");
  EXPECT_EQ(figure.values, (std::vector<double>{0.74, 0.76}));
  EXPECT_EQ(figure.std, 0.01);
  EXPECT_FALSE(result.figures.contains("nowhere.0"));
}

TEST(ResultOf, SaysInOneSentenceWhyARunFailed) {
  const auto error = [](int code, int signal, const std::string& out, const std::string& said) {
    const Result r =
        result_of("p", run(), {.exit_code = code, .signal = signal, .out = out, .error = said, .seconds = 1});
    EXPECT_FALSE(r.done);
    return r.error;
  };
  EXPECT_EQ(error(2, 0, "", "training 5%\ngraphveil: x.npz: no such file\n"), "x.npz: no such file");
  EXPECT_EQ(error(4, 0, "", ""), "exit code 4, without a word");
  EXPECT_NE(error(0, 9, "", "").find("signal 9"), std::string::npos);
  EXPECT_EQ(error(0, 0, "{\"torn", "last words"), "last words");
}

TEST(ResultOf, AnAnswerOfNoIsAnAnswer) {
  const Result r = result_of("p", make_run({"audit", "lap"}),
                             {.exit_code = 1, .signal = 0, .out = R"({"refuted": true})", .error = "", .seconds = 1});
  EXPECT_TRUE(r.done);
  EXPECT_EQ(json::parse(r.line)["outcome"]["refuted"], true);
}

TEST(ParseResult, ReadsBackWhatWasWritten) {
  const Result failed = failed_result("p", run(), "no graph");
  const Result again = parse_result(failed.line, "x");
  EXPECT_EQ(again.id, failed.id);
  EXPECT_EQ(again.error, "no graph");
  EXPECT_FALSE(again.done);
  for (const char* wrong : {"", "[]", "{}", R"({"id": "a", "status": "perhaps"})", R"({"id": 3, "status": "done"})"}) {
    EXPECT_THROW(parse_result(wrong, "x"), Error) << wrong;
  }
}

}  // namespace
}  // namespace graphveil::sweep::result_test
