// What the cells of one column of a table are like, and what a draft of a schema makes of it.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "graphveil/files/schema.h"

namespace graphveil::files {

inline constexpr size_t kMostDraftedValues = 100;  // of a category
inline constexpr size_t kFewNumbers = 10;          // that many whole numbers may be codes of a category

// Filled cell by cell; cells that stand for nothing are only counted.
struct ColumnProfile {
  int64_t filled = 0, missing = 0, numbers = 0, whole = 0;
  int64_t comma_numbers = 0;  // that are numbers once commas are decimal points
  int64_t first_word = 0;     // the line of the first cell that is no number; 0: there is none
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::set<std::string> values;  // up to one more than a category may have
  std::map<char, std::set<std::string>> words;
  std::map<char, int64_t> with_mark;
  // Cells that are days in one format, and the line of the first that is none; 0: there is none.
  struct Days {
    int64_t count = 0, first_other = 0;
    int64_t earliest = INT64_MAX, latest = INT64_MIN;
  };
  std::array<Days, std::size(kDateFormats)> days{};  // as in kDateFormats
  int64_t mails = 0, letters = 0, blanks = 0;        // cells with an @; letters and blanks of all cells
  std::set<size_t> sample;                           // hashes of the first cells
  int64_t sampled = 0;

  // `line` is where the cell stands, above 0; the first odd cells keep theirs.
  void add(std::string_view cell, char decimal, int64_t line);
};

// What becomes of a column: a feature, or why it is left out. The reason holds nothing of any cell, for it stands in a
// file that may be published; the note may, and is for the holder.
struct ColumnDraft {
  std::optional<FeatureColumn> feature{};
  std::string reason{};
  std::string note{};  // cells that are not like the others; empty: there are none
};
// `year`: the one whose first day is the reference day of dates.
ColumnDraft draft_column(const std::string& column, const ColumnProfile& profile, int64_t year);

// What a column looks like that had better not be published ("names of people"); empty: nothing speaks against it.
std::string private_look(const std::string& column, const ColumnProfile& profile);

}  // namespace graphveil::files
