#include "graphveil/base/json_fields.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil {
namespace {

[[noreturn]] void wrong_type(const std::string& what, const char* name, const char* wanted) {
  fail(ErrorKind::BadInput, "{}: field '{}' is not {}", what, name, wanted);
}

}  // namespace

const nlohmann::json& field(const nlohmann::json& object, const char* name, const std::string& what) {
  if (!object.is_object()) fail(ErrorKind::BadInput, "{}: not an object where field '{}' is wanted", what, name);
  const auto found = object.find(name);
  if (found == object.end()) fail(ErrorKind::BadInput, "{}: field '{}' is missing", what, name);
  return *found;
}

std::string string_field(const nlohmann::json& object, const char* name, const std::string& what) {
  const auto& value = field(object, name, what);
  if (!value.is_string()) wrong_type(what, name, "a string");
  return value.get<std::string>();
}

bool bool_field(const nlohmann::json& object, const char* name, const std::string& what) {
  const auto& value = field(object, name, what);
  if (!value.is_boolean()) wrong_type(what, name, "true or false");
  return value.get<bool>();
}

std::optional<double> number_or_null_field(const nlohmann::json& object, const char* name, const std::string& what) {
  const auto& value = field(object, name, what);
  if (value.is_null()) return std::nullopt;
  if (!value.is_number() || !std::isfinite(value.get<double>())) wrong_type(what, name, "a finite number or null");
  return value.get<double>();
}

double number_field(const nlohmann::json& object, const char* name, const std::string& what) {
  const std::optional<double> value = number_or_null_field(object, name, what);
  if (!value) wrong_type(what, name, "a finite number");
  return *value;
}

int64_t whole_field(const nlohmann::json& object, const char* name, const std::string& what, int64_t most) {
  const double value = number_field(object, name, what);
  if (!(value >= 0 && value <= static_cast<double>(most) && value == std::floor(value)))
    wrong_type(what, name, "a whole number");
  return static_cast<int64_t>(value);
}

const nlohmann::json& list_field(const nlohmann::json& object, const char* name, const std::string& what) {
  const nlohmann::json& list = field(object, name, what);
  if (!list.is_array()) fail(ErrorKind::BadInput, "{}: field '{}' is not a list", what, name);
  return list;
}

std::vector<std::string> strings_field(const nlohmann::json& object, const char* name, const std::string& what) {
  const auto& value = field(object, name, what);
  if (!value.is_array()) wrong_type(what, name, "a list of strings");
  std::vector<std::string> strings;
  for (const auto& item : value) {
    if (!item.is_string()) wrong_type(what, name, "a list of strings");
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

}  // namespace graphveil
