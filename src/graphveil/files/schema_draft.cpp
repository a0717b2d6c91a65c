#include "graphveil/files/schema_draft.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/feature_encoder.h"
#include "graphveil/files/label_bins.h"
#include "graphveil/files/table_columns.h"

namespace graphveil::files {
namespace {

constexpr size_t kMostDraftedValues = 100;  // of a category
constexpr size_t kMostWords = 500;          // of a text-bag
constexpr size_t kFewNumbers = 10;          // that many whole numbers may be codes of a category
constexpr std::string_view kBagMarks = "|;";

bool stands_for_nothing(std::string_view cell) {
  static const std::set<std::string, std::less<>> kWords{"", "NA", "N/A", "null", "NULL", "nan", "NaN", "None"};
  return kWords.find(cell) != kWords.end();
}

// What the cells of one column are like.
struct ColumnProfile {
  int64_t filled = 0, numbers = 0, whole = 0;
  int64_t comma_numbers = 0;  // that are numbers once commas are decimal points
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::set<std::string> values;  // up to one more than a category may have
  std::map<char, std::set<std::string>> words;
  std::map<char, int64_t> with_mark;

  void add(std::string_view cell, char decimal) {
    ++filled;
    if (const std::optional<double> number = number_in(cell, decimal)) {
      ++numbers;
      whole += *number == std::floor(*number) ? 1 : 0;
      low = std::min(low, *number);
      high = std::max(high, *number);
    } else if (number_in(cell, ',')) {
      ++comma_numbers;
    }
    if (values.size() <= kMostDraftedValues) values.emplace(cell);
    for (const char mark : kBagMarks) {
      if (cell.find(mark) != std::string_view::npos) ++with_mark[mark];
      std::set<std::string>& seen = words[mark];
      for (size_t at = 0; at <= cell.size() && seen.size() <= kMostWords;) {
        const size_t end = std::min(cell.find(mark, at), cell.size());
        const std::string_view word = trimmed(cell.substr(at, end - at));
        if (!word.empty()) seen.emplace(word);
        at = end + 1;
      }
    }
  }
};

// Numbers with two digits that hold the range between them.
std::pair<double, double> round_range(double low, double high) {
  const double span = std::max(high - low, std::max(std::abs(low), std::abs(high)) * 1e-6);
  const double step = std::pow(10.0, std::floor(std::log10(std::max(span, 1e-300))) - 1);
  double from = std::floor(low / step) * step, to = std::ceil(high / step) * step;
  if (!(from < to)) to = from + 1;
  return {from, to};
}

std::optional<FeatureColumn> drafted(const std::string& column, const ColumnProfile& profile) {
  FeatureColumn feature;
  feature.column = column;
  if (profile.filled == 0) return std::nullopt;
  const bool all_numbers = profile.numbers == profile.filled;
  const bool flag =
      profile.values.size() <= 2 && std::all_of(profile.values.begin(), profile.values.end(), [](auto& v) {
        static const std::set<std::string> kFlags{"0",     "1",   "true", "false", "yes", "no", "True", "False", "TRUE",
                                                  "FALSE", "Yes", "No",   "YES",   "NO",  "t",  "f",    "y",     "n"};
        return kFlags.count(v) > 0;
      });
  if (flag) {
    feature.kind = FeatureKind::Flag;
    return feature;
  }
  const bool codes = all_numbers && profile.whole == profile.filled && profile.values.size() <= kFewNumbers;
  if (all_numbers && !codes) {
    feature.kind = FeatureKind::Number;
    std::tie(feature.low, feature.high) = round_range(profile.low, profile.high);
    feature.missing = feature.low;
    if (profile.low >= 0 && profile.high > 1000 * std::max(1.0, profile.low)) feature.scaling = Scaling::Log;
    return feature;
  }
  for (const auto& [mark, count] : profile.with_mark) {
    const std::set<std::string>& words = profile.words.at(mark);
    if (10 * count < profile.filled || words.size() > kMostWords) continue;
    feature.kind = FeatureKind::TextBag;
    feature.separator = mark;
    feature.values.assign(words.begin(), words.end());
    return feature;
  }
  if (profile.values.size() > kMostDraftedValues ||
      2 * static_cast<int64_t>(profile.values.size()) > profile.filled + 4) {
    return std::nullopt;
  }
  feature.kind = FeatureKind::Category;
  feature.values.assign(profile.values.begin(), profile.values.end());
  return feature;
}

// The separator that the first line has most of.
char separator_of(const TableText& text) {
  const std::string_view line = text.text().substr(0, text.text().find('\n'));
  char best = ',';
  int64_t most = 0;
  for (const char c : std::string_view(",\t;|")) {
    bool toml_quoted = false;
    int64_t count = 0;
    for (const char x : line) {
      if (x == '"') toml_quoted = !toml_quoted;
      count += x == c && !toml_quoted ? 1 : 0;
    }
    if (count > most) {
      most = count;
      best = c;
    }
  }
  return best;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// The wanted column, or one of a usual name; empty: neither is there.
std::string chosen(const TableColumns& columns, const std::string& wanted, std::initializer_list<const char*> usual) {
  if (!wanted.empty()) return columns.names()[columns.place(wanted)];
  for (const char* name : usual) {
    for (const std::string& column : columns.names()) {
      if (lower(column) == name) return column;
    }
  }
  return "";
}

// The first column that is not taken already.
std::string first_other(const TableText& text, const TableColumns& columns, const std::string& taken) {
  for (const std::string& column : columns.names()) {
    if (column != taken) return column;
  }
  bad_file(text.file(), "the table has one column, want at least 2: is its separator right?");
}

std::vector<ColumnProfile> profiles_of(const TableText& text, const TableColumns& columns, const Schema& schema,
                                       std::set<std::string>& nothing) {
  std::vector<ColumnProfile> profiles(columns.names().size());
  const size_t id = columns.place(schema.id);
  CsvRows rows(text, schema.nodes.separator, columns.begin(), text.text().size());
  while (columns.next(rows)) {
    for (size_t c = 0; c < profiles.size(); ++c) {
      if (c == id) continue;
      const std::string_view cell = rows.cells()[c];
      if (stands_for_nothing(cell)) {
        nothing.emplace(cell);
      } else {
        profiles[c].add(cell, schema.decimal);
      }
    }
  }
  return profiles;
}

// Whether a label's values are an amount rather than codes: many numbers, of which some have a fraction, or very many.
bool is_quantity(const ColumnProfile& profile) {
  constexpr size_t kManyClasses = 50;
  if (profile.filled == 0 || profile.numbers != profile.filled) return false;
  const size_t most = profile.whole == profile.filled ? kManyClasses : kFewNumbers;
  return profile.values.size() > most;
}

std::vector<std::string> class_names(const std::string& file, const std::string& label, const ColumnProfile& profile,
                                     char decimal) {
  if (is_quantity(profile)) {
    bad_file(file, "the label (column '{}') is a number: {}", label, bins_advice(label));
  }
  if (profile.values.size() > kMostDraftedValues) {
    bad_file(file, "the label (column '{}') takes more than {} values: is it the right column?", label,
             kMostDraftedValues);
  }
  if (profile.values.empty()) bad_file(file, "the label (column '{}') is empty throughout", label);
  std::vector<std::string> classes(profile.values.begin(), profile.values.end());
  if (profile.numbers == profile.filled) {  // 2 before 10
    std::stable_sort(classes.begin(), classes.end(),
                     [&](auto& a, auto& b) { return *number_in(a, decimal) < *number_in(b, decimal); });
  }
  return classes;
}

std::string toml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\t') {
      out += "\\t";
    } else if ((c >= 0 && c < ' ') || c == 127) {
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + toml_quoted(text);
  return "[" + out + "]";
}

std::string feature_toml(const FeatureColumn& feature) {
  std::string text =
      fmt::format("\n[[feature]]\ncolumn = {}\nkind = \"{}\"\n", toml_quoted(feature.column), name(feature.kind));
  switch (feature.kind) {
    case FeatureKind::Number:
      text += fmt::format("range = [{:.12g}, {:.12g}]\nscale = \"{}\"\nmissing = {:.12g}\n", feature.low, feature.high,
                          feature.scaling == Scaling::Log    ? "log"
                          : feature.scaling == Scaling::None ? "none"
                                                             : "min-max",
                          feature.missing);
      break;
    case FeatureKind::Category:
      text += fmt::format("values = {}\nmissing = \"{}\"\n", list(feature.values),
                          feature.missing_column ? "column" : "none");
      break;
    case FeatureKind::TextBag:
      text += fmt::format("separator = {}\nvalues = {}\n", toml_quoted(feature.separator), list(feature.values));
      break;
    case FeatureKind::Flag:
      if (!feature.yes.empty()) text += fmt::format("yes = {}\nno = {}\n", list(feature.yes), list(feature.no));
      text += fmt::format("missing = {}\n", feature.missing != 0);
      break;
  }
  return text;
}

}  // namespace

Schema draft_schema(const std::string& nodes_path, const std::string& edges_path, const DraftWishes& wishes) {
  const TableText nodes(nodes_path), edges(edges_path);
  Schema schema;
  schema.declared = false;
  schema.nodes = {separator_of(nodes), wishes.nodes_header};
  schema.edges = {separator_of(edges), wishes.edges_header};
  const TableColumns node_columns(nodes, schema.nodes), edge_columns(edges, schema.edges);
  schema.label = chosen(node_columns, wishes.label, {"label", "class", "target", "y"});
  schema.id = chosen(node_columns, wishes.id, {"id", "node", "node_id", "nodeid", "user", "user_id", "person"});
  if (schema.id.empty()) schema.id = first_other(nodes, node_columns, schema.label);
  require(schema.label != schema.id, "column '{}' cannot be both id and label", schema.id);
  schema.entity = chosen(node_columns, wishes.entity, {});
  require(schema.entity.empty() || (schema.entity != schema.id && schema.entity != schema.label),
          "column '{}' cannot be both entity and {}", schema.entity, schema.entity == schema.id ? "id" : "label");
  schema.source = chosen(edge_columns, wishes.source, {"source", "src", "from"});
  schema.target = chosen(edge_columns, wishes.target, {"target", "dst", "to"});
  if (schema.source.empty()) schema.source = first_other(edges, edge_columns, schema.target);
  if (schema.target.empty()) schema.target = first_other(edges, edge_columns, schema.source);
  require(schema.source != schema.target, "column '{}' cannot be both source and target", schema.source);

  std::set<std::string> nothing{""};
  std::vector<ColumnProfile> profiles = profiles_of(nodes, node_columns, schema, nothing);
  const bool decimal_commas = std::any_of(profiles.begin(), profiles.end(), [](const ColumnProfile& p) {
    return p.comma_numbers > 0 && p.comma_numbers + p.numbers == p.filled;
  });
  if (decimal_commas && schema.nodes.separator != ',') {
    schema.decimal = ',';
    profiles = profiles_of(nodes, node_columns, schema, nothing);
  }
  schema.missing.assign(nothing.begin(), nothing.end());
  for (size_t c = 0; c < profiles.size(); ++c) {
    const std::string& column = node_columns.names()[c];
    if (column == schema.id || column == schema.entity) continue;
    if (column == schema.label && !wishes.label_bins.empty()) {
      schema.label_bins = wishes.label_bins;
      schema.classes = bin_names(wishes.label_bins);
    } else if (column == schema.label) {
      schema.classes = class_names(nodes_path, column, profiles[c], schema.decimal);
    } else if (const auto feature = drafted(column, profiles[c])) {
      schema.features.push_back(*feature);
    }
  }
  if (schema.features.empty()) bad_file(nodes_path, "no column looks like a feature: write the schema by hand");
  schema.text = schema_toml(schema);
  return schema;
}

std::string schema_toml(const Schema& schema) {
  std::string text =
      "# The schema of your tables, drafted by `graphveil data schema`. Everything in it is published with a model.\n"
      "# Ranges and values below were found in the data: put in what is known without it, then set declared = true.\n"
      "# Until then a certificate says that they were read off the data. See docs/schema.md.\n"
      "format = \"graphveil-schema/1\"\n";
  text += fmt::format("declared = {}\n\n[nodes]\nseparator = {}\nheader = {}\nid = {}\n", schema.declared,
                      toml_quoted({&schema.nodes.separator, 1}), schema.nodes.header, toml_quoted(schema.id));
  if (!schema.entity.empty()) text += fmt::format("entity = {}\n", toml_quoted(schema.entity));
  if (schema.label.empty()) {
    text +=
        "# label = \"...\"    the column to predict, and its values: nothing can be trained without\n"
        "# classes = [\"...\"]\n";
  } else if (!schema.label_bins.empty()) {
    text +=
        fmt::format("label = {{ column = {}, kind = \"bins\", edges = [{}] }}\nclasses = {}\nunknown_class = \"{}\"\n",
                    toml_quoted(schema.label), fmt::join(schema.label_bins, ", "), list(schema.classes),
                    schema.refuse_unknown_class ? "refuse" : "unlabeled");
  } else {
    text += fmt::format("label = {}\nclasses = {}\nunknown_class = \"{}\"\n", toml_quoted(schema.label),
                        list(schema.classes), schema.refuse_unknown_class ? "refuse" : "unlabeled");
  }
  text +=
      fmt::format("missing = {}\ndecimal = \"{}\"\n\n[edges]\nseparator = {}\nheader = {}\nsource = {}\ntarget = {}\n",
                  list(schema.missing), schema.decimal, toml_quoted({&schema.edges.separator, 1}), schema.edges.header,
                  toml_quoted(schema.source), toml_quoted(schema.target));
  if (!schema.weight.empty())
    text += fmt::format("weight = {}\nkeep_from = {}\n", toml_quoted(schema.weight), schema.keep_from);
  text += fmt::format("directed = {}\n", schema.directed);
  for (const FeatureColumn& feature : schema.features) text += feature_toml(feature);
  return text;
}

}  // namespace graphveil::files
