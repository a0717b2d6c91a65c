// One reader per file layout. Each returns a checked Dataset or throws BadInput (Io when the path cannot be read)
// with one line that names file, field and row. See docs/formats.md for the layouts.
#pragma once

#include <string>

#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// The column of a Facebook100 file that becomes the label.
enum class FacebookTarget { Status, Gender, Major, Minor, Housing, Year, HighSchool };

graph::Dataset read_npz(const std::string& path);
graph::Dataset read_facebook100(const std::string& path, FacebookTarget target);
graph::Dataset read_ogb(const std::string& folder);
graph::Dataset read_csv(const std::string& folder);
graph::Dataset read_matrix_market_folder(const std::string& folder);
graph::Dataset read_gvg(const std::string& path);
// The number of the person that each node is; none: the file says nothing of people. No part of a Dataset: no method
// has a use for it, and whose nodes are one person is the holder's to know.
std::optional<std::vector<int32_t>> read_gvg_entities(const std::string& path);

}  // namespace graphveil::files
