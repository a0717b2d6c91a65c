// Makes feature columns of the cells of a nodes' table, as a schema says. Each record is read by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphveil/files/schema.h"
#include "graphveil/graph/features.h"

namespace graphveil::files {

// How many cells were not as the schema has them. About private records: for the holder.
struct CellCounts {
  int64_t missing = 0;
  int64_t clipped = 0;                           // number: outside the range
  int64_t unknown = 0;                           // category, text-bag: not among the values
  int64_t unreadable = 0, first_unreadable = 0;  // number, date, flag: say none; the row of the first, from 1

  // Number, date: the values that were there, by the hundredth of their column that they fall into; empty: none, or not
  // scaled.
  std::vector<int64_t> hundredths{};

  bool operator==(const CellCounts&) const = default;
};

// The text without the blanks around it.
std::string_view trimmed(std::string_view text);

// The finite number that a cell says, blanks around it allowed; nothing when it says none.
std::optional<double> number_in(std::string_view cell, char decimal);

// Collects rows. The features are sparse where at most a quarter of a row's columns are filled.
class FeatureEncoder {
 public:
  // `schema` must outlive this.
  explicit FeatureEncoder(const Schema& schema);

  // One cell a feature of the schema. Throws InvalidArgument, naming column and fix, for a cell that the schema has no
  // reading for; nothing of the row is then kept.
  void add(const std::vector<std::string_view>& cells);
  int64_t rows() const { return static_cast<int64_t>(offsets_.size()) - 1; }
  int64_t cols() const { return cols_; }
  const std::vector<CellCounts>& counts() const { return counts_; }
  // The rows in this order.
  graph::Features features(std::span<const int32_t> order) const;

 private:
  struct Text {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Places = std::unordered_map<std::string, int32_t, Text, std::equal_to<>>;

  bool is_missing(std::string_view cell) const { return missing_.find(cell) != missing_.end(); }
  void entry(int32_t column, double value);
  // Number and date.
  std::optional<double> reading(const FeatureColumn& feature, std::string_view cell) const;
  void number(const FeatureColumn& feature, int32_t first, std::string_view cell, CellCounts& counts);
  // Counts a cell that says nothing, or refuses it in these words.
  void unreadable(const FeatureColumn& feature, std::string_view cell, const std::string& words, CellCounts& counts);
  void flag(const FeatureColumn& feature, int32_t first, std::string_view cell, CellCounts& counts);
  void bag(const FeatureColumn& feature, const Places& places, int32_t first, std::string_view cell,
           CellCounts& counts);

  const Schema& schema_;
  std::unordered_set<std::string, Text, std::equal_to<>> missing_;
  std::vector<int32_t> firsts_;  // of each feature, its first column
  std::vector<Places> places_;   // of each feature, its values' columns, counted from the first
  int64_t cols_ = 0;
  std::vector<CellCounts> counts_;
  std::vector<int64_t> offsets_{0};
  std::vector<int32_t> indices_;
  std::vector<float> values_;
};

}  // namespace graphveil::files
