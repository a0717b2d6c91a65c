// One writer per file layout that we write. The file appears complete or not at all. Throws Io.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// A node without a label gets -1. Ids, names and schema stay behind: write .gvg to keep them.
void write_npz(const graph::Dataset& dataset, const std::string& path);
// `entities`: the number of the person that each node is; empty: every node is one.
void write_gvg(const graph::Dataset& dataset, const std::string& path, std::span<const int32_t> entities = {});

}  // namespace graphveil::files
