// Whole files as bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/base/secret.h"

namespace graphveil::artifact {

// Throws Io when it cannot be read.
std::vector<uint8_t> read_file(const std::string& path);
std::string read_text(const std::string& path);
// A key: read into one place, of which nothing is left afterwards. Throws Io, also for one of more than a megabyte.
SecretText read_secret(const std::string& path);
// Nothing when there is no such file. Throws Io when that cannot be told.
std::optional<std::vector<uint8_t>> read_if_there(const std::string& path);

}  // namespace graphveil::artifact
