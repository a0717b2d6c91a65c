// Files for arrays that do not fit into memory (base/large_memory.h).
#pragma once

#include <cstdint>
#include <string>

namespace graphveil {

// Opens a file without a name, for this process alone, with all of its blocks: a full disk is found out here, not by a
// signal when a page is written. The caller closes it. Throws ScratchError when the folder is not there, lies in memory
// itself or has no room.
int open_scratch_file(const std::string& folder, int64_t bytes);

}  // namespace graphveil
