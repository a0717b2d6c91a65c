// A graph from two tables of one's own, as a schema says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/files/feature_encoder.h"
#include "graphveil/files/schema.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// What was not as one would expect, and was taken care of. Counts of private records: for the holder, never released.
struct ImportCounts {
  int64_t node_rows = 0;
  int64_t edge_rows = 0;
  int64_t blank_lines = 0;                    // of both tables, passed over
  int64_t duplicate_ids = 0;                  // rows whose id was there before: left out
  int64_t missing_labels = 0;                 // such nodes take part without a label
  bool label_column = true;                   // false: the table has none, as of people who are only predicted on
  int64_t unknown_classes = 0;                // the same, for labels that are no declared class
  int64_t dangling_edges = 0;                 // rows with an end that is no node: left out
  int64_t ids_only_in_edges = 0;              // those ends, each counted once
  int64_t light_edges = 0;                    // rows whose weight is less than keep_from: left out
  std::vector<CellCounts> features{};         // by feature of the schema
  std::vector<std::string> unused_columns{};  // of the nodes' table
};

struct Imported {
  graph::Dataset dataset;
  ImportCounts counts;
  std::vector<int32_t> entities{};  // the number of the person that each node is; empty: the schema names no column
};

// Nodes are numbered by their ids, shorter ones first and then by letter, so that the order tells nothing that the ids
// do not; a table's own order is forgotten. Throws BadInput naming file, line and column.
//
// The schema of the result is the schema's text when it is declared public; a draft gives lines of found_in_data
// instead.
Imported import_tables(const Schema& schema, const std::string& nodes_path, const std::string& edges_path);

// One line for each kind of oddity that occurred: what --strict refuses.
std::vector<std::string> oddities(const ImportCounts& counts, const Schema& schema);

// One line for each column of numbers of which nine in ten lie in less than a fifth of what was declared: such a column
// is nearly the same for everybody, and noise hides what is left. About private records: for the holder.
std::vector<std::string> wide_ranges(const ImportCounts& counts, const Schema& schema);

}  // namespace graphveil::files
