// What the .npz layouts share: lists, labels and splits by key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/files/npz_archive.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// Whole numbers along one axis (or a column).
std::vector<int64_t> read_list(NpzArchive& archive, const std::string& key);

// Reads a list of labels, where NaN stands for one that is missing (-1).
std::vector<int64_t> read_label_list(NpzArchive& archive, const std::string& key);

// Dense features with a row for each node.
graph::Features read_dense(NpzArchive& archive, const std::string& key, int64_t nodes);

// Reads a split by ids ("idx_train") or masks ("train_mask", or the first row of "train_masks"); none when nobody
// trains by it.
std::optional<graph::Split> read_split(NpzArchive& archive, int64_t nodes);

// The layout that PyG and DGL users save: `edge_index` (2 x edges, or edges x 2), `x`, `y`. Or that of the
// heterophilous benchmarks: `edges` (one row per undirected pair), `node_features`, `node_labels`.
bool is_edge_list_npz(const NpzArchive& archive);
graph::Dataset read_edge_list_npz(NpzArchive& archive);

}  // namespace graphveil::files
