// Makes the parts of a Dataset from arrays as a file holds them. Every function names the field and row at fault.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// A compressed-row matrix as read: any order within rows.
struct RawRows {
  std::string offsets_field, indices_field, values_field;  // for messages
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<int64_t> offsets;
  std::vector<int64_t> indices;
  std::vector<float> values;  // empty: all 1
};

// Number of nodes from a file: 1 to kMaxNodes.
int64_t checked_nodes(const std::string& file, const std::string& field, int64_t nodes);

// Row u lists the targets of u. Entries of weight 0 are no edges; `cleanup` counts what was left out.
graph::Graph checked_graph(const std::string& file, RawRows rows, graph::EdgeCleanup& cleanup);

// Rows are sorted; a column twice in a row is refused. All-one values are dropped.
SparseMatrix checked_sparse(const std::string& file, RawRows rows);

// `width` values a row. Throws for NaN or infinite ones.
void check_finite(const std::string& file, const std::string& field, std::span<const float> values, int64_t width,
                  int64_t first_row = 0);

// What found_in_data says where no file declares the classes.
inline constexpr const char* kClassesOfLabels = "the number of classes (the largest label)";

// Fills labels and classes (the largest label + 1), which found_in_data then tells. Labels lie in [0, nodes): there
// cannot be more classes. -1 is no label.
void set_labels(const std::string& file, const std::string& field, std::span<const int64_t> labels,
                graph::Dataset& dataset);

// One part of a split: node ids in any order, none twice.
std::vector<int32_t> checked_part(const std::string& file, const std::string& field, std::span<const int64_t> ids,
                                  int64_t nodes);

// Short lines of printable text, as found_in_data wants them, and back: what files/ writes as one text.
std::vector<std::string> checked_lines(const std::string& file, const std::string& field, std::string_view text);
std::string joined_lines(std::span<const std::string> lines);

// The parts may not share a node.
void check_disjoint(const std::string& file, const graph::Split& split, int64_t nodes);

}  // namespace graphveil::files
