#include "graphveil/base/similar.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace graphveil {

int64_t edit_distance(std::string_view a, std::string_view b) {
  // Row i has the distances of the first i letters of `a` to the beginnings of `b`; the two rows before are kept.
  std::vector<int64_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int64_t>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int64_t>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

std::optional<std::string> similar(std::string_view word, std::span<const std::string> known) {
  constexpr size_t kLongest = 100;  // nobody slips into a word of more letters
  if (word.size() > kLongest) return std::nullopt;
  constexpr size_t kBeginning = 3;
  const size_t begun = word.size() - std::min(word.find_first_not_of('-'), word.size());
  const int64_t near = std::max<int64_t>(1, static_cast<int64_t>(word.size()) / 3);
  std::optional<std::string> best;
  int64_t best_distance = near + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongest || candidate == word) continue;
    // The beginning of a word is as good as one slip.
    const bool begins = begun >= kBeginning && candidate.starts_with(word);
    const int64_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::optional<std::string> found = similar(word, known);
  return found ? "; did you mean '" + *found + "'?" : "";
}

}  // namespace graphveil
