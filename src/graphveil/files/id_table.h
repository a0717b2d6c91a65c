// Which row a text id stands for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace graphveil::files {

// Ids are numbered in the order of their first coming. All of it lies in three flat arrays, which are large memory
// (base/large_memory.h) where there are many ids. Looking up is safe from several threads.
class IdTable {
 public:
  // Keeps a copy of the text. False when it is there already.
  bool add(std::string_view id);
  std::optional<int32_t> find(std::string_view id) const;
  int32_t size() const { return static_cast<int32_t>(offsets_.size()) - 1; }
  // Valid until the next add().
  std::string_view operator[](int32_t number) const {
    const auto begin = static_cast<size_t>(offsets_[number]);
    return {text_.data() + begin, static_cast<size_t>(offsets_[number + 1]) - begin};
  }

 private:
  // Open addressing. A slot has the beginning of its id, which for most ids is all of it: looking up reads one place.
  struct Slot {
    static constexpr size_t kInline = 20;
    Slot() = default;
    Slot(std::string_view text, uint64_t hash, int32_t number);
    bool is(std::string_view text, uint64_t hash) const;  // as far as the slot knows

    int32_t id = -1;
    uint32_t tag = 0;
    uint32_t size = 0;
    std::array<char, kInline> text{};
  };
  static uint64_t hash(std::string_view id) { return std::hash<std::string_view>()(id); }
  size_t place(std::string_view id, uint64_t hash) const;  // where it is or would be
  void grow();

  std::vector<char> text_;           // of all ids, one behind the other
  std::vector<int64_t> offsets_{0};  // where each begins and the last one ends
  std::vector<Slot> slots_;
};

}  // namespace graphveil::files
