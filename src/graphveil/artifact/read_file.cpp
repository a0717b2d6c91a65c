#include "graphveil/artifact/read_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "graphveil/base/error.h"

namespace graphveil::artifact {

std::vector<uint8_t> read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    fail(ErrorKind::Io, "{}: is not a regular file", path);
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::Io, "{}: cannot be opened", path);
  std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) fail(ErrorKind::Io, "{}: cannot be read", path);
  return bytes;
}

std::string read_text(const std::string& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

std::optional<std::vector<uint8_t>> read_if_there(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    if (error) fail(ErrorKind::Io, "{}: cannot be read: {}", path, error.message());
    return std::nullopt;
  }
  return read_file(path);
}

}  // namespace graphveil::artifact
