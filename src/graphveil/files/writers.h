// One writer per file layout that we write. The file appears complete or not at all. Throws Io.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "graphveil/graph/dataset.h"

namespace graphveil::files {

// A node without a label gets -1. Ids, names and schema stay behind: write .gvg to keep them.
void write_npz(const graph::Dataset& dataset, const std::string& path);
// `entities`: the number of the person that each node is; empty: every node is one.
void write_gvg(const graph::Dataset& dataset, const std::string& path, std::span<const int32_t> entities = {});
// One file for each of several ranks, with the edges, features and ids of the rows from cuts[r] up to cuts[r + 1], and
// all else of all rows: graph/dataset.h, HeldRows. None of them appears before all are written. Nobody may read them
// whom `permissions` leave out.
void write_gvg_parts(const graph::Dataset& dataset, std::span<const int32_t> entities,
                     std::span<const std::string> paths, std::span<const int64_t> cuts,
                     const std::array<std::string, 4>& fingerprint, std::filesystem::perms permissions);

}  // namespace graphveil::files
