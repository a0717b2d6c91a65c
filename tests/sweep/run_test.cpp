#include "graphveil/sweep/run.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::sweep::run_test {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, HoldsQuotedWordsTogetherAndLeavesTheProgramOut) {
  EXPECT_EQ(split_words("graphveil train lap  --data 'my graphs/a.npz' -e 4"),
            (Words{"train", "lap", "--data", "my graphs/a.npz", "-e", "4"}));
  EXPECT_EQ(split_words("train \"it's\" ''"), (Words{"train", "it's", ""}));
  EXPECT_EQ(split_words("  "), Words{});
  EXPECT_THROW(split_words("train 'lap"), Error);
}

TEST(JoinWords, IsReadBackAsItWas) {
  for (const Words& words : {Words{"train", "lap"}, Words{"a b", "it's", "", "\"x\"", "tab\there"}}) {
    EXPECT_EQ(split_words(join_words(words)), words);
  }
}

TEST(MakeRun, ReadsWhatTheWordsSay) {
  const sweep::Run run =
      make_run(split_words("train gap-edp --hops 2 --data facebook100/B/Berkeley13_year.npz -e 4 -s 7"));
  EXPECT_EQ(run.method, "gap-edp");
  EXPECT_EQ(run.graph, "Berkeley13");
  EXPECT_EQ(run.data, "facebook100/B/Berkeley13_year.npz");
  EXPECT_EQ(run.epsilon, 4.0);
  EXPECT_EQ(run.seed, 7);
  EXPECT_EQ(run.options, (std::map<std::string, std::string>{{"hops", "2"}}));
  EXPECT_EQ(run.label(), "gap-edp --hops 2");
  EXPECT_EQ(make_run(split_words("attack membership gap-inf --data a.npz")).method, "gap-inf");
  EXPECT_EQ(make_run({"train", "lap", "--epsilon=2", "--data=x/y.npz"}).epsilon, 2.0);
}

TEST(MakeRun, TheSameWordsAreTheSameRun) {
  EXPECT_EQ(make_run({"train", "lap"}).id, make_run({"train", "lap"}).id);
  EXPECT_NE(make_run({"train", "lap"}).id, make_run({"train", "la", "p"}).id);
  EXPECT_NE(make_run({"train", "lap", "-s", "1"}).id, make_run({"train", "lap", "-s", "2"}).id);
  EXPECT_EQ(make_run({"train", "lap"}).id.size(), 16u);
}

TEST(ReplaceValue, ChangesOnlyWhatIsThere) {
  Words words = split_words("train lap -r 5 --data x");
  EXPECT_TRUE(replace_value(words, {"--repeats", "-r"}, "1"));
  EXPECT_FALSE(replace_value(words, {"--nodes"}, "1"));
  EXPECT_EQ(join_words(words), "train lap -r 1 --data x");
}

TEST(GraphName, IsTheFileWithoutItsEnd) {
  EXPECT_EQ(graph_name("cora/cora.npz"), "cora");
  EXPECT_EQ(graph_name("ogbn_arxiv/"), "ogbn_arxiv");
  EXPECT_EQ(graph_name("Berkeley13_year.npz"), "Berkeley13");
}

TEST(CheckRun, FindsMistakesBeforeAnythingIsRun) {
  EXPECT_NO_THROW(check_run(make_run(split_words("train gap-ndp --hops 2 --data x -e 4 -s 1 --preset default"))));
  EXPECT_NO_THROW(check_run(make_run(split_words("attack membership gap-inf --data x"))));
  for (const char* wrong : {"train lapp --data x", "train lap --hopz 2 --data x", "train gap-ndp --hops many --data x",
                            "train lap -e -3 --data x", "predict runs/a", "train"}) {
    EXPECT_THROW(check_run(make_run(split_words(wrong))), Error) << wrong;
  }
}

}  // namespace
}  // namespace graphveil::sweep::run_test
