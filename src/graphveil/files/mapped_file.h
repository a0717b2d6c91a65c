// A file as an array of bytes, mapped rather than read.
#pragma once

#include <cstddef>
#include <string>

#include "graphveil/base/shared_array.h"

namespace graphveil::files {

// Read-only; the mapping lives as long as a copy of the array. Throws Io when the path cannot be opened or is
// not a regular file, BadInput when the file is empty. A file that another program shortens while it is
// mapped is the one accident that this cannot survive.
SharedArray<std::byte> map_file(const std::string& path);

}  // namespace graphveil::files
