#include "graphveil/files/npz_fields.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/label_bins.h"

namespace graphveil::files {
namespace {

// A part of the split as ids ("idx_train") or as a mask ("train_mask").
std::optional<std::vector<int32_t>> read_part(NpzArchive& archive, const std::string& name, int64_t nodes) {
  if (archive.has("idx_" + name)) {
    return checked_part(archive.file(), "idx_" + name, read_list(archive, "idx_" + name), nodes);
  }
  const std::string key = archive.has(name + "_masks") ? name + "_masks" : name + "_mask";
  if (!archive.has(key)) return std::nullopt;
  const NpyArray array = archive.read(key);
  // Of several splits, one a row or one a column, the first is taken.
  const bool one_a_column = array.shape.size() == 2 && array.shape[0] == nodes;
  const int64_t each = array.shape.size() == 2 && !one_a_column ? array.shape[1]
                       : array.size() > 0                       ? array.shape[0]
                                                                : 0;
  if (each != nodes || array.size() < nodes) {
    bad_field(archive.file(), key, "has {} values for {} nodes", std::min(each, array.size()), nodes);
  }
  const int64_t step = one_a_column ? array.shape[1] : 1;
  const std::vector<int64_t> mask = integers(array);
  std::vector<int32_t> part;
  for (int64_t v = 0; v < nodes; ++v) {
    const int64_t in = mask[v * step];
    if (in != 0 && in != 1) bad_row(archive.file(), key, v, "is {}, want 0 or 1", in);
    if (in == 1) part.push_back(static_cast<int32_t>(v));
  }
  return part;
}

// Ends of edges, from an array with an axis of length 2.
void read_ends(NpzArchive& archive, const std::string& key, int64_t nodes, std::vector<int32_t>& sources,
               std::vector<int32_t>& targets) {
  const NpyArray array = archive.read(key);
  if (array.shape.size() != 2 || (array.shape[0] != 2 && array.shape[1] != 2)) {
    bad_field(archive.file(), key, "want 2 axes, one of length 2");
  }
  // With two edges both readings fit: edge_index of PyG has a row of sources and one of targets.
  const bool rows_of_ends = array.shape[0] == 2 && (array.shape[1] != 2 || key == "edge_index");
  const std::vector<int64_t> ends = integers(array);
  const int64_t edges = array.size() / 2;
  for (int64_t i = 0; i < array.size(); ++i) {
    if (ends[i] < 0 || ends[i] >= nodes) {
      bad_row(archive.file(), key, rows_of_ends ? i % edges : i / 2, "node {} is out of range, want 0 to {}", ends[i],
              nodes - 1);
    }
    const bool source = rows_of_ends ? i < edges : i % 2 == 0;
    (source ? sources : targets).push_back(static_cast<int32_t>(ends[i]));
  }
}

}  // namespace

std::vector<int64_t> read_list(NpzArchive& archive, const std::string& key) {
  const NpyArray array = archive.read(key);
  const bool column = array.shape.size() == 2 && array.shape[1] == 1;
  if (array.shape.size() != 1 && !column) bad_field(archive.file(), key, "has {} axes, want 1", array.shape.size());
  return integers(array);
}

std::vector<int64_t> read_label_list(NpzArchive& archive, const std::string& key) {
  NpyArray array = archive.read(key);
  const bool column = array.shape.size() == 2 && array.shape[1] == 1;
  if (array.shape.size() == 2 && !column) {
    bad_field(archive.file(), key, "has 2 axes and {} labels a node, want one: keep one of the columns in a file",
              array.shape[1]);
  }
  if (array.shape.size() != 1 && !column) bad_field(archive.file(), key, "has {} axes, want 1", array.shape.size());
  const auto missing_to_minus_one = [&]<typename T>(T minus_one) {
    for (size_t at = array.values_at; at + sizeof(T) <= array.bytes.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, array.bytes.data() + at, sizeof(T));
      if (std::isnan(value)) std::memcpy(array.bytes.data() + at, &minus_one, sizeof(T));
    }
  };
  if (array.kind == 'f' && array.item_bytes == 4) missing_to_minus_one(-1.0f);
  if (array.kind == 'f' && array.item_bytes == 8) missing_to_minus_one(-1.0);
  try {
    return integers(array);
  } catch (const Error& error) {
    if (array.kind != 'f') throw;
    fail(ErrorKind::BadInput, "{}; {}", error.what(), bins_advice(""));
  }
}

graph::Features read_dense(NpzArchive& archive, const std::string& key, int64_t nodes) {
  const NpyArray array = archive.read(key);
  if (array.shape.size() != 2 || array.shape[0] != nodes || array.shape[1] < 1) {
    bad_field(archive.file(), key, "want 2 axes, {} rows and at least 1 column", nodes);
  }
  return {array.shape[0], array.shape[1], floats(array)};
}

std::optional<graph::Split> read_split(NpzArchive& archive, int64_t nodes) {
  auto train = read_part(archive, "train", nodes);
  if (!train) return std::nullopt;
  graph::Split split{std::move(*train), read_part(archive, "val", nodes).value_or(std::vector<int32_t>()),
                     read_part(archive, "test", nodes).value_or(std::vector<int32_t>())};
  check_disjoint(archive.file(), split, nodes);
  return split;
}

bool is_edge_list_npz(const NpzArchive& archive) {
  return archive.has("edge_index") || (archive.has("edges") && archive.has("node_features"));
}

graph::Dataset read_edge_list_npz(NpzArchive& archive) {
  const std::string& file = archive.file();
  const bool pyg = archive.has("edge_index");
  const std::string labels_key = pyg ? "y" : "node_labels";
  const std::vector<int64_t> labels = read_label_list(archive, labels_key);
  const int64_t nodes = checked_nodes(file, labels_key, static_cast<int64_t>(labels.size()));
  std::vector<int32_t> sources, targets;
  read_ends(archive, pyg ? "edge_index" : "edges", nodes, sources, targets);
  graph::Dataset dataset;
  dataset.name = std::filesystem::path(file).stem().string();
  dataset.graph = pyg ? graph::Graph::from_edges(nodes, sources, targets, &dataset.cleanup)
                      : graph::Graph::from_undirected_edges(nodes, sources, targets, &dataset.cleanup);
  for (const char* weights : {"edge_weight", "edge_attr"}) dataset.cleanup.weights_ignored |= archive.has(weights);
  dataset.features = read_dense(archive, pyg ? "x" : "node_features", nodes);
  set_labels(file, labels_key, labels, dataset);
  dataset.split = read_split(archive, nodes);
  return dataset;
}

}  // namespace graphveil::files
