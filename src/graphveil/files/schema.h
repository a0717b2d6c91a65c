// The public schema of one's own tables: which columns mean what, and which values they may take. docs/schema.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/files/dates.h"

namespace graphveil::files {

enum class FeatureKind { Number, Category, TextBag, Flag, Date };
enum class Scaling { MinMax, Log, None };

// One column of the nodes' table and the feature columns it becomes.
//   number    one column: the value, clipped to [low, high], then scaled to 0..1 unless Scaling::None; one more for
//             missing ones if asked for
//   date      a number: the years from that day to the reference day
//   category  one column a value, one for values that are not declared, one for missing ones if asked for
//   text-bag  several values in one cell, one column each; values that are not declared are left out
//   flag      one column, 0 or 1
struct FeatureColumn {
  std::string column{};
  FeatureKind kind = FeatureKind::Number;
  double low = 0, high = 1;
  Scaling scaling = Scaling::MinMax;
  double missing = 0;           // number, date: in the column's own unit, years; flag: 0 or 1
  bool missing_column = false;  // category, number, date
  std::vector<std::string> values{};
  std::string separator = "|";  // text-bag
  std::vector<std::string> yes{}, no{};
  bool unreadable_is_missing =
      false;  // number, date, flag: a cell that says none counts as missing; else it is refused
  DateFormat date_format = DateFormat::YearMonthDay;
  std::string reference{};  // date: the day at which the years are counted, as YYYY-MM-DD
  int64_t reference_day = 0;
};

// A column that a draft leaves out.
struct LeftOut {
  std::string column, reason;
};

// What the holder says about the data, for a certificate's first page.
struct About {
  std::string data{}, controller{}, purpose{};
  std::optional<int64_t> people{};
};

// How a file is written.
struct TableLayout {
  char separator = ',';
  bool header = true;  // a column without a name there is called column1, column2, ... by its place
};

struct Schema {
  bool declared = false;  // whether somebody has declared it public: a draft from the data is not
  TableLayout nodes, edges;
  std::string id, label;  // no label: nobody has one
  std::string entity{};   // the column that says who a node is, where one may be several; empty: every node is one
  std::vector<std::string> classes;
  std::vector<double> label_bins;        // the label is a number, and these rising edges cut it into the classes
  bool refuse_unknown_class = false;     // else such a node takes part without a label
  std::vector<std::string> missing{""};  // cells that stand for nothing
  char decimal = '.';
  std::string source, target, weight;  // no weight: every row is an edge
  double keep_from = 0;                // a row whose weight is less is no edge
  bool directed = false;
  std::vector<FeatureColumn> features;
  About about;
  std::vector<LeftOut> left_out;   // of a draft
  std::vector<std::string> notes;  // of a draft: for the holder, and in no file
  std::string text;                // as it was read
};

// Throws BadInput naming the file, the line and the key.
Schema parse_schema(const std::string& text, const std::string& file);
Schema read_schema(const std::string& path);

// The feature columns that the schema makes, in order: "age", "city=Lyon", "city=(other)".
std::vector<std::string> feature_names(const Schema& schema);

// "number", "category", "text-bag", "flag", "date".
const char* name(FeatureKind kind);

}  // namespace graphveil::files
