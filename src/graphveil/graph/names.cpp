#include "graphveil/graph/names.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::graph {
namespace {

template <typename Text>
std::pair<SharedArray<int64_t>, SharedArray<char>> packed(std::span<const Text> names) {
  if (names.empty()) return {};
  std::vector<int64_t> offsets{0};
  std::vector<char> text;
  for (const std::string_view name : names) {
    text.insert(text.end(), name.begin(), name.end());
    offsets.push_back(static_cast<int64_t>(text.size()));
  }
  return {std::move(offsets), std::move(text)};
}

}  // namespace

Names::Names(std::span<const std::string_view> names) { std::tie(offsets_, text_) = packed(names); }
Names::Names(std::span<const std::string> names) { std::tie(offsets_, text_) = packed(names); }

Names::Names(SharedArray<int64_t> offsets, SharedArray<char> text)
    : offsets_(std::move(offsets)), text_(std::move(text)) {
  require(!offsets_.empty() && offsets_[0] == 0 && std::is_sorted(offsets_.begin(), offsets_.end()) &&
              offsets_[offsets_.size() - 1] == static_cast<int64_t>(text_.size()),
          "offsets of names must start at 0, never fall and end at {}", text_.size());
}

Names Names::at(std::span<const int32_t> places) const {
  if (empty()) return {};
  std::vector<std::string_view> chosen;
  chosen.reserve(places.size());
  for (const int32_t place : places) chosen.push_back((*this)[place]);
  return Names(std::span<const std::string_view>(chosen));
}

std::vector<std::string> Names::list() const {
  std::vector<std::string> names;
  for (int64_t i = 0; i < size(); ++i) names.emplace_back((*this)[i]);
  return names;
}

bool Names::operator==(const Names& other) const {
  return size() == other.size() && std::equal(text_.begin(), text_.end(), other.text_.begin(), other.text_.end()) &&
         std::equal(offsets_.begin(), offsets_.end(), other.offsets_.begin(), other.offsets_.end());
}

}  // namespace graphveil::graph
