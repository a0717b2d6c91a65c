#include "cli/help.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace graphveil::cli::help_test {
namespace {

TEST(Wrapped, BreaksAtBlanksAndKeepsLongWords) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 9, 2, 2), "one two\n  three");
  EXPECT_EQ(wrapped("a verylongwordindeed b", 6), "a\nverylongwordindeed\nb");
  EXPECT_EQ(wrapped("", 10), "");
  EXPECT_EQ(wrapped("  many   blanks ", 20), "many blanks");
  EXPECT_EQ(wrapped("\u00e9\u00e9\u00e9 \u00e9\u00e9\u00e9", 7), "\u00e9\u00e9\u00e9 \u00e9\u00e9\u00e9")
      << "letters, not bytes";
}

TEST(HelpRow, HasTwoColumns) {
  EXPECT_EQ(help_row("--x", "what it is", 80), "  --x                     what it is\n");
  const std::string wide = help_row("--a-very-long-name-of-an-option", "what it is", 80);
  EXPECT_EQ(wide, "  --a-very-long-name-of-an-option\n" + std::string(26, ' ') + "what it is\n");
}

// A command with one common option, one rare one and one of its own.
std::string help_of(CLI::AppFormatMode mode) {
  CLI::App app{"Does a thing", "prog"};
  app.set_help_all_flag("--help-all", "");
  app.formatter(help_formatter());
  double epsilon = 1, momentum = 0;
  std::string key, place;
  Options table;
  table.real("epsilon", epsilon, 0, 1, "Budget");
  table.real("momentum", momentum, 0, 1, "Of the optimizer");
  app.add_option("--epsilon", epsilon, "Budget");
  app.add_option("--momentum", momentum, "Of the optimizer");
  app.add_option("--sign", key, "Key");
  app.add_option("--place", place, "Of its own");
  group_options(app, table);
  return app.help("", mode);
}

TEST(Help, ShowsCommonOptionsFirstAndTheOthersWhenAsked) {
  const std::string some = help_of(CLI::AppFormatMode::Normal), all = help_of(CLI::AppFormatMode::All);
  const auto has = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  for (const char* words : {"Privacy:", "--epsilon", "--place", "2 more options: prog --help-all"}) {
    EXPECT_TRUE(has(some, words)) << words << "\n" << some;
  }
  EXPECT_FALSE(has(some, "--momentum"));
  EXPECT_FALSE(has(some, "--sign"));
  for (const char* words : {"--epsilon", "--momentum", "Settings of the method:", "--sign", "--place"}) {
    EXPECT_TRUE(has(all, words)) << words << "\n" << all;
  }
  EXPECT_FALSE(has(all, "more options"));
}

TEST(Start, HasFiveLinesThatFit) {
  const std::string text = start_text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) EXPECT_LE(text.find('\n', at) - at, 80u);
}

}  // namespace
}  // namespace graphveil::cli::help_test
