// gnn-benchmark .npz: adjacency and features as compressed rows (or dense features), one label per node.
#include <filesystem>
#include <optional>
#include <utility>

#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/npz_archive.h"
#include "graphveil/files/readers.h"

namespace graphveil::files {
namespace {

// The prefix that the keys of a compressed-row matrix carry: "adj_data" in gnn-benchmark, "adj_matrix.data" in
// the files of its authors' other repositories.
std::optional<std::string> find_prefix(const NpzArchive& archive, const std::string& name) {
  for (const std::string& prefix : {name + "_", name + "_matrix."}) {
    if (archive.has(prefix + "indptr")) return prefix;
  }
  return std::nullopt;
}

std::vector<int64_t> read_list(NpzArchive& archive, const std::string& key) {
  const NpyArray array = archive.read(key);
  const bool column = array.shape.size() == 2 && array.shape[1] == 1;
  if (array.shape.size() != 1 && !column) bad_field(archive.file(), key, "has {} axes, want 1", array.shape.size());
  return integers(array);
}

RawRows read_rows(NpzArchive& archive, const std::string& prefix) {
  const std::vector<int64_t> shape = read_list(archive, prefix + "shape");
  if (shape.size() != 2) bad_field(archive.file(), prefix + "shape", "has {} values, want 2", shape.size());
  RawRows raw;
  raw.offsets_field = prefix + "indptr";
  raw.indices_field = prefix + "indices";
  raw.values_field = prefix + "data";
  raw.rows = checked_nodes(archive.file(), prefix + "shape", shape[0]);
  raw.cols = shape[1];
  if (raw.cols < 1 || raw.cols > INT32_MAX) {
    bad_field(archive.file(), prefix + "shape", "{} columns are out of range, want 1 to {}", raw.cols, INT32_MAX);
  }
  raw.offsets = read_list(archive, raw.offsets_field);
  raw.indices = read_list(archive, raw.indices_field);
  if (archive.has(raw.values_field)) {
    raw.values = floats(archive.read(raw.values_field));
    if (raw.values.size() != raw.indices.size()) {
      bad_field(archive.file(), raw.values_field, "has {} values, but {} has {}", raw.values.size(), raw.indices_field,
                raw.indices.size());
    }
  }
  return raw;
}

graph::Features read_features(NpzArchive& archive, int64_t nodes) {
  if (const auto prefix = find_prefix(archive, "attr")) {
    RawRows raw = read_rows(archive, *prefix);
    if (raw.rows != nodes) bad_field(archive.file(), *prefix + "shape", "has {} rows for {} nodes", raw.rows, nodes);
    return checked_sparse(archive.file(), std::move(raw));
  }
  if (!archive.has("attr_matrix")) {
    bad_field(archive.file(), "attr_matrix", "the features are missing: neither attr_indptr nor attr_matrix is there");
  }
  const NpyArray array = archive.read("attr_matrix");
  if (array.shape.size() != 2 || array.shape[0] != nodes || array.shape[1] < 1) {
    bad_field(archive.file(), array.key, "want 2 axes, {} rows and at least 1 column", nodes);
  }
  return {array.shape[0], array.shape[1], floats(array)};
}

// A part of the split as ids ("idx_train") or as a mask ("train_mask").
std::optional<std::vector<int32_t>> read_part(NpzArchive& archive, const std::string& name, int64_t nodes) {
  if (archive.has("idx_" + name)) {
    return checked_part(archive.file(), "idx_" + name, read_list(archive, "idx_" + name), nodes);
  }
  const std::string key = name + "_mask";
  if (!archive.has(key)) return std::nullopt;
  const std::vector<int64_t> mask = read_list(archive, key);
  if (static_cast<int64_t>(mask.size()) != nodes) {
    bad_field(archive.file(), key, "has {} values for {} nodes", mask.size(), nodes);
  }
  std::vector<int32_t> part;
  for (int64_t v = 0; v < nodes; ++v) {
    if (mask[v] != 0 && mask[v] != 1) bad_row(archive.file(), key, v, "is {}, want 0 or 1", mask[v]);
    if (mask[v] == 1) part.push_back(static_cast<int32_t>(v));
  }
  return part;
}

std::optional<graph::Split> read_split(NpzArchive& archive, int64_t nodes) {
  auto train = read_part(archive, "train", nodes);
  if (!train) return std::nullopt;
  graph::Split split{std::move(*train), read_part(archive, "val", nodes).value_or(std::vector<int32_t>()),
                     read_part(archive, "test", nodes).value_or(std::vector<int32_t>())};
  check_disjoint(archive.file(), split, nodes);
  return split;
}

}  // namespace

graph::Dataset read_npz(const std::string& path) {
  NpzArchive archive(path);
  const std::string prefix = find_prefix(archive, "adj").value_or("adj_");
  RawRows rows = read_rows(archive, prefix);
  if (rows.rows != rows.cols) bad_field(path, prefix + "shape", "is {} x {}, want a square", rows.rows, rows.cols);

  graph::Dataset dataset;
  dataset.name = std::filesystem::path(path).stem().string();
  dataset.graph = checked_graph(path, std::move(rows), dataset.cleanup);
  dataset.features = read_features(archive, dataset.nodes());
  set_labels(path, "labels", read_list(archive, "labels"), dataset);
  dataset.split = read_split(archive, dataset.nodes());
  if (archive.has("found_in_data")) {
    const std::vector<int64_t> codes = read_list(archive, "found_in_data");
    dataset.found_in_data = checked_lines(path, "found_in_data", std::string(codes.begin(), codes.end()));
  }
  return dataset;
}

}  // namespace graphveil::files
