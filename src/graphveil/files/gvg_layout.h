// The .gvg layout: a header, a table of sections, then the sections themselves, each at a multiple of 64 bytes
// so that a file can be used as it lies in memory. Numbers are little-endian. docs/formats.md has the tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graphveil::files::gvg {

// The mark is like that of PNG: a byte above 127, the name, and line ends that careless copying would change.
inline constexpr std::array<unsigned char, 8> kMagic{0x89, 'G', 'V', 'G', '\r', '\n', 0x1a, '\n'};
inline constexpr uint32_t kVersion = 2;          // of files with names
inline constexpr uint32_t kNamelessVersion = 1;  // of files without, which earlier programs read as well
inline constexpr uint32_t kPeopleVersion = 3;    // of files that say who is several nodes: no program may overlook it
inline constexpr uint32_t kPartVersion = 4;      // of one of several files that are a graph together
inline constexpr uint32_t kByteOrder = 0x01020304;
inline constexpr int64_t kAlignment = 64;
inline constexpr uint32_t kMaxSections = 64;

enum Flag : uint32_t { kSymmetric = 1, kSparseFeatures = 2, kHasSplit = 4 };

struct Header {
  std::array<unsigned char, 8> magic = kMagic;
  uint32_t version = kVersion;
  uint32_t byte_order = kByteOrder;
  uint64_t file_bytes = 0;
  int64_t nodes = 0;
  int64_t feature_columns = 0;
  int32_t classes = 0;
  uint32_t flags = 0;
  uint32_t sections = 0;
  uint32_t checksum = 0;  // CRC-32 of header and table with this field 0
  uint64_t reserved = 0;
};
static_assert(sizeof(Header) == 64);

enum class Section : uint32_t {
  OutOffsets = 1,  // int64
  OutNeighbors,    // int32
  InOffsets,       // int64; only when the graph is not symmetric
  InNeighbors,     // int32; only when the graph is not symmetric
  Labels,          // int32, -1 = no label
  DenseFeatures,   // float32, row-major
  FeatureOffsets,  // int64; this and the next two instead of DenseFeatures
  FeatureIndices,  // int32
  FeatureValues,   // float32; absent when every value is 1
  Train,
  Val,
  Test,         // int32
  FoundInData,  // text, a line for each thing that was taken from private records; absent when there is none
  // Names, where there are some: int64 offsets, then the texts one after the other.
  IdOffsets,
  IdText,
  ClassOffsets,
  ClassText,
  ColumnOffsets,
  ColumnText,
  Schema,    // text; absent when none was declared
  Entities,  // int32: the number of the person that a node is; absent where every node is a person
  // Of one of several files, which has the edges, the features and the ids of some rows, and all else of all:
  Rows,  // int64: its number, then the first row of every file, and the number of all rows
  Whole  // text, five lines: what the whole graph was (graph/dataset.h: HeldRows::fingerprint), and shared_digest
};

// Bytes of a section.
struct Content {
  Section section = Section::OutOffsets;
  std::span<const std::byte> bytes;
};

struct Entry {
  Section section{};
  uint32_t item_bytes = 0;
  uint64_t offset = 0;
  uint64_t items = 0;
  uint64_t reserved = 0;
};
static_assert(sizeof(Entry) == 32);

// SHA-256, in hexadecimal, of what all parts of a graph have alike and its fingerprint does not see: shape, classes and
// flags, the split, names, schema and people. `contents` may have other sections too.
std::string shared_digest(const Header& header, std::vector<Content> contents);

// The checksum of the header (its own field taken as 0) and the table.
uint32_t checksum(Header header, std::span<const Entry> table);

// The name of a section, for messages, and the size of an item; null for a section that does not exist.
struct SectionFacts {
  const char* name;
  uint32_t item_bytes;
};
const SectionFacts* facts(Section section);

}  // namespace graphveil::files::gvg
