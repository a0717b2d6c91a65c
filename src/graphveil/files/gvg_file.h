// A .gvg file: header and table, checked, and its sections as they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "graphveil/base/ranks.h"
#include "graphveil/base/shared_array.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/gvg_layout.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::files {

class GvgFile {
 public:
  // Throws BadInput, with file and field, where the layout does not hold, and for a part of a graph that is not for the
  // rank that reads it.
  explicit GvgFile(const std::string& path);

  const std::string& path() const { return path_; }
  const gvg::Header& header() const { return header_; }
  bool flag(gvg::Flag flag) const { return (header_.flags & flag) != 0; }
  bool has(gvg::Section section) const { return entries_.contains(section); }

  // Of one of several files; null: this one has all rows.
  const std::shared_ptr<const graph::HeldRows>& held() const { return held_; }
  // The rows that have their edges, features and ids here.
  Stretch rows() const { return held_ ? Stretch{held_->begin(), held_->end()} : Stretch{0, header_.nodes}; }
  // Those of them that this process is to check: other ranks check the others.
  Stretch own_rows() const { return held_ ? rows() : own_share(header_.nodes); }

  // The section, with `items` items when that is not negative.
  template <typename T>
  SharedArray<T> section(gvg::Section section, int64_t items) const {
    const char* const name = gvg::facts(section)->name;
    const auto found = entries_.find(section);
    if (found == entries_.end()) bad_field(path_, name, "the section is missing");
    const gvg::Entry& entry = found->second;
    if (items >= 0 && entry.items != static_cast<uint64_t>(items)) {
      bad_field(path_, name, "has {} items, want {}", entry.items, items);
    }
    const std::span<const T> span(reinterpret_cast<const T*>(bytes_.data() + entry.offset), entry.items);
    return {span, std::make_shared<const SharedArray<std::byte>>(bytes_)};
  }
  // Empty where the section is absent. Throws unless it is UTF-8.
  std::string text(gvg::Section section) const;

 private:
  void read_header();
  void read_table();
  void read_rows();

  std::string path_;
  SharedArray<std::byte> bytes_;
  gvg::Header header_;
  std::map<gvg::Section, gvg::Entry> entries_;
  std::shared_ptr<const graph::HeldRows> held_;
};

}  // namespace graphveil::files
