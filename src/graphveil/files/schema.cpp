#include "graphveil/files/schema.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

// What toml++ asserts, a broken file can break; it then reports an error by itself.
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

#include "graphveil/base/similar.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/table_text.h"

namespace graphveil::files {
namespace {

constexpr const char* kFormat = "graphveil-schema/1";
constexpr size_t kMostValues = 1'000'000;

std::optional<FeatureKind> kind_from_name(const std::string& text) {
  for (const FeatureKind kind : {FeatureKind::Number, FeatureKind::Category, FeatureKind::TextBag, FeatureKind::Flag}) {
    if (text == name(kind)) return kind;
  }
  return std::nullopt;
}

// One table of the file: hands out its values by key, and refuses keys that nobody asked for.
class SchemaSection {
 public:
  SchemaSection(const std::string& file, const std::string& where, const toml::table& table)
      : file_(file), where_(where), table_(table) {}

  template <typename... Args>
  [[noreturn]] void refuse(const toml::node* node, fmt::format_string<Args...> format, Args&&... args) const {
    const auto line = node ? node->source().begin.line : table_.source().begin.line;
    fail(ErrorKind::BadInput, "{}: line {}: {}", file_, line, fmt::format(format, std::forward<Args>(args)...));
  }

  const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_.get(key);
  }
  const toml::node& required(const char* key) {
    const toml::node* node = find(key);
    if (!node) refuse(nullptr, "{} needs '{}'", where_, key);
    return *node;
  }

  std::string text(const toml::node& node, const char* key) const {
    if (!node.is_string()) refuse(&node, "'{}' must be a text in quotes", key);
    return std::string(*node.value<std::string_view>());
  }
  std::string text(const char* key) { return text(required(key), key); }
  std::string text_or(const char* key, std::string otherwise) {
    const toml::node* node = find(key);
    return node ? text(*node, key) : std::move(otherwise);
  }
  bool flag_or(const char* key, bool otherwise) {
    const toml::node* node = find(key);
    if (!node) return otherwise;
    if (!node->is_boolean()) refuse(node, "'{}' must be true or false", key);
    return *node->value<bool>();
  }
  double number(const toml::node& node, const char* key) const {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || std::abs(*value) > 1e300) refuse(&node, "'{}' must be a number", key);
    return *value;
  }
  double number_or(const char* key, double otherwise) {
    const toml::node* node = find(key);
    return node ? number(*node, key) : otherwise;
  }
  // A list of texts, none twice.
  std::vector<std::string> texts(const toml::node& node, const char* key, bool may_be_empty) const {
    const toml::array* array = node.as_array();
    if (!array || array->size() > kMostValues || (array->empty() && !may_be_empty)) {
      refuse(&node, "'{}' must be a list of texts in quotes", key);
    }
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (const toml::node& entry : *array) {
      out.push_back(text(entry, key));
      if (!seen.insert(out.back()).second) refuse(&entry, "'{}' has '{}' twice", key, out.back());
    }
    return out;
  }
  std::vector<std::string> texts_or(const char* key, std::vector<std::string> otherwise, bool may_be_empty = false) {
    const toml::node* node = find(key);
    return node ? texts(*node, key, may_be_empty) : std::move(otherwise);
  }
  // One of a few words.
  template <typename T>
  T word_or(const char* key, T otherwise, std::initializer_list<std::pair<const char*, T>> words) {
    const toml::node* node = find(key);
    if (!node) return otherwise;
    const std::string seen = text(*node, key);
    std::string wanted;
    for (const auto& [word, value] : words) {
      if (seen == word) return value;
      wanted += fmt::format("{}\"{}\"", wanted.empty() ? "" : ", ", word);
    }
    refuse(node, "'{}' is \"{}\", want one of {}", key, seen, wanted);
  }

  void refuse_other_keys() const {
    for (const auto& [key, node] : table_) {
      const std::string seen(key.str());
      if (std::find(known_.begin(), known_.end(), seen) != known_.end()) continue;
      refuse(&node, "{} has no '{}'{}", where_, seen, did_you_mean(seen, known_));
    }
  }

 private:
  const std::string& file_;
  std::string where_;
  const toml::table& table_;
  std::vector<std::string> known_;
};

TableLayout read_layout(SchemaSection& section) {
  TableLayout layout;
  layout.separator = section.word_or("separator", ',', {{",", ','}, {";", ';'}, {"\t", '\t'}, {"|", '|'}});
  layout.header = section.flag_or("header", true);
  return layout;
}

void read_nodes(SchemaSection section, Schema& schema) {
  schema.nodes = read_layout(section);
  schema.id = section.text("id");
  schema.label = section.text_or("label", "");
  schema.entity = section.text_or("entity", "");
  if (!schema.entity.empty() && (schema.entity == schema.id || schema.entity == schema.label)) {
    section.refuse(nullptr, "'entity' is the column of {}: it names the person behind several nodes",
                   schema.entity == schema.id ? "ids" : "labels");
  }
  const toml::node* classes = section.find("classes");
  if (classes) schema.classes = section.texts(*classes, "classes", false);
  if (schema.label.empty() != schema.classes.empty()) {
    section.refuse(classes, "'label' and 'classes' go together: a column, and the names it may take");
  }
  schema.refuse_unknown_class = section.word_or("unknown_class", false, {{"unlabeled", false}, {"refuse", true}});
  schema.missing = section.texts_or("missing", {""}, true);
  schema.decimal = section.word_or("decimal", '.', {{".", '.'}, {",", ','}});
  if (schema.decimal == schema.nodes.separator) {
    section.refuse(nullptr, "'decimal' and 'separator' are both '{}'", schema.decimal);
  }
  section.refuse_other_keys();
}

void read_edges(SchemaSection section, Schema& schema) {
  schema.edges = read_layout(section);
  schema.source = section.text("source");
  schema.target = section.text("target");
  schema.weight = section.text_or("weight", "");
  const toml::node* keep_from = section.find("keep_from");
  if (schema.weight.empty() != (keep_from == nullptr)) {
    section.refuse(keep_from,
                   "'weight' and 'keep_from' go together: no method bounds weights, so a row whose weight is less than "
                   "'keep_from' is no edge and every other one is a whole edge");
  }
  if (keep_from) schema.keep_from = section.number(*keep_from, "keep_from");
  schema.directed = section.flag_or("directed", false);
  section.refuse_other_keys();
}

void read_number(SchemaSection& section, FeatureColumn& feature) {
  const toml::node& range = section.required("range");
  const toml::array* ends = range.as_array();
  if (!ends || ends->size() != 2) section.refuse(&range, "'range' must be two numbers, say [0, 100]");
  feature.low = section.number(*ends->get(0), "range");
  feature.high = section.number(*ends->get(1), "range");
  if (!(feature.low < feature.high)) {
    section.refuse(&range, "'range' is [{}, {}], want the smaller number first", feature.low, feature.high);
  }
  feature.scaling = section.word_or("scale", Scaling::MinMax,
                                    {{"min-max", Scaling::MinMax}, {"log", Scaling::Log}, {"none", Scaling::None}});
  constexpr double kLargest = 1e15;
  if (feature.scaling == Scaling::None && std::max(-feature.low, feature.high) > kLargest) {
    section.refuse(&range, "'range' goes beyond {:g}, which scale = \"none\" does not take", kLargest);
  }
  feature.missing = section.number_or("missing", feature.low);
  if (feature.missing < feature.low || feature.missing > feature.high) {
    section.refuse(section.find("missing"), "'missing' is {}, want a number in the range", feature.missing);
  }
}

FeatureColumn read_feature(SchemaSection section) {
  FeatureColumn feature;
  feature.column = section.text("column");
  const toml::node& kind_node = section.required("kind");
  const std::optional<FeatureKind> kind = kind_from_name(section.text(kind_node, "kind"));
  if (!kind) section.refuse(&kind_node, "'kind' must be \"number\", \"category\", \"text-bag\" or \"flag\"");
  feature.kind = *kind;
  switch (feature.kind) {
    case FeatureKind::Number: read_number(section, feature); break;
    case FeatureKind::Category:
      feature.values = section.texts(section.required("values"), "values", false);
      feature.missing_column = section.word_or("missing", false, {{"none", false}, {"column", true}});
      break;
    case FeatureKind::TextBag: {
      feature.values = section.texts(section.required("values"), "values", false);
      feature.separator = section.text_or("separator", "|");
      if (feature.separator.empty()) section.refuse(section.find("separator"), "'separator' is empty");
      break;
    }
    case FeatureKind::Flag:
      feature.yes = section.texts_or("yes", {"1", "true", "yes", "t", "y", "True", "TRUE", "Yes", "YES"});
      feature.no = section.texts_or("no", {"0", "false", "no", "f", "n", "False", "FALSE", "No", "NO"});
      feature.missing = section.flag_or("missing", false) ? 1 : 0;
      break;
  }
  section.refuse_other_keys();
  return feature;
}

void read_features(SchemaSection& top, const std::string& file, Schema& schema) {
  const toml::node* list = top.find("feature");
  if (!list) top.refuse(nullptr, "there is no [[feature]]: nodes need at least one feature column");
  const toml::array* features = list->as_array();
  if (!features) top.refuse(list, "'feature' must be written as [[feature]]");
  std::set<std::string> columns;
  for (const toml::node& entry : *features) {
    const toml::table* table = entry.as_table();
    if (!table) top.refuse(&entry, "'feature' must be written as [[feature]]");
    schema.features.push_back(read_feature(SchemaSection(file, "[[feature]]", *table)));
    const std::string& column = schema.features.back().column;
    if (!columns.insert(column).second) top.refuse(&entry, "column '{}' is a feature twice", column);
    if (column == schema.id || column == schema.label || column == schema.entity) {
      top.refuse(&entry, "column '{}' is the {} and cannot be a feature", column,
                 column == schema.id      ? "id"
                 : column == schema.label ? "label"
                                          : "entity");
    }
  }
}

}  // namespace

const char* name(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::Number: return "number";
    case FeatureKind::Category: return "category";
    case FeatureKind::TextBag: return "text-bag";
    case FeatureKind::Flag: return "flag";
  }
  return "";
}

Schema parse_schema(const std::string& text, const std::string& file) {
  toml::table document;
  try {
    document = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    fail(ErrorKind::BadInput, "{}: line {}: {}", file, error.source().begin.line, error.description());
  }
  Schema schema;
  schema.text = text;
  SchemaSection top(file, "the schema", document);
  const toml::node& format = top.required("format");
  if (top.text(format, "format") != kFormat) {
    top.refuse(&format, "'format' is \"{}\", want \"{}\"", top.text(format, "format"), kFormat);
  }
  schema.declared = top.flag_or("declared", false);
  const auto table = [&](const char* key) -> const toml::table& {
    const toml::node& node = top.required(key);
    if (!node.is_table()) top.refuse(&node, "'{}' must be written as [{}]", key, key);
    return *node.as_table();
  };
  read_nodes(SchemaSection(file, "[nodes]", table("nodes")), schema);
  read_edges(SchemaSection(file, "[edges]", table("edges")), schema);
  read_features(top, file, schema);
  top.refuse_other_keys();
  return schema;
}

Schema read_schema(const std::string& path) {
  const TableText text(path);
  return parse_schema(std::string(text.text()), path);
}

std::vector<std::string> feature_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const FeatureColumn& feature : schema.features) {
    if (feature.kind == FeatureKind::Number || feature.kind == FeatureKind::Flag) {
      names.push_back(feature.column);
      continue;
    }
    for (const std::string& value : feature.values) names.push_back(feature.column + "=" + value);
    if (feature.kind == FeatureKind::Category) {
      names.push_back(feature.column + "=(other)");
      if (feature.missing_column) names.push_back(feature.column + "=(missing)");
    }
  }
  return names;
}

}  // namespace graphveil::files
