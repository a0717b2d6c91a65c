#include "graphveil/base/json_fields.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil::json_fields_test {
namespace {

std::string message(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(JsonFields, ReadsTheTypesItWants) {
  const nlohmann::json object = {{"s", "x"}, {"b", true}, {"n", 2.5}, {"none", nullptr}, {"list", {"a", "b"}}};
  EXPECT_EQ(string_field(object, "s", "f"), "x");
  EXPECT_TRUE(bool_field(object, "b", "f"));
  EXPECT_EQ(number_field(object, "n", "f"), 2.5);
  EXPECT_FALSE(number_or_null_field(object, "none", "f").has_value());
  EXPECT_EQ(strings_field(object, "list", "f"), (std::vector<std::string>{"a", "b"}));
}

TEST(JsonFields, ErrorsNameTheDocumentAndTheField) {
  const nlohmann::json object = {{"s", "x"}, {"none", nullptr}, {"list", {"a", 1}}};
  EXPECT_EQ(message([&] { string_field(object, "t", "c.json"); }), "c.json: field 't' is missing");
  EXPECT_EQ(message([&] { number_field(object, "s", "c.json"); }), "c.json: field 's' is not a finite number or null");
  EXPECT_EQ(message([&] { number_field(object, "none", "c.json"); }), "c.json: field 'none' is not a finite number");
  EXPECT_EQ(message([&] { bool_field(object, "s", "c.json"); }), "c.json: field 's' is not true or false");
  EXPECT_EQ(message([&] { strings_field(object, "list", "c.json"); }), "c.json: field 'list' is not a list of strings");
  EXPECT_NE(message([&] { field(nlohmann::json::array(), "s", "c.json"); }).find("not an object"), std::string::npos);
}

TEST(JsonFields, WholeNumbersHaveARange) {
  const nlohmann::json object = {{"a", 2147483647}, {"b", 2147483648}, {"c", 1.5}, {"d", -1}};
  EXPECT_EQ(whole_field(object, "a", "f"), 2147483647);
  EXPECT_EQ(whole_field(object, "b", "f", int64_t{1} << 40), 2147483648);
  for (const char* name : {"b", "c", "d"}) message([&] { whole_field(object, name, "f"); });
}

}  // namespace
}  // namespace graphveil::json_fields_test
