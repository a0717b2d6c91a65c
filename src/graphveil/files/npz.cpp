// .npz. Here the layout of gnn-benchmark: adjacency and features as compressed rows (or dense features), one label per
// node.
#include <filesystem>
#include <optional>
#include <utility>

#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/npz_archive.h"
#include "graphveil/files/npz_fields.h"
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
  return read_dense(archive, "attr_matrix", nodes);
}

}  // namespace

graph::Dataset read_npz(const std::string& path) {
  NpzArchive archive(path);
  if (is_edge_list_npz(archive)) return read_edge_list_npz(archive);
  const std::string prefix = find_prefix(archive, "adj").value_or("adj_");
  RawRows rows = read_rows(archive, prefix);
  if (rows.rows != rows.cols) bad_field(path, prefix + "shape", "is {} x {}, want a square", rows.rows, rows.cols);

  graph::Dataset dataset;
  dataset.name = std::filesystem::path(path).stem().string();
  dataset.graph = checked_graph(path, std::move(rows), dataset.cleanup);
  dataset.features = read_features(archive, dataset.nodes());
  set_labels(path, "labels", read_label_list(archive, "labels"), dataset);
  dataset.split = read_split(archive, dataset.nodes());
  if (archive.has("found_in_data")) {
    const std::vector<int64_t> codes = read_list(archive, "found_in_data");
    for (std::string& line : checked_lines(path, "found_in_data", std::string(codes.begin(), codes.end()))) {
      if (line != kClassesOfLabels) dataset.found_in_data.push_back(std::move(line));
    }
  }
  return dataset;
}

}  // namespace graphveil::files
