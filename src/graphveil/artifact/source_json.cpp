#include "graphveil/artifact/source_json.h"

#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/base/json_fields.h"

namespace graphveil::artifact {
namespace {

namespace source = bound::source;

constexpr const char* kKind = "kind";
constexpr int64_t kMostOfASource = int64_t{1} << 53;  // a whole number that JSON keeps

struct NumberWriter {
  nlohmann::ordered_json& out;
  void operator()(const char* name, int64_t value) const { out[name] = value; }
  void operator()(const char* name, double value) const { out[name] = value; }
  void operator()(const char* name, source::Reach value) const { out[name] = source::name(value); }
  void operator()(const char* name, source::TeacherReads value) const { out[name] = source::name(value); }
};

struct NumberReader {
  const nlohmann::json& entry;
  const std::string& what;
  size_t& fields;

  void operator()(const char* name, int64_t& value) const {
    value = whole_field(entry, name, what, kMostOfASource);
    ++fields;
  }
  void operator()(const char* name, double& value) const {
    value = number_field(entry, name, what);
    if (!(value > 0)) fail(ErrorKind::BadInput, "{}: field '{}' is {}, want a positive number", what, name, value);
    ++fields;
  }
  void operator()(const char* name, source::Reach& value) const {
    value = named(
        name, {source::Reach::OwnSample, source::Reach::ReleasedLists, source::Reach::OneHop, source::Reach::ManyHops});
  }
  void operator()(const char* name, source::TeacherReads& value) const {
    value =
        named(name, {source::TeacherReads::OwnRecords, source::TeacherReads::OwnPart, source::TeacherReads::ManyHops});
  }
  template <typename Enum>
  Enum named(const char* field, std::initializer_list<Enum> all) const {
    const std::string text = string_field(entry, field, what);
    ++fields;
    for (const Enum value : all) {
      if (source::name(value) == text) return value;
    }
    fail(ErrorKind::BadInput, "{}: field '{}' is '{}', which means nothing", what, field, text);
  }
};

template <size_t Index = 0>
bound::Source source_of_kind(const std::string& kind, const nlohmann::json& entry, const std::string& what) {
  if constexpr (Index == std::variant_size_v<bound::Source>) {
    fail(ErrorKind::BadInput, "{}: nothing that is released is called '{}'", what, kind);
  } else {
    using Kind = std::variant_alternative_t<Index, bound::Source>;
    if (kind != Kind::kName) return source_of_kind<Index + 1>(kind, entry, what);
    Kind out;
    size_t fields = 1;  // the kind itself
    Kind::list(out, NumberReader{entry, what, fields});
    if (entry.size() != fields) {
      fail(ErrorKind::BadInput, "{}: '{}' has {} fields, want {}", what, kind, entry.size(), fields);
    }
    return out;
  }
}

}  // namespace

nlohmann::ordered_json to_json(const bound::Source& source) {
  nlohmann::ordered_json out{{kKind, bound::name(source)}};
  std::visit([&]<typename Kind>(const Kind& kind) { Kind::list(kind, NumberWriter{out}); }, source);
  return out;
}

bound::Source source_from_json(const nlohmann::json& entry, const std::string& what) {
  return source_of_kind(string_field(entry, kKind, what), entry, what);
}

}  // namespace graphveil::artifact
