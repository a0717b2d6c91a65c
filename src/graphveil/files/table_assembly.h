// What importing does with the rows of two tables, whatever they are written in: each row is checked, counted and kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphveil/files/feature_encoder.h"
#include "graphveil/files/id_table.h"
#include "graphveil/files/table_import.h"

namespace graphveil::files {

// Where the columns that a schema names stand among those of a nodes' table.
struct NodeColumns {
  size_t id = 0;
  std::optional<size_t> label;   // none: the table has no such column
  std::optional<size_t> person;  // none: the schema names none
  std::vector<size_t> features;
};

// Finds them, and notes in `counts` which columns nobody asked for. Throws BadInput naming `file` when one is missing.
NodeColumns node_columns(const Schema& schema, std::span<const std::string> names, const std::string& file,
                         ImportCounts& counts);
// The place of a column. Throws BadInput, with what may have been meant, when there is none.
size_t column_place(std::span<const std::string> names, const std::string& name, const std::string& file);

// A part of the edges' table, by itself, so that parts can be read side by side.
struct EdgePart {
  std::vector<int32_t> sources, targets;  // rows of the nodes' table
  int64_t rows = 0, blank_lines = 0, dangling = 0, light = 0;
  IdTable strangers;  // ids that are no node's

  // One row. `weight` is read where the schema has one. Throws InvalidArgument for a weight that is no number.
  void add(const Schema& schema, const IdTable& ids, std::string_view source, std::string_view target,
           std::string_view weight);
};

// Collects both tables, the nodes' first.
class TableAssembly {
 public:
  // `schema` must outlive this.
  explicit TableAssembly(const Schema& schema) : schema_(schema), encoder_(schema) {}

  ImportCounts& counts() { return counts_; }
  const IdTable& ids() const { return ids_; }
  int64_t nodes() const { return encoder_.rows(); }

  // One node. No label: the table has no column of labels. `person`: whose node it is, where the schema has a column
  // for that. Throws InvalidArgument, naming column and fix.
  void add_node(std::string_view id, const std::optional<std::string_view>& label,
                const std::vector<std::string_view>& cells,
                const std::optional<std::string_view>& person = std::nullopt);
  // Call when all nodes are there, before any edge.
  void finish_nodes(const std::string& file);
  void add_edges(EdgePart part);

  // The graph. `name` is its name, `edges_file` stands in messages.
  Imported finish(const std::string& name, const std::string& edges_file);

 private:
  int32_t label_of(std::string_view cell);
  int32_t person_of(std::string_view cell);

  const Schema& schema_;
  IdTable ids_;
  std::vector<int32_t> labels_;
  IdTable names_;                    // of people
  std::vector<int32_t> first_rows_;  // of each name
  std::vector<int32_t> people_;      // the row of the first node of the same person
  FeatureEncoder encoder_;
  ImportCounts counts_;
  std::vector<int32_t> order_, rank_;  // of the nodes by their ids
  std::vector<int32_t> sources_, targets_;
  IdTable strangers_;
};

}  // namespace graphveil::files
