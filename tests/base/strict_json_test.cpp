#include "graphveil/base/strict_json.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil::strict_json_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_strict_json(text, "file.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_EQ(std::string(error.what()).rfind("file.json: ", 0), 0u) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

std::string nested(int depth) {
  return std::string(static_cast<size_t>(depth), '[') + std::string(static_cast<size_t>(depth), ']');
}

TEST(StrictJson, TakesWhatIsJson) {
  EXPECT_EQ(parse_strict_json(R"({"a": [1, 2.5, "x", null, true], "b": {"a": 1}})", "f")["b"]["a"], 1);
  EXPECT_NO_THROW(parse_strict_json(nested(kDeepestJson), "f"));
}

TEST(StrictJson, RefusesDepthDoublesAndNonsense) {
  EXPECT_NE(refusal(nested(kDeepestJson + 1)).find("deep"), std::string::npos);
  EXPECT_NE(refusal(std::string(75'000, '[')).find("deep"), std::string::npos);
  std::string objects;
  for (int i = 0; i < 75'000; ++i) objects += R"({"a":)";
  EXPECT_NE(refusal(objects).find("deep"), std::string::npos);
  EXPECT_NE(refusal(R"({"a": 1, "b": {"c": 1, "c": 2}})").find("\"c\" stands twice"), std::string::npos);
  EXPECT_NE(refusal("[1, ").find("not JSON"), std::string::npos);
  refusal("");
  EXPECT_NE(refusal(std::string("[1]\0[2]", 7)).find("at byte 4: a byte of value 0"), std::string::npos);
  refusal(std::string("[1]\0", 4));
  refusal("[1] 2");
}

}  // namespace
}  // namespace graphveil::strict_json_test
