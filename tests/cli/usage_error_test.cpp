#include "cli/usage_error.h"

#include <gtest/gtest.h>

namespace graphveil::cli::usage_error_test {
namespace {

// What is said about a command line of a small program.
std::string said(std::vector<std::string> arguments) {
  CLI::App app{"", "prog"};
  app.require_subcommand(1);
  CLI::App* train = app.add_subcommand("train");
  train->require_subcommand(1);
  CLI::App* lap = train->add_subcommand("lap");
  double epsilon = 0;
  bool fast = false;
  lap->add_option("-e,--epsilon", epsilon);
  lap->add_flag("--fast", fast);
  const std::vector<std::string> given = arguments;
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, given, error);
  }
  return "parsed";
}

TEST(UsageError, NamesTheFirstThingThatMeansNothing) {
  EXPECT_EQ(said({"train", "lap", "-e", "-1", "--fast"}), "parsed");
  EXPECT_EQ(said({"trian", "lap"}), "prog: there is no command 'trian'; did you mean 'train'?");
  EXPECT_EQ(said({"train", "lapp", "--fsat"}), "prog train: there is no command 'lapp'; did you mean 'lap'?");
  EXPECT_EQ(said({"train", "lap", "--epsilonn=1", "--fsat"}),
            "prog train lap: there is no option '--epsilonn'; did you mean '--epsilon'?");
  EXPECT_EQ(said({"train", "lap", "-x"}), "prog train lap: there is no option '-x'");
  EXPECT_EQ(said({"train", "--epsilon", "1"}),
            "prog train: a command is missing before '--epsilon'; for example prog train lap --epsilon ...");
  EXPECT_EQ(said({"train"}), "prog train: a command is missing, one of lap");
  EXPECT_NE(said({"train", "lap", "--epsilon", "many"}).find("--epsilon"), std::string::npos);
}

}  // namespace
}  // namespace graphveil::cli::usage_error_test
