// Our own layout: the arrays of a Dataset, used where they lie in the file's bytes. Everything the rest of the
// library relies on is checked here, in a few passes over the arrays.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "graphveil/base/ranks.h"
#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/gvg_file.h"
#include "graphveil/files/readers.h"
#include "graphveil/files/table_text.h"

namespace graphveil::files {
namespace {

using gvg::Section;

constexpr int64_t kRowGrain = 8192;
constexpr int64_t kValueGrain = 1 << 20;

graph::Adjacency read_lists(const GvgFile& file, Section offsets, Section neighbors) {
  graph::Adjacency lists{file.section<int64_t>(offsets, file.header().nodes + 1), file.section<int32_t>(neighbors, -1)};
  lists.first_entry = lists.offsets[static_cast<size_t>(file.rows().begin)];
  if (!graph::valid_offsets(lists, file.rows().begin, file.rows().end)) {
    bad_field(file.path(), gvg::facts(offsets)->name, "must start at 0, never fall and fit {} entries", lists.edges());
  }
  const Stretch share = file.own_rows();
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

// Ranks that look at a stretch each of copies of one file cannot tell which.
const char* unless_files_differ() { return current_ranks() != nullptr ? ", or ranks have different files" : ""; }

graph::Graph read_graph(const GvgFile& file) {
  graph::Adjacency out = read_lists(file, Section::OutOffsets, Section::OutNeighbors);
  const Stretch share = file.own_rows();
  if (file.flag(gvg::kSymmetric)) {
    if (!none_left(graph::symmetry_sum(out, shared_key(), share.begin, share.end))) {
      bad_field(file.path(), "out_neighbors", "not symmetric, though the header says so{}", unless_files_differ());
    }
    return graph::Graph::from_checked(out, out, true);
  }
  graph::Adjacency in = read_lists(file, Section::InOffsets, Section::InNeighbors);
  const bool as_many = *(out.offsets.end() - 1) == *(in.offsets.end() - 1);
  if (!as_many || !none_left(graph::transpose_sum(out, in, shared_key(), share.begin, share.end))) {
    bad_field(file.path(), "in_neighbors", "does not list the same edges as out_neighbors{}", unless_files_differ());
  }
  return graph::Graph::from_checked(std::move(out), std::move(in), false);
}

// In parallel; the row named is the first one that a sequential pass would meet.
void check_finite_parallel(const GvgFile& file, Section section, std::span<const float> values, int64_t width) {
  std::atomic<bool> all_finite{true};
  const auto count = static_cast<int64_t>(values.size());
  const Stretch share = file.held() ? Stretch{0, count} : own_share(count);
  parallel_for(share.end - share.begin, kValueGrain, [&](int64_t begin, int64_t end) {
    // x * 0 is 0 for finite x and NaN otherwise: a sum without branches.
    float sum = 0;
    for (int64_t i = share.begin + begin; i < share.begin + end; ++i) sum += values[i] * 0.0f;
    if (sum != 0) all_finite = false;
  });
  if (all_finite) return;
  const int64_t first_row = section == Section::DenseFeatures ? file.rows().begin : 0;
  check_finite(file.path(), gvg::facts(section)->name, values, width, first_row);
}

void check_columns(const GvgFile& file, const SparseMatrix& matrix) {
  const int64_t first = matrix.offsets[static_cast<size_t>(file.rows().begin)];
  const Stretch share = file.own_rows();
  parallel_for(share.end - share.begin, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = share.begin + begin; r < share.begin + end; ++r) {
      int64_t previous = -1;
      for (int64_t e = matrix.offsets[r]; e < matrix.offsets[r + 1]; ++e) {
        const int32_t c = matrix.indices[e - first];
        if (c <= previous || c >= matrix.cols) {
          bad_row(file.path(), "feature_indices", r, "column {} after {}, want rising columns up to {}", c, previous,
                  matrix.cols - 1);
        }
        previous = c;
      }
    }
  });
}

graph::Features read_features(const GvgFile& file) {
  const int64_t nodes = file.header().nodes, columns = file.header().feature_columns;
  const Stretch rows = file.rows();
  if (!file.flag(gvg::kSparseFeatures)) {
    auto values = file.section<float>(Section::DenseFeatures, (rows.end - rows.begin) * columns);
    check_finite_parallel(file, Section::DenseFeatures, values.span(), columns);
    return {rows.end - rows.begin, columns, std::move(values)};
  }
  SparseMatrix matrix{nodes,
                      columns,
                      file.section<int64_t>(Section::FeatureOffsets, nodes + 1),
                      file.section<int32_t>(Section::FeatureIndices, -1),
                      {}};
  graph::Adjacency entries{matrix.offsets, matrix.indices};
  entries.first_entry = matrix.offsets[static_cast<size_t>(rows.begin)];
  if (!graph::valid_offsets(entries, rows.begin, rows.end)) {
    bad_field(file.path(), "feature_offsets", "must start at 0, never fall and fit {} entries", matrix.entries());
  }
  check_columns(file, matrix);
  if (file.has(Section::FeatureValues)) {
    matrix.values = file.section<float>(Section::FeatureValues, matrix.entries());
    check_finite_parallel(file, Section::FeatureValues, matrix.values.span(), 1);
  }
  return matrix;
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

// That ranks read copies of one file, or parts of one graph. What else data have alike: cli/launch.h.
void agree_on_file(const GvgFile& file) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return;
  const gvg::Header& header = file.header();
  agree(*ranks, file.held() ? "part" : fmt::format("whole, {} bytes", header.file_bytes),
        fmt::format("another size of {}, or a part of a graph instead of a whole one,", file.path()));
  if (!file.held()) return;
  const std::string text = fmt::format("{} {} {}\n{}", file.has(Section::FeatureValues), file.has(Section::IdOffsets),
                                       fmt::join(file.held()->cuts, " "), file.text(Section::Whole));
  agree(*ranks, sha256_text(text), "a part of another graph");
}

// The ids of all nodes, of which each rank has those of its rows; they go to rank 0, which writes them.
graph::Names gathered_ids(const graph::Names& own, int64_t nodes) {
  Ranks& ranks = *current_ranks();
  std::vector<int64_t> lengths(static_cast<size_t>(own.size()));
  for (int64_t i = 0; i < own.size(); ++i) lengths[static_cast<size_t>(i)] = std::ssize(own[i]);
  const bool first = ranks.first();
  std::vector<int64_t> offsets(first ? static_cast<size_t>(nodes) + 1 : 0);
  const int64_t bytes = sum_over(ranks, std::ssize(own.text().span()));
  std::vector<char> text(static_cast<size_t>(first ? bytes : 0));
  gather_first(ranks, std::as_bytes(std::span(lengths)),
               std::as_writable_bytes(std::span(offsets).last(first ? static_cast<size_t>(nodes) : 0)));
  gather_first(ranks, std::as_bytes(own.text().span()), std::as_writable_bytes(std::span(text)));
  if (!first) return {};
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return {std::move(offsets), std::move(text)};
}

graph::Names read_ids(const GvgFile& file) {
  const Stretch rows = file.rows();
  graph::Names ids = read_names(file, Section::IdOffsets, Section::IdText, rows.end - rows.begin);
  return file.held() && !ids.empty() ? gathered_ids(ids, file.header().nodes) : ids;
}

std::vector<int32_t> read_part(const GvgFile& file, Section section) {
  const auto ids = file.section<int32_t>(section, -1);
  return checked_part(file.path(), gvg::facts(section)->name, std::vector<int64_t>(ids.begin(), ids.end()),
                      file.header().nodes);
}

}  // namespace

graph::Dataset read_gvg(const std::string& path) {
  const GvgFile file(path);
  agree_on_file(file);
  graph::Dataset dataset;
  dataset.name = std::filesystem::path(path).stem().string();
  dataset.held = file.held();
  dataset.graph = read_graph(file);
  dataset.cleanup.stored = dataset.graph.edges();
  dataset.features = read_features(file);
  dataset.labels = file.section<int32_t>(Section::Labels, dataset.nodes());
  // Of the other arrays a rank copies its rows; these it goes on reading when all have compared them.
  if (current_ranks() != nullptr) dataset.labels = std::vector<int32_t>(dataset.labels.begin(), dataset.labels.end());
  dataset.classes = file.header().classes;
  for (int64_t v = 0; v < dataset.nodes(); ++v) {
    const int32_t label = dataset.labels[v];
    if (label < graph::kUnlabeled || label >= dataset.classes) {
      bad_row(path, "labels", v, "label {} is out of range, want 0 to {}", label, dataset.classes - 1);
    }
  }
  dataset.found_in_data = checked_lines(path, "found_in_data", file.text(Section::FoundInData));
  dataset.ids = read_ids(file);
  dataset.class_names = read_names(file, Section::ClassOffsets, Section::ClassText, dataset.classes);
  dataset.feature_names = read_names(file, Section::ColumnOffsets, Section::ColumnText, dataset.features.cols());
  dataset.schema = file.text(Section::Schema);
  if (file.flag(gvg::kHasSplit)) {
    dataset.split =
        graph::Split{read_part(file, Section::Train), read_part(file, Section::Val), read_part(file, Section::Test)};
    check_disjoint(path, *dataset.split, dataset.nodes());
  }
  return dataset;
}

namespace {

// Whether the file may say who is several nodes: told by header and table, without the rest of a large file. Where they
// do not hold, whoever reads all of it says why.
bool may_have_entities(const std::string& path) {
  const SharedArray<std::byte> bytes =
      file_bytes(path, static_cast<int64_t>(sizeof(gvg::Header) + gvg::kMaxSections * sizeof(gvg::Entry)));
  gvg::Header header;
  if (bytes.size() < sizeof header) return true;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version >= gvg::kPeopleVersion || header.sections > gvg::kMaxSections ||
      bytes.size() < sizeof header + header.sections * sizeof(gvg::Entry)) {
    return true;
  }
  std::vector<gvg::Entry> table(header.sections);
  std::memcpy(table.data(), bytes.data() + sizeof header, table.size() * sizeof(gvg::Entry));
  return gvg::checksum(header, table) != header.checksum ||
         std::ranges::any_of(table, [](const gvg::Entry& entry) { return entry.section == Section::Entities; });
}

}  // namespace

std::optional<std::vector<int32_t>> read_gvg_entities(const std::string& path) {
  if (!may_have_entities(path)) return std::nullopt;
  const GvgFile file(path);
  if (!file.has(Section::Entities)) {
    if (file.header().version == gvg::kPeopleVersion) bad_field(path, "entities", "the section is missing");
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
