#include "graphveil/base/strict_json.h"

#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"

namespace graphveil {
namespace {

using nlohmann::json;

// Only looks: counts depth and compares names. Building the value is left to the library's own parser, which recurses
// neither then nor when the value is destroyed deeper than what was allowed here.
class Inspector : public nlohmann::json_sax<json> {
 public:
  explicit Inspector(const std::string& what) : what_(what) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!names_.back().insert(name).second) {
      fail(ErrorKind::BadInput, "{}: field \"{}\" stands twice in one object", what_, name);
    }
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    // The library's text begins with its own error number; what follows says line and column.
    std::string text = error.what();
    if (const size_t end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
    fail(ErrorKind::BadInput, "{}: not JSON at byte {}: {}", what_, position, text);
  }

 private:
  bool open() {
    if (names_.size() >= static_cast<size_t>(kDeepestJson)) {
      fail(ErrorKind::BadInput, "{}: nested more than {} deep", what_, kDeepestJson);
    }
    names_.emplace_back();
    return true;
  }
  bool close() {
    names_.pop_back();
    return true;
  }

  const std::string& what_;
  std::vector<std::set<std::string>> names_;  // of the objects around the present place
};

}  // namespace

json parse_strict_json(std::string_view text, const std::string& what) {
  // The library takes it for the end.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    fail(ErrorKind::BadInput, "{}: not JSON at byte {}: a byte of value 0", what, nul + 1);
  }
  Inspector inspector(what);
  json::sax_parse(text.begin(), text.end(), &inspector);
  return json::parse(text.begin(), text.end());
}

}  // namespace graphveil
