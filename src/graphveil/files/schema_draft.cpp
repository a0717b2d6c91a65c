#include "graphveil/files/schema_draft.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/base/utc_time.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/column_profile.h"
#include "graphveil/files/feature_encoder.h"
#include "graphveil/files/label_bins.h"
#include "graphveil/files/table_columns.h"

namespace graphveil::files {
namespace {

bool stands_for_nothing(std::string_view cell) {
  static const std::set<std::string, std::less<>> kWords{"", "NA", "N/A", "null", "NULL", "nan", "NaN", "None"};
  return kWords.find(cell) != kWords.end();
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
        ++profiles[c].missing;
      } else {
        profiles[c].add(cell, schema.decimal, static_cast<int64_t>(rows.offset()) + 1);
      }
    }
  }
  // Lines are counted from the beginning of the file each time: for the few that are told.
  const auto to_line = [&](int64_t& place) {
    if (place > 0) place = text.line_at(static_cast<size_t>(place - 1));
  };
  for (ColumnProfile& profile : profiles) {
    to_line(profile.first_word);
    for (ColumnProfile::Days& days : profile.days) to_line(days.first_other);
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

int64_t year_now() {
  const std::string now = utc_now();
  int64_t year = 0;
  std::from_chars(now.data(), now.data() + 4, year);
  return year;
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
    case FeatureKind::Date:
      text += fmt::format("format = \"{}\"\nreference = \"{}\"    # years are counted up to this day\n",
                          name(feature.date_format), feature.reference);
      [[fallthrough]];
    case FeatureKind::Number:
      text += fmt::format("range = [{:.12g}, {:.12g}]\nscale = \"{}\"\nmissing = {}\n", feature.low, feature.high,
                          feature.scaling == Scaling::Log    ? "log"
                          : feature.scaling == Scaling::None ? "none"
                                                             : "min-max",
                          feature.missing_column ? "\"column\"    # the low end, and a column of its own that says so"
                                                 : fmt::format("{:.12g}", feature.missing));
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
  if (feature.unreadable_is_missing) text += "unreadable = \"missing\"    # what cannot be read counts as missing\n";
  return text;
}

std::string about_toml(const About& about) {
  const bool said = !about.data.empty() || !about.controller.empty() || !about.purpose.empty() || about.people;
  if (!said) {
    return "\n# For the first page of a certificate, and published with it:\n"
           "# [about]\n# data = \"...\"          # what the data is\n# controller = \"...\"    # who answers for it\n"
           "# purpose = \"...\"       # what the model is for\n# people = 10000         # how many people are in it\n";
  }
  std::string text = "\n[about]\n";
  if (!about.data.empty()) text += fmt::format("data = {}\n", toml_quoted(about.data));
  if (!about.controller.empty()) text += fmt::format("controller = {}\n", toml_quoted(about.controller));
  if (!about.purpose.empty()) text += fmt::format("purpose = {}\n", toml_quoted(about.purpose));
  if (about.people) text += fmt::format("people = {}\n", *about.people);
  return text;
}

constexpr std::initializer_list<const char*> kSourceNames = {"source", "src", "from"};
constexpr std::initializer_list<const char*> kTargetNames = {"target", "dst", "to"};

// A table of edges given as that of nodes has ends and no ids.
void check_not_swapped(const TableText& nodes, const TableColumns& node_columns, const TableText& edges,
                       const TableColumns& edge_columns) {
  const std::string source = chosen(node_columns, "", kSourceNames), target = chosen(node_columns, "", kTargetNames);
  if (source.empty() || target.empty()) return;
  if (!chosen(edge_columns, "", kSourceNames).empty() && !chosen(edge_columns, "", kTargetNames).empty()) return;
  bad_file(
      nodes.file(),
      "it has the columns '{}' and '{}', as a table of edges does, and {} has not: are --nodes and --edges swapped?",
      source, target, edges.file());
}

// So has one in which a column is asked for that the other table has.
void check_not_elsewhere(const std::string& wanted, const TableText& nodes, const TableColumns& node_columns,
                         const TableText& edges, const TableColumns& edge_columns) {
  const auto has = [&](const TableColumns& columns) {
    return std::find(columns.names().begin(), columns.names().end(), wanted) != columns.names().end();
  };
  if (wanted.empty() || has(node_columns) || !has(edge_columns)) return;
  bad_file(nodes.file(), "there is no column '{}', and {} has it: are --nodes and --edges swapped?", wanted,
           edges.file());
}

// Whether the ends of edges are ids of nodes: the first rows tell.
void check_ids(const TableText& nodes, const TableColumns& node_columns, const TableText& edges,
               const TableColumns& edge_columns, Schema& schema) {
  constexpr int64_t kEnoughRows = 100'000;
  std::unordered_set<std::string> ids;
  const size_t id = node_columns.place(schema.id);
  CsvRows node_rows(nodes, schema.nodes.separator, node_columns.begin(), nodes.text().size());
  while (node_columns.next(node_rows)) ids.emplace(node_rows.cells()[id]);
  const size_t source = edge_columns.place(schema.source), target = edge_columns.place(schema.target);
  CsvRows edge_rows(edges, schema.edges.separator, edge_columns.begin(), edges.text().size());
  int64_t rows = 0, joined = 0;
  std::string stranger;
  while (rows < kEnoughRows && edge_columns.next(edge_rows)) {
    ++rows;
    const std::string from(edge_rows.cells()[source]), to(edge_rows.cells()[target]);
    const bool from_known = ids.count(from) > 0, known = from_known && ids.count(to) > 0;
    joined += known ? 1 : 0;
    if (!known && stranger.empty()) stranger = from_known ? to : from;
  }
  if (rows > 0 && joined == 0) {
    bad_file(edges.file(),
             "no row joins two nodes: '{}' is no id of {} (column '{}', where one is '{}'). Name the columns by --id, "
             "--source and --target, or write ids in one way",
             stranger, nodes.file(), schema.id, *ids.begin());
  }
  if (2 * joined < rows) {
    schema.notes.push_back(fmt::format("of the first {} rows of {} only {} join two nodes of {}", rows, edges.file(),
                                       joined, nodes.file()));
  }
}

// No column is to be predicted: which one may be meant.
[[noreturn]] void ask_for_label(const TableText& nodes, const Schema& schema) {
  std::string columns;
  for (const FeatureColumn& feature : schema.features) {
    if (feature.kind == FeatureKind::Category || feature.kind == FeatureKind::Flag) {
      columns += (columns.empty() ? "" : ", ") + feature.column;
    }
  }
  bad_file(nodes.file(),
           "which column is to be predicted? Give --label COLUMN{}; or --no-label for people who are only "
           "predicted on",
           columns.empty() ? "" : ", for example one of these: " + columns);
}

}  // namespace

Schema draft_schema(const std::string& nodes_path, const std::string& edges_path, const DraftWishes& wishes) {
  const TableText nodes(nodes_path), edges(edges_path);
  Schema schema;
  schema.declared = false;
  schema.nodes = {separator_of(nodes), wishes.nodes_header};
  schema.edges = {separator_of(edges), wishes.edges_header};
  const TableColumns node_columns(nodes, schema.nodes), edge_columns(edges, schema.edges, false);
  check_not_swapped(nodes, node_columns, edges, edge_columns);
  for (const std::string& wanted : {wishes.label, wishes.id})
    check_not_elsewhere(wanted, nodes, node_columns, edges, edge_columns);
  if (!wishes.no_label) schema.label = chosen(node_columns, wishes.label, {"label", "class", "target", "y"});
  schema.id = chosen(node_columns, wishes.id, {"id", "node", "node_id", "nodeid", "user", "user_id", "person"});
  if (schema.id.empty()) schema.id = first_other(nodes, node_columns, schema.label);
  require(schema.label != schema.id, "column '{}' cannot be both id and label", schema.id);
  schema.entity = chosen(node_columns, wishes.entity, {});
  require(schema.entity.empty() || (schema.entity != schema.id && schema.entity != schema.label),
          "column '{}' cannot be both entity and {}", schema.entity, schema.entity == schema.id ? "id" : "label");
  schema.source = chosen(edge_columns, wishes.source, kSourceNames);
  schema.target = chosen(edge_columns, wishes.target, kTargetNames);
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
      continue;
    } else if (column == schema.label) {
      schema.classes = class_names(nodes_path, column, profiles[c], schema.decimal);
      continue;
    }
    ColumnDraft draft = draft_column(column, profiles[c], year_now());
    if (draft.feature) {
      schema.features.push_back(std::move(*draft.feature));
    } else {
      schema.left_out.push_back({column, draft.reason});
    }
    if (!draft.note.empty()) schema.notes.push_back(std::move(draft.note));
  }
  if (schema.label.empty() && !wishes.no_label) ask_for_label(nodes, schema);
  if (schema.features.empty()) bad_file(nodes_path, "no column looks like a feature: write the schema by hand");
  check_ids(nodes, node_columns, edges, edge_columns, schema);
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
  text += about_toml(schema.about);
  for (const FeatureColumn& feature : schema.features) text += feature_toml(feature);
  if (!schema.left_out.empty()) {
    text +=
        "\n# Left out, and why. What belongs in gets a [[feature]]; delete these lines before you publish the rest.\n";
  }
  for (const LeftOut& column : schema.left_out) {
    text += fmt::format("# {}: {}.\n", toml_quoted(column.column), column.reason);
  }
  return text;
}

}  // namespace graphveil::files
