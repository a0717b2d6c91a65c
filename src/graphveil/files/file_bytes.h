// A file's bytes in memory of our own: whatever happens to the file afterwards, what was checked is what is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "graphveil/base/shared_array.h"

namespace graphveil::files {

// The first `most` bytes, aligned to a page. Not a mapping of the file: another program that shortens or changes a
// mapped file ends the process, or changes numbers that were checked. Throws Io when the path cannot be opened, is not
// a regular file, or changes while it is read; BadInput when the file is empty. Several ranks, each of which wants a
// part of a file, do map it: what one of them uses it copies and checks (graph/own_rows.h), and a file that is cut
// short ends them all, with nothing written.
SharedArray<std::byte> file_bytes(const std::string& path, int64_t most = INT64_MAX);

}  // namespace graphveil::files
