#include "graphveil/report/json_values.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace graphveil::report::json_values_test {
namespace {

TEST(JsonValues, WhatIsNotThereOrNotFiniteIsNull) {
  EXPECT_TRUE(or_null(std::optional<double>()).is_null());
  EXPECT_TRUE(or_null(std::optional<double>(INFINITY)).is_null());
  EXPECT_EQ(or_null(std::optional<double>(1.5)).get<double>(), 1.5);
  EXPECT_EQ(or_null(std::optional<int64_t>(7)).get<int64_t>(), 7);
  EXPECT_TRUE(or_null(std::optional<int64_t>()).is_null());
  EXPECT_EQ(or_null(std::optional<std::string>("a")).get<std::string>(), "a");
  EXPECT_TRUE(or_null(std::optional<std::string>()).is_null());
}

TEST(JsonValues, ScoresHaveFiveDecimals) {
  EXPECT_DOUBLE_EQ(rounded_score(0.123456789), 0.12346);
  EXPECT_DOUBLE_EQ(rounded_score(1), 1);
}

}  // namespace
}  // namespace graphveil::report::json_values_test
