#include "graphveil/base/scratch_file.h"

#include <fcntl.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "graphveil/base/large_memory.h"

namespace graphveil {
namespace {

constexpr long kTmpfs = 0x01021994, kRamfs = 0x858458f6;  // file systems that lie in memory themselves

// A sentence that outlives the exception that speaks it: there may be no memory to copy it.
char scratch_sentence[512] = "the scratch folder cannot hold an array";

[[noreturn]] void scratch_fails(const std::string& sentence) {
  std::strncpy(scratch_sentence, sentence.c_str(), sizeof scratch_sentence - 1);
  throw ScratchError();
}

}  // namespace

const char* ScratchError::what() const noexcept { return scratch_sentence; }

int open_scratch_file(const std::string& folder, int64_t bytes) {
  struct statfs disk {};
  if (::statfs(folder.c_str(), &disk) != 0) {
    scratch_fails(
        fmt::format("{}: no scratch folder: {}; give --scratch a folder on a disk", folder, std::strerror(errno)));
  }
  if (disk.f_type == kTmpfs || disk.f_type == kRamfs) {
    scratch_fails(fmt::format("{}: lies in memory itself; give --scratch a folder on a disk", folder));
  }
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {
    std::string name = folder + "/graphveil-XXXXXX";
    file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) ::unlink(name.c_str());
  }
  if (file < 0) {
    scratch_fails(fmt::format("{}: no scratch file can be made: {}; give --scratch another folder", folder,
                              std::strerror(errno)));
  }
  if (const int error = ::posix_fallocate(file, 0, bytes); error != 0) {
    ::close(file);
    scratch_fails(
        fmt::format("{}: no room for an array of {} MB: {}; free some, or give --scratch another folder (the "
                    "size speaks of the data: this is for their holder alone)",
                    folder, bytes >> 20, std::strerror(error)));
  }
  return file;
}

}  // namespace graphveil
