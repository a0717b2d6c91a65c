// Texts by number: the ids of nodes, the names of classes and of feature columns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/base/shared_array.h"

namespace graphveil::graph {

// Immutable; copying shares the memory, which may be a mapped file. No names at all means: by number.
class Names {
 public:
  Names() = default;
  explicit Names(std::span<const std::string_view> names);
  explicit Names(std::span<const std::string> names);
  // Name i is text[offsets[i] .. offsets[i + 1]). Throws InvalidArgument unless the offsets start at 0, never fall and
  // end at the text's length.
  Names(SharedArray<int64_t> offsets, SharedArray<char> text);

  int64_t size() const { return offsets_.empty() ? 0 : static_cast<int64_t>(offsets_.size()) - 1; }
  bool empty() const { return size() == 0; }
  std::string_view operator[](int64_t i) const {
    return {text_.data() + offsets_[i], static_cast<size_t>(offsets_[i + 1] - offsets_[i])};
  }
  const SharedArray<int64_t>& offsets() const { return offsets_; }
  const SharedArray<char>& text() const { return text_; }

  // The given ones, in the given order; no names stay no names.
  Names at(std::span<const int32_t> places) const;
  std::vector<std::string> list() const;
  bool operator==(const Names& other) const;

 private:
  SharedArray<int64_t> offsets_;
  SharedArray<char> text_;
};

}  // namespace graphveil::graph
