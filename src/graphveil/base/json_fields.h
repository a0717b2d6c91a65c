// Reading fields of JSON objects that somebody else wrote, with errors that name the field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace graphveil {

// All throw BadInput, naming `what` (the document) and the field, when it is missing or of the wrong type.
const nlohmann::json& field(const nlohmann::json& object, const char* name, const std::string& what);
std::string string_field(const nlohmann::json& object, const char* name, const std::string& what);
bool bool_field(const nlohmann::json& object, const char* name, const std::string& what);
// null is no number.
std::optional<double> number_or_null_field(const nlohmann::json& object, const char* name, const std::string& what);
double number_field(const nlohmann::json& object, const char* name, const std::string& what);
// A whole number from 0 to `most`, at most 2^53.
int64_t whole_field(const nlohmann::json& object, const char* name, const std::string& what, int64_t most = INT32_MAX);
const nlohmann::json& list_field(const nlohmann::json& object, const char* name, const std::string& what);
std::vector<std::string> strings_field(const nlohmann::json& object, const char* name, const std::string& what);

}  // namespace graphveil
