// How sparse products walk over a matrix that does not fit a cache, in tiles of its rows.
#pragma once

#include <cstdint>

#include "graphveil/base/sparse_matrix.h"

namespace graphveil::kernels {

// Columns of x that one sweep of a tiled product takes.
inline constexpr int64_t kTileWidth = 64;
// A tile of x, with some room for output and indices, should stay in the inner cache (1 MB a core is common).
inline constexpr int64_t kTileBytes = 768 * 1024;
// Up to this size the outer cache holds x, and a plain sweep that looks ahead is as fast.
inline constexpr int64_t kOuterCacheBytes = 12 * 1024 * 1024;
// Rows of the output that share one walk over the tiles.
inline constexpr int64_t kTiledRows = 8192;

inline int64_t mean_entries(const SparseView& a) { return a.rows > 0 ? a.entries() / a.rows + 1 : 1; }

}  // namespace graphveil::kernels
