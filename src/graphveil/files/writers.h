// One writer per file layout that we write. The file appears complete or not at all. Throws Io.
#pragma once

#include <string>

#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// Throws InvalidArgument when a node has no label: the layout has no way to say so.
void write_npz(const graph::Dataset& dataset, const std::string& path);
void write_gvg(const graph::Dataset& dataset, const std::string& path);

}  // namespace graphveil::files
