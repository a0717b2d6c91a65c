#include "graphveil/base/utc_time.h"

#include <ctime>
#include <regex>

#include <gtest/gtest.h>

namespace graphveil::utc_time_test {
namespace {

TEST(UtcTime, IsNowToTheSecond) {
  const std::time_t before = std::time(nullptr);
  const std::string text = utc_now();
  ASSERT_TRUE(std::regex_match(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"))) << text;
  std::tm parsed{};
  ASSERT_NE(strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parsed), nullptr);
  const std::time_t said = timegm(&parsed);
  EXPECT_GE(said, before);
  EXPECT_LE(said, std::time(nullptr));
}

}  // namespace
}  // namespace graphveil::utc_time_test
