#include "graphveil/files/gvg_file.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/files/assemble.h"
#include "graphveil/files/file_bytes.h"
#include "graphveil/files/table_text.h"

namespace graphveil::files {

using gvg::Section;

GvgFile::GvgFile(const std::string& path) : path_(path), bytes_(file_bytes(path)) {
  read_header();
  read_table();
  read_rows();
}

std::string GvgFile::text(Section section_of) const {
  if (!has(section_of)) return {};
  const auto text = section<char>(section_of, -1);
  std::string out(text.data(), text.size());
  if (first_not_utf8(out)) bad_field(path_, gvg::facts(section_of)->name, "is not UTF-8");
  return out;
}

void GvgFile::read_header() {
  if (bytes_.size() < sizeof header_ || std::memcmp(bytes_.data(), gvg::kMagic.data(), gvg::kMagic.size()) != 0) {
    bad_file(path_, "not a .gvg file");
  }
  std::memcpy(&header_, bytes_.data(), sizeof header_);
  if (header_.byte_order != gvg::kByteOrder) bad_field(path_, "header", "written with another byte order");
  if (header_.version < gvg::kNamelessVersion || header_.version > gvg::kPartVersion) {
    bad_field(path_, "header", "version {} cannot be read, want {} to {}: read it with the program that wrote it",
              header_.version, gvg::kNamelessVersion, gvg::kPartVersion);
  }
  if (header_.file_bytes != bytes_.size()) {
    bad_field(path_, "header", "the file has {} bytes, want {}: it is cut short or was appended to", bytes_.size(),
              header_.file_bytes);
  }
  checked_nodes(path_, "header", header_.nodes);
  if (header_.feature_columns < 1 || header_.feature_columns > INT32_MAX) {
    bad_field(path_, "header", "{} feature columns are out of range", header_.feature_columns);
  }
  if (header_.classes < 1 || header_.classes > header_.nodes) {
    bad_field(path_, "header", "{} classes are out of range, want 1 to {}", header_.classes, header_.nodes);
  }
}

void GvgFile::read_table() {
  const size_t table_bytes = header_.sections * sizeof(gvg::Entry);
  if (header_.sections > gvg::kMaxSections || bytes_.size() < sizeof header_ + table_bytes) {
    bad_field(path_, "section table", "{} sections do not fit the file", header_.sections);
  }
  std::vector<gvg::Entry> table(header_.sections);
  if (!table.empty()) std::memcpy(table.data(), bytes_.data() + sizeof header_, table_bytes);
  if (gvg::checksum(header_, table) != header_.checksum) bad_field(path_, "header", "the checksum does not match");
  uint64_t end = sizeof header_ + table_bytes;
  for (const gvg::Entry& entry : table) {
    const gvg::SectionFacts* facts = gvg::facts(entry.section);
    if (!facts) bad_field(path_, "section table", "unknown section {}", static_cast<uint32_t>(entry.section));
    // Sections follow each other without overlap, aligned, inside the file.
    if (entry.item_bytes != facts->item_bytes || entry.offset < end || entry.offset % gvg::kAlignment != 0 ||
        entry.offset > bytes_.size() || entry.items > (bytes_.size() - entry.offset) / entry.item_bytes) {
      bad_field(path_, facts->name, "lies at {} with {} items of {} bytes, outside its place in the file", entry.offset,
                entry.items, entry.item_bytes);
    }
    end = entry.offset + entry.items * entry.item_bytes;
    if (!entries_.emplace(entry.section, entry).second) bad_field(path_, facts->name, "occurs twice");
  }
}

void GvgFile::read_rows() {
  const auto want = [&](const char* field, bool holds, const char* what) {
    if (!holds) bad_field(path_, field, "{}", what);
  };
  want("rows", has(Section::Rows) == (header_.version == gvg::kPartVersion), "does not fit the version");
  if (!has(Section::Rows)) return;
  const auto numbers = section<int64_t>(Section::Rows, -1);
  want("rows", numbers.size() >= 3, "has too few items");
  graph::HeldRows held{.part = 0, .cuts = {numbers.begin() + 1, numbers.end()}, .fingerprint = {}};
  const int64_t parts = std::ssize(held.cuts) - 1;
  const bool rising = std::ranges::adjacent_find(held.cuts, std::greater_equal<>()) == held.cuts.end();
  want("rows", numbers[0] >= 0 && numbers[0] < parts, "is no part of so many");
  want("rows", rising && held.cuts.front() == 0 && held.cuts.back() == header_.nodes,
       "must rise from 0 to the number of nodes");
  held.part = static_cast<int>(numbers[0]);
  const Ranks* const ranks = current_ranks();
  if (ranks == nullptr || ranks->size() != parts || ranks->rank() != held.part) {
    bad_file(path_, "is part {} of {} of a graph, for rank {} of `mpirun -n {}`; {}", held.part, parts, held.part,
             parts,
             ranks == nullptr ? "this process is alone and wants a whole graph"
                              : fmt::format("this is rank {} of {}", ranks->rank(), ranks->size()));
  }
  const std::string whole = text(Section::Whole);
  std::istringstream lines(whole);
  std::string shared;
  for (std::string& line : held.fingerprint) std::getline(lines, line);
  std::getline(lines, shared);
  want("whole",
       !lines.eof() && std::ranges::count(whole, '\n') == std::ssize(held.fingerprint) + 1 && whole.back() == '\n',
       "wants five lines");
  std::vector<gvg::Content> contents;
  for (const auto& [section, entry] : entries_) {
    contents.push_back({section, bytes_.span().subspan(entry.offset, entry.items * entry.item_bytes)});
  }
  want("whole", shared == gvg::shared_digest(header_, std::move(contents)),
       "shape, classes, split, names, schema or people are not those of the graph that was split");
  held_ = std::make_shared<const graph::HeldRows>(std::move(held));
}

}  // namespace graphveil::files
