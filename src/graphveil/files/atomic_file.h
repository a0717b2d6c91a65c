// Writing a file so that its name never shows half of it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "graphveil/base/unfinished_path.h"

namespace graphveil::files {

// Writes go to a temporary file beside `path`; commit() flushes it to disk and gives it its name. Without
// commit (say after an exception) the temporary file is removed and `path` stays as it was. One that a killed process
// left is removed by the next that writes to the same path; it is locked while its writer lives. Throws Io.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  // Beside that: over what is at `offset`, or beyond the end. Moves no position.
  void write_at(int64_t offset, std::span<const std::byte> bytes);
  // Sets aside room on the disk, so that a full one is found out before the work. What is not written is given back.
  void reserve(int64_t bytes);
  // Zero bytes up to a position that is a multiple of `alignment`.
  void pad_to(int64_t alignment);
  int64_t position() const { return position_; }
  // `mode` is what everybody may do with the file, less what the umask forbids.
  void commit(mode_t mode = 0666);

 private:
  std::string path_;
  std::string temporary_;
  std::optional<UnfinishedPath> unfinished_;  // the temporary file, should a signal end the process
  int fd_ = -1;
  int64_t position_ = 0;
  int64_t begun_ = 0;  // before this the disk was told to begin
  bool reserved_ = false;
  bool committed_ = false;
};

}  // namespace graphveil::files
