#include "graphveil/report/results_table.h"

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/report/result_lines.h"

namespace graphveil::report::results_table_test {
namespace {

ResultLines read(const std::string& text) {
  const files::TemporaryFolder folder;
  return sweep::read_results(folder.write("results.jsonl", text));
}

TEST(ResultsTable, MarkdownHasARowForEverySeriesAndAColumnForEveryEpsilon) {
  const ResultLines file =
      read(made_text({.epsilon = 1.0, .accuracy = 0.25}) + made_text({.epsilon = 8.0, .accuracy = 0.5}) +
           made_text({.label = "b", .epsilon = 8.0, .accuracy = 0.125}) +
           made_text({.label = "mlp|x", .epsilon = std::nullopt, .accuracy = 0.75}));
  const std::string text = results_markdown(file, grouped(file));
  EXPECT_NE(text.find("### cora\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| method | guarantee | ε = 1 | ε = 8 | no noise |\n| --- | --- | ---: | ---: | ---: |\n"
                      "| lap | node, up to 100 edges | 25.0 | **50.0** |  |\n"
                      "| b | node, up to 100 edges |  | **12.5** |  |\n"
                      "| mlp\\|x | none |  |  | 75.0 |\n"),
            std::string::npos)
      << text;
}

TEST(ResultsTable, AnIntervalIsHalfItsWidth) {
  const ResultLines file = read(made_text({.seed = 0, .accuracy = 0.4}) + made_text({.seed = 1, .accuracy = 0.6}));
  // t(0.975, 1) = 12.7062 of the standard error 0.1.
  EXPECT_NE(results_markdown(file, grouped(file)).find("| 50.0 ± 127.1 † |"), std::string::npos);
}

TEST(ResultsTable, MarksWhoIsNotBetterThanTheMajority) {
  const ResultLines file = read(made_text({.seed = 0, .accuracy = 0.9}) + made_text({.seed = 1, .accuracy = 0.91}) +
                                made_text({.label = "weak", .seed = 0, .accuracy = 0.5}) +
                                made_text({.label = "weak", .seed = 1, .accuracy = 0.51}));
  const std::string text = results_markdown(file, grouped(file));
  EXPECT_NE(text.find("| weak | node, up to 100 edges | 50.5 ± 6.4 † |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Always answering the largest class is right on 50.0%. †: not shown to be better than that."),
            std::string::npos)
      << text;
}

TEST(ResultsTable, CsvHasARowForEveryRunAndNoFormula) {
  const ResultLines file =
      read(made_text({.accuracy = 0.25}) + made_text({.label = "=1+1", .graph = "a,\"b\"", .accuracy = 0.5}));
  EXPECT_EQ(
      results_csv(file, grouped(file)),
      "graph,series,method,relation,protect_degree,epsilon,delta,accounting,valid,seed,accuracy,macro_f1,majority,"
      "seconds\n"
      "cora,lap,lap,node,100,4,0.0001,tight,true,0,0.25,0.4,0.5,0.5\n"
      "\"a,\"\"b\"\"\",'=1+1,'=1+1,node,100,4,0.0001,tight,true,0,0.5,0.4,0.5,0.5\n");
}

}  // namespace
}  // namespace graphveil::report::results_table_test
