#include "graphveil/base/version.h"

#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace graphveil::version_test {
namespace {

TEST(Version, IsThreeNumbers) { EXPECT_TRUE(std::regex_match(std::string(version()), std::regex(R"(\d+\.\d+\.\d+)"))); }

}  // namespace
}  // namespace graphveil::version_test
