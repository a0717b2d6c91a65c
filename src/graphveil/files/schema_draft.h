// A first schema for two tables, from their headers and the values that occur, for somebody to edit.
#pragma once

#include <string>
#include <vector>

#include "graphveil/files/schema.h"

namespace graphveil::files {

// What the user knows; empty: found by name, else by place.
struct DraftWishes {
  std::string id{}, label{}, source{}, target{}, entity{};
  std::vector<double> label_bins{};  // the label is a number, cut into classes here
  bool nodes_header = true, edges_header = true;
  bool no_label = false;  // nothing is to be predicted with these tables: do not ask
};

// The draft is not declared public: it has seen the data. Ranges are widened to round numbers. Columns that look like
// names, free text, addresses or keys are left out with the reason. Cells that are not like the rest of their column go
// to the notes. Throws BadInput, naming the file and the column; so it does where no column is to be predicted, where
// the two tables look swapped, and where no edge joins two nodes.
Schema draft_schema(const std::string& nodes_path, const std::string& edges_path, const DraftWishes& wishes);

// The schema as a file that parse_schema reads, with remarks for its editor.
std::string schema_toml(const Schema& schema);

}  // namespace graphveil::files
