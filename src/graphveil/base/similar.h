// Which of the known words somebody may have meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace graphveil {

// The fewest letters to change, add, drop or swap with the next one that turn one word into the other.
int64_t edit_distance(std::string_view a, std::string_view b);

// The nearest of the known words (the first of several), when it is near enough to be a slip: a third of the letters,
// at least one; or when it begins with the word, of which there are three letters. Never the word itself.
std::optional<std::string> similar(std::string_view word, std::span<const std::string> known);

// "; did you mean 'lap'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace graphveil
