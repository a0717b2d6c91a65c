#include "graphveil/files/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>

#include "graphveil/base/large_memory.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/ranks.h"
#include "graphveil/files/bad_input.h"

namespace graphveil::files {
namespace {

constexpr int64_t kReadPiece = int64_t{1} << 22;  // bytes that one thread reads at a time

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

struct stat status_of(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(ErrorKind::Io, "{}: {}", path, std::strerror(errno));
  return status;
}

// Whether all of [begin, end) could be read.
bool read_piece(int file, char* memory, int64_t begin, int64_t end) {
  while (begin < end) {
    const ssize_t got = ::pread(file, memory + begin, static_cast<size_t>(end - begin), begin);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    begin += got;
  }
  return true;
}

struct Room {
  void* memory;
  std::shared_ptr<const void> owner;
};

Room room_for(const std::string& path, size_t bytes) {
  if (void* const large = allocate_large(bytes)) {
    return {large, {large, [](const void* p) { free_large(const_cast<void*>(p)); }}};
  }
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(ErrorKind::Io, "{}: no memory for its {} bytes", path, bytes);
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // fewer faults; no harm where it is refused
  return {memory, {memory, [bytes](const void* p) { ::munmap(const_cast<void*>(p), bytes); }}};
}

// The pages that nobody looks at are never read.
SharedArray<std::byte> mapped(const Descriptor& file, const std::string& path, size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) fail(ErrorKind::Io, "{}: cannot be mapped: {}", path, std::strerror(errno));
  return {{static_cast<const std::byte*>(memory), bytes},
          std::shared_ptr<const void>(memory, [bytes](const void* p) { ::munmap(const_cast<void*>(p), bytes); })};
}

}  // namespace

SharedArray<std::byte> file_bytes(const std::string& path, int64_t most) {
  // Without O_NONBLOCK a named pipe would keep us waiting for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(ErrorKind::Io, "{}: cannot be opened: {}", path, std::strerror(errno));
  const struct stat before = status_of(file, path);
  if (!S_ISREG(before.st_mode)) fail(ErrorKind::Io, "{}: not a regular file", path);
  if (before.st_size == 0) bad_file(path, "the file is empty");

  const auto bytes = static_cast<size_t>(std::min<int64_t>(before.st_size, most));
  if (current_ranks() != nullptr) return mapped(file, path, bytes);
  const auto [memory, owner] = room_for(path, bytes);
  std::atomic<bool> whole{true};
  parallel_for(static_cast<int64_t>(bytes), kReadPiece, [&](int64_t begin, int64_t end) {
    if (!read_piece(file.get(), static_cast<char*>(memory), begin, end)) whole = false;
  });
  const struct stat after = status_of(file, path);
  const bool same = before.st_size == after.st_size && before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                    before.st_mtim.tv_nsec == after.st_mtim.tv_nsec;
  if (!whole || !same) fail(ErrorKind::Io, "{}: cannot be read, or was changed while it was read", path);
  return {{static_cast<const std::byte*>(memory), bytes}, owner};
}

}  // namespace graphveil::files
