// Our own layout: the arrays of a Dataset, used where they lie in the file's bytes. Everything the rest of the
// library relies on is checked here, in a few passes over the arrays.
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "graphveil/base/ranks.h"
#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/file_bytes.h"
#include "graphveil/files/gvg_layout.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/table_text.h"

namespace graphveil::files {
namespace {

using gvg::Section;

constexpr int64_t kRowGrain = 8192;
constexpr int64_t kValueGrain = 1 << 20;

// Header and table, checked; hands out the sections.
class GvgFile {
 public:
  explicit GvgFile(const std::string& path) : path_(path), bytes_(file_bytes(path)) {
    read_header();
    read_table();
  }

  const std::string& path() const { return path_; }
  const gvg::Header& header() const { return header_; }
  bool flag(gvg::Flag flag) const { return (header_.flags & flag) != 0; }
  bool has(Section section) const { return entries_.contains(section); }

  // The section, with `items` items when that is not negative.
  template <typename T>
  SharedArray<T> section(Section section, int64_t items) const {
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

 private:
  void read_header() {
    if (bytes_.size() < sizeof header_ || std::memcmp(bytes_.data(), gvg::kMagic.data(), gvg::kMagic.size()) != 0) {
      bad_file(path_, "not a .gvg file");
    }
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.byte_order != gvg::kByteOrder) bad_field(path_, "header", "written with another byte order");
    if (header_.version < gvg::kNamelessVersion || header_.version > gvg::kPeopleVersion) {
      bad_field(path_, "header", "version {} cannot be read, want {} to {}: read it with the program that wrote it",
                header_.version, gvg::kNamelessVersion, gvg::kPeopleVersion);
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

  void read_table() {
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
        bad_field(path_, facts->name, "lies at {} with {} items of {} bytes, outside its place in the file",
                  entry.offset, entry.items, entry.item_bytes);
      }
      end = entry.offset + entry.items * entry.item_bytes;
      if (!entries_.emplace(entry.section, entry).second) bad_field(path_, facts->name, "occurs twice");
    }
  }

  std::string path_;
  SharedArray<std::byte> bytes_;
  gvg::Header header_;
  std::map<Section, gvg::Entry> entries_;
};

graph::Adjacency read_lists(const GvgFile& file, Section offsets, Section neighbors) {
  graph::Adjacency lists{file.section<int64_t>(offsets, file.header().nodes + 1), file.section<int32_t>(neighbors, -1)};
  if (!graph::valid_offsets(lists)) {
    bad_field(file.path(), gvg::facts(offsets)->name, "must start at 0, never fall and end at {}", lists.edges());
  }
  const Stretch share = own_share(lists.nodes());
  if (const auto bad = graph::first_unclean_row(lists, share.begin, share.end)) {
    bad_row(file.path(), gvg::facts(neighbors)->name, *bad,
            "neighbors must rise strictly, lie in 0 to {} and leave out the node itself", lists.nodes() - 1);
  }
  return lists;
}

// A key that all ranks have.
Seed shared_key() {
  const Seed own = Seed::from_system();
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return own;
  const std::vector<std::byte> first = broadcast(*ranks, std::as_bytes(std::span(own.bytes())));
  std::array<uint8_t, 32> bytes{};
  std::memcpy(bytes.data(), first.data(), std::min(first.size(), bytes.size()));
  return Seed::from_bytes(bytes, false);
}

// Whether what every rank summed over its share of the rows comes to nothing, modulo 2^64.
bool none_left(uint64_t sum) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return sum == 0;
  uint64_t total = 0;
  for (const int64_t one : all_gather(*ranks, static_cast<int64_t>(sum))) total += static_cast<uint64_t>(one);
  return total == 0;
}

graph::Graph read_graph(const GvgFile& file) {
  graph::Adjacency out = read_lists(file, Section::OutOffsets, Section::OutNeighbors);
  const Stretch share = own_share(out.nodes());
  if (file.flag(gvg::kSymmetric)) {
    if (!none_left(graph::symmetry_sum(out, shared_key(), share.begin, share.end))) {
      bad_field(file.path(), "out_neighbors", "not symmetric, though the header says so");
    }
    return graph::Graph::from_checked(out, out, true);
  }
  graph::Adjacency in = read_lists(file, Section::InOffsets, Section::InNeighbors);
  if (out.edges() != in.edges() || !none_left(graph::transpose_sum(out, in, shared_key(), share.begin, share.end))) {
    bad_field(file.path(), "in_neighbors", "does not list the same edges as out_neighbors");
  }
  return graph::Graph::from_checked(std::move(out), std::move(in), false);
}

// In parallel; the row named is the first one that a sequential pass would meet.
void check_finite_parallel(const GvgFile& file, Section section, std::span<const float> values, int64_t width) {
  std::atomic<bool> all_finite{true};
  const Stretch share = own_share(static_cast<int64_t>(values.size()));
  parallel_for(share.end - share.begin, kValueGrain, [&](int64_t begin, int64_t end) {
    // x * 0 is 0 for finite x and NaN otherwise: a sum without branches.
    float sum = 0;
    for (int64_t i = share.begin + begin; i < share.begin + end; ++i) sum += values[i] * 0.0f;
    if (sum != 0) all_finite = false;
  });
  if (!all_finite) check_finite(file.path(), gvg::facts(section)->name, values, width);
}

graph::Features read_features(const GvgFile& file) {
  const int64_t nodes = file.header().nodes, columns = file.header().feature_columns;
  if (!file.flag(gvg::kSparseFeatures)) {
    auto values = file.section<float>(Section::DenseFeatures, nodes * columns);
    check_finite_parallel(file, Section::DenseFeatures, values.span(), columns);
    return {nodes, columns, std::move(values)};
  }
  SparseMatrix matrix{nodes,
                      columns,
                      file.section<int64_t>(Section::FeatureOffsets, nodes + 1),
                      file.section<int32_t>(Section::FeatureIndices, -1),
                      {}};
  if (!graph::valid_offsets({matrix.offsets, matrix.indices})) {
    bad_field(file.path(), "feature_offsets", "must start at 0, never fall and end at {}", matrix.entries());
  }
  const Stretch share = own_share(nodes);
  parallel_for(share.end - share.begin, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = share.begin + begin; r < share.begin + end; ++r) {
      int64_t previous = -1;
      for (int32_t c : matrix.view().row(r)) {
        if (c <= previous || c >= columns) {
          bad_row(file.path(), "feature_indices", r, "column {} after {}, want rising columns up to {}", c, previous,
                  columns - 1);
        }
        previous = c;
      }
    }
  });
  if (file.has(Section::FeatureValues)) {
    matrix.values = file.section<float>(Section::FeatureValues, matrix.entries());
    check_finite_parallel(file, Section::FeatureValues, matrix.values.span(), 1);
  }
  return matrix;
}

std::string read_text(const GvgFile& file, Section section) {
  if (!file.has(section)) return {};
  const auto text = file.section<char>(section, -1);
  std::string out(text.data(), text.size());
  if (first_not_utf8(out)) bad_field(file.path(), gvg::facts(section)->name, "is not UTF-8");
  return out;
}

// `count` names, or none where the file has none.
graph::Names read_names(const GvgFile& file, Section offsets, Section text, int64_t count) {
  if (!file.has(offsets)) return {};
  graph::Names names;
  try {
    names = {file.section<int64_t>(offsets, count + 1), file.section<char>(text, -1)};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::BadInput) throw;
    bad_field(file.path(), gvg::facts(offsets)->name, "{}", error.what());
  }
  for (int64_t i = 0; i < names.size(); ++i) {
    if (first_not_utf8(names[i])) bad_row(file.path(), gvg::facts(text)->name, i, "is not UTF-8");
  }
  return names;
}

std::vector<int32_t> read_part(const GvgFile& file, Section section) {
  const auto ids = file.section<int32_t>(section, -1);
  return checked_part(file.path(), gvg::facts(section)->name, std::vector<int64_t>(ids.begin(), ids.end()),
                      file.header().nodes);
}

}  // namespace

graph::Dataset read_gvg(const std::string& path) {
  const GvgFile file(path);
  graph::Dataset dataset;
  dataset.name = std::filesystem::path(path).stem().string();
  dataset.graph = read_graph(file);
  dataset.cleanup.stored = dataset.graph.edges();
  dataset.features = read_features(file);
  dataset.labels = file.section<int32_t>(Section::Labels, dataset.nodes());
  dataset.classes = file.header().classes;
  for (int64_t v = 0; v < dataset.nodes(); ++v) {
    const int32_t label = dataset.labels[v];
    if (label < graph::kUnlabeled || label >= dataset.classes) {
      bad_row(path, "labels", v, "label {} is out of range, want 0 to {}", label, dataset.classes - 1);
    }
  }
  dataset.found_in_data = checked_lines(path, "found_in_data", read_text(file, Section::FoundInData));
  dataset.ids = read_names(file, Section::IdOffsets, Section::IdText, dataset.nodes());
  dataset.class_names = read_names(file, Section::ClassOffsets, Section::ClassText, dataset.classes);
  dataset.feature_names = read_names(file, Section::ColumnOffsets, Section::ColumnText, dataset.features.cols());
  dataset.schema = read_text(file, Section::Schema);
  if (file.flag(gvg::kHasSplit)) {
    dataset.split =
        graph::Split{read_part(file, Section::Train), read_part(file, Section::Val), read_part(file, Section::Test)};
    check_disjoint(path, *dataset.split, dataset.nodes());
  }
  return dataset;
}

std::optional<std::vector<int32_t>> read_gvg_entities(const std::string& path) {
  const GvgFile file(path);
  if (!file.has(Section::Entities)) {
    if (file.header().version >= gvg::kPeopleVersion) bad_field(path, "entities", "the section is missing");
    return std::nullopt;
  }
  const auto people = file.section<int32_t>(Section::Entities, file.header().nodes);
  for (int64_t v = 0; v < file.header().nodes; ++v) {
    if (people[v] < 0 || people[v] >= file.header().nodes) {
      bad_row(path, "entities", v, "person {} is out of range, want 0 to {}", people[v], file.header().nodes - 1);
    }
  }
  return std::vector<int32_t>(people.begin(), people.end());
}

}  // namespace graphveil::files
