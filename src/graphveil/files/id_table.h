// Which row a text id stands for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace graphveil::files {

// Ids are numbered in the order of their first coming. The texts must outlive this. Looking up is safe from several
// threads.
class IdTable {
 public:
  // False when it is there already.
  bool add(std::string_view id);
  std::optional<int32_t> find(std::string_view id) const;
  const std::vector<std::string_view>& ids() const { return ids_; }

 private:
  // Open addressing: a slot has part of the hash beside the number, so that most other ids are told apart unread.
  struct Slot {
    uint32_t tag = 0;
    int32_t id = -1;
  };
  static uint64_t hash(std::string_view id) { return std::hash<std::string_view>()(id); }
  size_t place(std::string_view id, uint64_t hash) const;  // where it is or would be
  void grow();

  std::vector<std::string_view> ids_;
  std::vector<Slot> slots_;
};

}  // namespace graphveil::files
