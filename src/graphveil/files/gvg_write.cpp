#include <cstring>
#include <memory>
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

struct Piece {
  gvg::Entry entry;
  std::span<const std::byte> bytes;
};

template <typename T>
Piece piece(Section section, std::span<const T> values) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8);
  return {{section, sizeof(T), 0, values.size(), 0}, std::as_bytes(values)};
}

// The sections of the rows in [begin, end), and what is the same for all rows.
class Sections {
 public:
  Sections(const graph::Dataset& dataset, std::span<const int32_t> entities, int64_t begin, int64_t end)
      : begin_(begin), end_(end), found_in_data_(joined_lines(dataset.found_in_data)) {
    static_assert(sizeof(Real) == 4, "the file holds 32-bit features");
    add_lists(dataset.graph.out_lists(), Section::OutOffsets, Section::OutNeighbors);
    if (!dataset.graph.symmetric()) add_lists(dataset.graph.in_lists(), Section::InOffsets, Section::InNeighbors);
    add(Section::Labels, dataset.labels.span());
    add_features(dataset.features);
    if (dataset.split) {
      add(Section::Train, std::span<const int32_t>(dataset.split->train));
      add(Section::Val, std::span<const int32_t>(dataset.split->val));
      add(Section::Test, std::span<const int32_t>(dataset.split->test));
    }
    add_text(Section::FoundInData, found_in_data_);
    if (!dataset.ids.empty()) add_ids(dataset.ids);
    add_names(dataset.class_names, Section::ClassOffsets, Section::ClassText);
    add_names(dataset.feature_names, Section::ColumnOffsets, Section::ColumnText);
    add_text(Section::Schema, dataset.schema);
    if (!entities.empty()) add(Section::Entities, entities);
  }
  template <typename T>
  void add(Section section, std::span<const T> values) {
    pieces_.push_back(piece(section, values));
  }
  void add_text(Section section, const std::string& text) {
    if (!text.empty()) add(section, std::span<const char>(text));
  }
  std::vector<Piece>& pieces() { return pieces_; }

 private:
  // The entries of the rows, where `offsets` count those of all.
  template <typename T>
  std::span<const T> entries(const SharedArray<int64_t>& offsets, const SharedArray<T>& values) const {
    const int64_t first = offsets[static_cast<size_t>(begin_)];
    return values.span().subspan(static_cast<size_t>(first),
                                 static_cast<size_t>(offsets[static_cast<size_t>(end_)] - first));
  }
  void add_lists(const graph::Adjacency& lists, Section offsets, Section neighbors) {
    add(offsets, lists.offsets.span());
    add(neighbors, entries(lists.offsets, lists.neighbors));
  }
  void add_features(const graph::Features& features) {
    if (!features.is_sparse()) {
      return add(Section::DenseFeatures,
                 features.dense_values().span().subspan(static_cast<size_t>(begin_ * features.cols()),
                                                        static_cast<size_t>((end_ - begin_) * features.cols())));
    }
    const SparseMatrix& matrix = features.sparse();
    add(Section::FeatureOffsets, matrix.offsets.span());
    add(Section::FeatureIndices, entries(matrix.offsets, matrix.indices));
    if (!matrix.values.empty()) add(Section::FeatureValues, entries(matrix.offsets, matrix.values));
  }
  void add_ids(const graph::Names& ids) {
    const std::span<const int64_t> offsets =
        ids.offsets().span().subspan(static_cast<size_t>(begin_), static_cast<size_t>(end_ - begin_) + 1);
    id_offsets_.assign(offsets.begin(), offsets.end());
    for (int64_t& offset : id_offsets_) offset -= offsets.front();
    add(Section::IdOffsets, std::span<const int64_t>(id_offsets_));
    add(Section::IdText, entries(ids.offsets(), ids.text()));
  }
  void add_names(const graph::Names& names, Section offsets, Section text) {
    if (names.empty()) return;
    add(offsets, names.offsets().span());
    add(text, names.text().span());
  }

  int64_t begin_, end_;
  std::string found_in_data_;
  std::vector<int64_t> id_offsets_;
  std::vector<Piece> pieces_;
};

bool has_names(const graph::Dataset& dataset) {
  return !dataset.ids.empty() || !dataset.class_names.empty() || !dataset.feature_names.empty() ||
         !dataset.schema.empty();
}

uint64_t aligned(uint64_t position) { return (position + gvg::kAlignment - 1) / gvg::kAlignment * gvg::kAlignment; }

void write_sections(std::vector<Piece>& pieces, gvg::Header header, AtomicFile& file) {
  header.sections = static_cast<uint32_t>(pieces.size());
  uint64_t position = sizeof header + pieces.size() * sizeof(gvg::Entry);
  std::vector<gvg::Entry> table;
  for (Piece& p : pieces) {
    p.entry.offset = aligned(position);
    position = p.entry.offset + p.bytes.size();
    table.push_back(p.entry);
  }
  header.file_bytes = position;
  header.checksum = gvg::checksum(header, table);

  Progress progress("writing .gvg", static_cast<int64_t>(position));
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(std::as_bytes(std::span(table)));
  for (const Piece& p : pieces) {
    file.pad_to(gvg::kAlignment);
    for (size_t at = 0; at < p.bytes.size(); at += kWriteBytes) {
      const auto bytes = p.bytes.subspan(at, std::min(kWriteBytes, p.bytes.size() - at));
      file.write(bytes);
      progress.advance(static_cast<int64_t>(bytes.size()));
    }
  }
}

gvg::Header header_of(const graph::Dataset& dataset, std::span<const int32_t> entities) {
  graph::check(dataset);
  require(entities.empty() || std::ssize(entities) == dataset.nodes(), "{} people for {} nodes", entities.size(),
          dataset.nodes());
  gvg::Header header;
  header.version = !entities.empty() ? gvg::kPeopleVersion : has_names(dataset) ? gvg::kVersion : gvg::kNamelessVersion;
  header.nodes = dataset.nodes();
  header.feature_columns = dataset.features.cols();
  header.classes = dataset.classes;
  header.flags = (dataset.graph.symmetric() ? gvg::kSymmetric : 0u) |
                 (dataset.features.is_sparse() ? gvg::kSparseFeatures : 0u) | (dataset.split ? gvg::kHasSplit : 0u);
  return header;
}

}  // namespace

void write_gvg(const graph::Dataset& dataset, const std::string& path, std::span<const int32_t> entities) {
  const gvg::Header header = header_of(dataset, entities);
  Sections sections(dataset, entities, 0, dataset.nodes());
  AtomicFile file(path);
  write_sections(sections.pieces(), header, file);
  file.commit();
}

void write_gvg_parts(const graph::Dataset& dataset, std::span<const int32_t> entities,
                     std::span<const std::string> paths, std::span<const int64_t> cuts,
                     const std::array<std::string, 4>& fingerprint, std::filesystem::perms permissions) {
  require(paths.size() + 1 == cuts.size(), "{} files for {} parts", paths.size(), cuts.size() - 1);
  gvg::Header header = header_of(dataset, entities);
  header.version = gvg::kPartVersion;
  std::string of_edges_and_nodes;
  for (const std::string& line : fingerprint) of_edges_and_nodes += line + "\n";
  // None has its name before all are written.
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (size_t part = 0; part < paths.size(); ++part) {
    Sections sections(dataset, entities, cuts[part], cuts[part + 1]);
    std::vector<int64_t> rows{static_cast<int64_t>(part)};
    rows.insert(rows.end(), cuts.begin(), cuts.end());
    sections.add(Section::Rows, std::span<const int64_t>(rows));
    std::vector<gvg::Content> contents;
    for (const Piece& p : sections.pieces()) contents.push_back({p.entry.section, p.bytes});
    const std::string whole = of_edges_and_nodes + gvg::shared_digest(header, std::move(contents)) + "\n";
    sections.add_text(Section::Whole, whole);
    write_sections(sections.pieces(), header, *files.emplace_back(std::make_unique<AtomicFile>(paths[part])));
  }
  for (const auto& file : files) file->commit(static_cast<mode_t>(permissions) & 0666);
}

}  // namespace graphveil::files
