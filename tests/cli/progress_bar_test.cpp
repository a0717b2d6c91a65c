#include "cli/progress_bar.h"

#include <gtest/gtest.h>

namespace graphveil::cli::progress_bar_test {
namespace {

TEST(ProgressLine, ShowsShareRateAndTimeLeft) {
  const std::string line = progress_line({"training", 250, 1000, 10.0, false}, 79);
  EXPECT_NE(line.find("training"), std::string::npos);
  EXPECT_NE(line.find("25%"), std::string::npos);
  EXPECT_NE(line.find("25.0/s"), std::string::npos);
  EXPECT_NE(line.find("0:30 left"), std::string::npos);  // 750 more at 25 a second
  EXPECT_NE(line.find("[##########..............................]"), std::string::npos);
}

TEST(ProgressLine, NeverWiderThanAsked) {
  for (int width : {0, 1, 10, 30, 50, 79, 200}) {
    const std::string line = progress_line({"a task with a rather long name", 999999, 1000000, 7200.0, false}, width);
    EXPECT_LE(static_cast<int>(line.size()), width);
  }
}

TEST(ProgressLine, NothingDoneYetHasNoTimeLeft) {
  const std::string line = progress_line({"load", 0, 100, 3.0, false}, 79);
  EXPECT_EQ(line.find("left"), std::string::npos);
  EXPECT_NE(line.find("0%"), std::string::npos);
}

TEST(ProgressLine, HoursAreSpelledOut) {
  const std::string line = progress_line({"sweep", 1, 101, 72.0, false}, 79);
  EXPECT_NE(line.find("2:00:00 left"), std::string::npos);  // 100 more at 72 s each
}

}  // namespace
}  // namespace graphveil::cli::progress_bar_test
