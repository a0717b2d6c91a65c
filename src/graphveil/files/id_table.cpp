#include "graphveil/files/id_table.h"

#include <algorithm>
#include <cstring>

#include "graphveil/base/error.h"

namespace graphveil::files {

IdTable::Slot::Slot(std::string_view name, uint64_t hash, int32_t number)
    : id(number), tag(static_cast<uint32_t>(hash >> 32)), size(static_cast<uint32_t>(name.size())) {
  std::memcpy(text.data(), name.data(), std::min(name.size(), kInline));
}

bool IdTable::Slot::is(std::string_view name, uint64_t hash) const {
  return tag == static_cast<uint32_t>(hash >> 32) && size == static_cast<uint32_t>(name.size()) &&
         std::memcmp(text.data(), name.data(), std::min(name.size(), kInline)) == 0;
}

size_t IdTable::place(std::string_view id, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].id >= 0) {
    const Slot& slot = slots_[at];
    if (slot.is(id, hash) && (id.size() <= Slot::kInline || (*this)[slot.id] == id)) break;
    at = (at + 1) & mask;
  }
  return at;
}

void IdTable::grow() {
  const size_t slots = slots_.empty() ? 1024 : 2 * slots_.size();
  std::vector<Slot>().swap(slots_);  // the ids say all that the slots said
  slots_.resize(slots);
  for (int32_t number = 0; number < size(); ++number) {
    const std::string_view id = (*this)[number];
    const uint64_t code = hash(id);
    slots_[place(id, code)] = Slot(id, code, number);
  }
}

bool IdTable::add(std::string_view id) {
  if (2 * offsets_.size() > slots_.size()) grow();
  const uint64_t code = hash(id);
  Slot& slot = slots_[place(id, code)];
  if (slot.id >= 0) return false;
  require(offsets_.size() <= INT32_MAX, "more than {} ids", INT32_MAX);
  slot = Slot(id, code, size());
  text_.insert(text_.end(), id.begin(), id.end());
  offsets_.push_back(static_cast<int64_t>(text_.size()));
  return true;
}

std::optional<int32_t> IdTable::find(std::string_view id) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[place(id, hash(id))];
  return slot.id >= 0 ? std::optional<int32_t>(slot.id) : std::nullopt;
}

}  // namespace graphveil::files
