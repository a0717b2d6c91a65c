#include "graphveil/files/schema.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "graphveil/base/similar.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/label_bins.h"
#include "graphveil/files/table_text.h"
#include "graphveil/files/toml_section.h"

namespace graphveil::files {
namespace {

constexpr const char* kFormat = "graphveil-schema/1";

std::optional<FeatureKind> kind_from_name(const std::string& text) {
  for (const FeatureKind kind :
       {FeatureKind::Number, FeatureKind::Category, FeatureKind::TextBag, FeatureKind::Flag, FeatureKind::Date}) {
    if (text == name(kind)) return kind;
  }
  return std::nullopt;
}

TableLayout read_layout(TomlSection& section) {
  TableLayout layout;
  layout.separator = section.word_or("separator", ',', {{",", ','}, {";", ';'}, {"\t", '\t'}, {"|", '|'}});
  layout.header = section.flag_or("header", true);
  return layout;
}

// A number that is cut into classes: { column = "stay", kind = "bins", edges = [3, 7, 30] }.
void read_label_table(TomlSection section, Schema& schema) {
  schema.label = section.text("column");
  const toml::node& kind = section.required("kind");
  if (section.text(kind, "kind") != "bins") section.refuse(&kind, "'kind' of a label must be \"bins\"");
  const toml::node& edges = section.required("edges");
  const toml::array* list = edges.as_array();
  if (!list) section.refuse(&edges, "'edges' must be a list of rising numbers, say [3, 7, 30]");
  for (const toml::node& edge : *list) schema.label_bins.push_back(section.number(edge, "edges"));
  if (const std::optional<std::string> wrong = wrong_edges(schema.label_bins)) {
    section.refuse(&edges, "'edges': {}", *wrong);
  }
  schema.classes = bin_names(schema.label_bins);
  section.refuse_other_keys();
}

// A column of names, or a number with its bins.
void read_label(TomlSection& section, const std::string& file, Schema& schema) {
  const toml::node* label = section.find("label");
  if (label && label->is_table()) {
    read_label_table(TomlSection(file, "label", *label->as_table()), schema);
  } else if (label) {
    schema.label = section.text(*label, "label");
  }
  const toml::node* classes = section.find("classes");
  if (!classes) return;
  const size_t bins = schema.classes.size();
  schema.classes = section.texts(*classes, "classes", false);
  if (bins > 0 && schema.classes.size() != bins) {
    section.refuse(classes, "'classes' has {} names for {} bins", schema.classes.size(), bins);
  }
}

void read_nodes(TomlSection section, const std::string& file, Schema& schema) {
  schema.nodes = read_layout(section);
  schema.id = section.text("id");
  read_label(section, file, schema);
  schema.entity = section.text_or("entity", "");
  if (!schema.entity.empty() && (schema.entity == schema.id || schema.entity == schema.label)) {
    section.refuse(nullptr, "'entity' is the column of {}: it names the person behind several nodes",
                   schema.entity == schema.id ? "ids" : "labels");
  }
  const toml::node* classes = section.find("classes");
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

void read_edges(TomlSection section, Schema& schema) {
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

// A number with a range, or the age of a date.
void read_number(TomlSection& section, FeatureColumn& feature) {
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
  // A number, or "column": the low end, and a column of its own that says so.
  const toml::node* missing = section.find("missing");
  feature.missing = feature.low;
  if (missing && missing->is_string()) {
    feature.missing_column = section.word_or("missing", false, {{"column", true}});
  } else if (missing) {
    feature.missing = section.number(*missing, "missing");
  }
  if (feature.missing < feature.low || feature.missing > feature.high) {
    section.refuse(missing, "'missing' is {}, want a number in the range, or \"column\"", feature.missing);
  }
}

void read_date(TomlSection& section, FeatureColumn& feature) {
  const toml::node* format = section.find("format");
  if (format) {
    const std::optional<DateFormat> known = date_format(section.text(*format, "format"));
    if (!known) {
      std::string names;
      for (const DateFormat f : kDateFormats) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name(f));
      section.refuse(format, "'format' is \"{}\", want one of {}", section.text(*format, "format"), names);
    }
    feature.date_format = *known;
  }
  const toml::node& reference = section.required("reference");
  feature.reference = section.text(reference, "reference");
  const std::optional<int64_t> day = day_in(feature.reference, DateFormat::YearMonthDay);
  if (!day || feature.reference.size() != std::string_view("YYYY-MM-DD").size()) {
    section.refuse(&reference, "'reference' is \"{}\", want the day at which years are counted, as \"YYYY-MM-DD\"",
                   feature.reference);
  }
  feature.reference_day = *day;
  read_number(section, feature);
}

// Text for the first page of a certificate: one line of it.
std::string page_text(TomlSection& section, const char* key) {
  constexpr size_t kLongest = 300;
  const toml::node* node = section.find(key);
  if (!node) return "";
  std::string text = section.text(*node, key);
  const bool control = std::any_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == 127; });
  if (text.size() > kLongest || control)
    section.refuse(node, "'{}' must be one line of at most {} bytes", key, kLongest);
  return text;
}

void read_about(TomlSection section, Schema& schema) {
  schema.about = {page_text(section, "data"), page_text(section, "controller"), page_text(section, "purpose"), {}};
  if (const toml::node* people = section.find("people")) {
    if (!people->is_integer() || *people->value<int64_t>() < 1) {
      section.refuse(people, "'people' must be a whole number, at least 1");
    }
    schema.about.people = *people->value<int64_t>();
  }
  section.refuse_other_keys();
}

FeatureColumn read_feature(TomlSection section) {
  FeatureColumn feature;
  feature.column = section.text("column");
  const toml::node& kind_node = section.required("kind");
  const std::optional<FeatureKind> kind = kind_from_name(section.text(kind_node, "kind"));
  if (!kind) {
    section.refuse(&kind_node, "'kind' must be \"number\", \"category\", \"text-bag\", \"flag\" or \"date\"");
  }
  feature.kind = *kind;
  switch (feature.kind) {
    case FeatureKind::Number: read_number(section, feature); break;
    case FeatureKind::Date: read_date(section, feature); break;
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
  if (feature.kind != FeatureKind::Category && feature.kind != FeatureKind::TextBag) {
    feature.unreadable_is_missing = section.word_or("unreadable", false, {{"refuse", false}, {"missing", true}});
  }
  section.refuse_other_keys();
  return feature;
}

void read_features(TomlSection& top, const std::string& file, Schema& schema) {
  const toml::node* list = top.find("feature");
  if (!list) top.refuse(nullptr, "there is no [[feature]]: nodes need at least one feature column");
  const toml::array* features = list->as_array();
  if (!features) top.refuse(list, "'feature' must be written as [[feature]]");
  std::set<std::string> columns;
  for (const toml::node& entry : *features) {
    const toml::table* table = entry.as_table();
    if (!table) top.refuse(&entry, "'feature' must be written as [[feature]]");
    schema.features.push_back(read_feature(TomlSection(file, "[[feature]]", *table)));
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
    case FeatureKind::Date: return "date";
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
  TomlSection top(file, "the schema", document);
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
  read_nodes(TomlSection(file, "[nodes]", table("nodes")), file, schema);
  read_edges(TomlSection(file, "[edges]", table("edges")), schema);
  read_features(top, file, schema);
  if (const toml::node* about = top.find("about")) {
    if (!about->is_table()) top.refuse(about, "'about' must be written as [about]");
    read_about(TomlSection(file, "[about]", *about->as_table()), schema);
  }
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
    if (feature.values.empty()) names.push_back(feature.column);
    for (const std::string& value : feature.values) names.push_back(feature.column + "=" + value);
    if (feature.kind == FeatureKind::Category) names.push_back(feature.column + "=(other)");
    if (feature.missing_column) names.push_back(feature.column + "=(missing)");
  }
  return names;
}

}  // namespace graphveil::files
