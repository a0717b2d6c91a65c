#include <cstring>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/files/assemble.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/files/gvg_layout.h"
#include "graphveil/files/writers.h"

namespace graphveil::files {
namespace {

using gvg::Section;

constexpr size_t kWriteBytes = size_t{16} << 20;

struct Part {
  gvg::Entry entry;
  std::span<const std::byte> bytes;
};

template <typename T>
Part part(Section section, std::span<const T> values) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8);
  return {{section, sizeof(T), 0, values.size(), 0}, std::as_bytes(values)};
}

std::vector<Part> parts_of(const graph::Dataset& dataset, const std::string& found_in_data) {
  static_assert(sizeof(Real) == 4, "the file holds 32-bit features");
  const graph::Graph& graph = dataset.graph;
  std::vector<Part> parts{part(Section::OutOffsets, graph.out_lists().offsets.span()),
                          part(Section::OutNeighbors, graph.out_lists().neighbors.span())};
  if (!graph.symmetric()) {
    parts.push_back(part(Section::InOffsets, graph.in_lists().offsets.span()));
    parts.push_back(part(Section::InNeighbors, graph.in_lists().neighbors.span()));
  }
  parts.push_back(part(Section::Labels, dataset.labels.span()));
  if (dataset.features.is_sparse()) {
    const SparseMatrix& matrix = dataset.features.sparse();
    parts.push_back(part(Section::FeatureOffsets, matrix.offsets.span()));
    parts.push_back(part(Section::FeatureIndices, matrix.indices.span()));
    if (!matrix.values.empty()) parts.push_back(part(Section::FeatureValues, matrix.values.span()));
  } else {
    parts.push_back(part(Section::DenseFeatures, dataset.features.dense_values().span()));
  }
  if (dataset.split) {
    parts.push_back(part(Section::Train, std::span<const int32_t>(dataset.split->train)));
    parts.push_back(part(Section::Val, std::span<const int32_t>(dataset.split->val)));
    parts.push_back(part(Section::Test, std::span<const int32_t>(dataset.split->test)));
  }
  if (!found_in_data.empty()) parts.push_back(part(Section::FoundInData, std::span<const char>(found_in_data)));
  const auto add_names = [&](const graph::Names& names, Section offsets, Section text) {
    if (names.empty()) return;
    parts.push_back(part(offsets, names.offsets().span()));
    parts.push_back(part(text, names.text().span()));
  };
  add_names(dataset.ids, Section::IdOffsets, Section::IdText);
  add_names(dataset.class_names, Section::ClassOffsets, Section::ClassText);
  add_names(dataset.feature_names, Section::ColumnOffsets, Section::ColumnText);
  if (!dataset.schema.empty()) parts.push_back(part(Section::Schema, std::span<const char>(dataset.schema)));
  return parts;
}

bool has_names(const graph::Dataset& dataset) {
  return !dataset.ids.empty() || !dataset.class_names.empty() || !dataset.feature_names.empty() ||
         !dataset.schema.empty();
}

uint64_t aligned(uint64_t position) { return (position + gvg::kAlignment - 1) / gvg::kAlignment * gvg::kAlignment; }

}  // namespace

void write_gvg(const graph::Dataset& dataset, const std::string& path, std::span<const int32_t> entities) {
  graph::check(dataset);
  require(entities.empty() || std::ssize(entities) == dataset.nodes(), "{} people for {} nodes", entities.size(),
          dataset.nodes());
  const std::string found_in_data = joined_lines(dataset.found_in_data);
  std::vector<Part> parts = parts_of(dataset, found_in_data);
  if (!entities.empty()) parts.push_back(part(Section::Entities, entities));

  gvg::Header header;
  header.version = !entities.empty() ? gvg::kPeopleVersion : has_names(dataset) ? gvg::kVersion : gvg::kNamelessVersion;
  header.nodes = dataset.nodes();
  header.feature_columns = dataset.features.cols();
  header.classes = dataset.classes;
  header.flags = (dataset.graph.symmetric() ? gvg::kSymmetric : 0u) |
                 (dataset.features.is_sparse() ? gvg::kSparseFeatures : 0u) | (dataset.split ? gvg::kHasSplit : 0u);
  header.sections = static_cast<uint32_t>(parts.size());
  uint64_t position = sizeof header + parts.size() * sizeof(gvg::Entry);
  std::vector<gvg::Entry> table;
  for (Part& p : parts) {
    p.entry.offset = aligned(position);
    position = p.entry.offset + p.bytes.size();
    table.push_back(p.entry);
  }
  header.file_bytes = position;
  header.checksum = gvg::checksum(header, table);

  AtomicFile file(path);
  Progress progress("writing .gvg", static_cast<int64_t>(position));
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(std::as_bytes(std::span(table)));
  for (const Part& p : parts) {
    file.pad_to(gvg::kAlignment);
    for (size_t at = 0; at < p.bytes.size(); at += kWriteBytes) {
      const auto piece = p.bytes.subspan(at, std::min(kWriteBytes, p.bytes.size() - at));
      file.write(piece);
      progress.advance(static_cast<int64_t>(piece.size()));
    }
  }
  file.commit();
}

}  // namespace graphveil::files
