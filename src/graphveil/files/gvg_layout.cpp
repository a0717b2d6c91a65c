#include "graphveil/files/gvg_layout.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zlib.h>

#include "graphveil/base/digest.h"

namespace graphveil::files::gvg {

std::string shared_digest(const Header& header, std::vector<Content> contents) {
  constexpr std::array kShared{Section::Train,        Section::Val,       Section::Test,          Section::FoundInData,
                               Section::ClassOffsets, Section::ClassText, Section::ColumnOffsets, Section::ColumnText,
                               Section::Schema,       Section::Entities};
  std::ranges::sort(contents, {}, &Content::section);
  std::string text = fmt::format("{} {} {} {}\n", header.nodes, header.feature_columns, header.classes, header.flags);
  for (const Content& content : contents) {
    if (std::ranges::find(kShared, content.section) == kShared.end()) continue;
    text += fmt::format("{} {}\n", facts(content.section)->name,
                        sha256_hex({reinterpret_cast<const uint8_t*>(content.bytes.data()), content.bytes.size()}));
  }
  return sha256_text(text);
}

uint32_t checksum(Header header, std::span<const Entry> table) {
  header.checksum = 0;
  uLong crc = crc32(0, nullptr, 0);
  crc = crc32(crc, reinterpret_cast<const Bytef*>(&header), sizeof header);
  crc = crc32(crc, reinterpret_cast<const Bytef*>(table.data()), static_cast<uInt>(table.size_bytes()));
  return static_cast<uint32_t>(crc);
}

const SectionFacts* facts(Section section) {
  static constexpr SectionFacts kFacts[] = {{"out_offsets", 8},
                                            {"out_neighbors", 4},
                                            {"in_offsets", 8},
                                            {"in_neighbors", 4},
                                            {"labels", 4},
                                            {"dense_features", 4},
                                            {"feature_offsets", 8},
                                            {"feature_indices", 4},
                                            {"feature_values", 4},
                                            {"train", 4},
                                            {"val", 4},
                                            {"test", 4},
                                            {"found_in_data", 1},
                                            {"id_offsets", 8},
                                            {"id_text", 1},
                                            {"class_offsets", 8},
                                            {"class_text", 1},
                                            {"column_offsets", 8},
                                            {"column_text", 1},
                                            {"schema", 1},
                                            {"entities", 4},
                                            {"rows", 8},
                                            {"whole", 1}};
  const auto index = static_cast<uint32_t>(section) - 1;
  return index < std::size(kFacts) ? &kFacts[index] : nullptr;
}

}  // namespace graphveil::files::gvg
