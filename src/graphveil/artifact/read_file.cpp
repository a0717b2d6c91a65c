#include "graphveil/artifact/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

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

SecretText read_secret(const std::string& path) {
  constexpr off_t kMostBytes = 1 << 20;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat found {};
  if (file < 0 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size > kMostBytes) {
    if (file >= 0) close(file);
    fail(ErrorKind::Io, "{}: {}", path, file < 0 ? "cannot be opened" : "is not a regular file of the size of a key");
  }
  std::string text(static_cast<size_t>(found.st_size), '\0');
  size_t have = 0;
  ssize_t got = 1;
  while (have < text.size() && got > 0) {
    got = ::read(file, text.data() + have, text.size() - have);
    if (got > 0) have += static_cast<size_t>(got);
  }
  close(file);
  if (have < text.size()) {
    wipe(text);
    fail(ErrorKind::Io, "{}: cannot be read", path);
  }
  return SecretText(std::move(text));
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
