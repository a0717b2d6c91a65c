#include "graphveil/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "graphveil/files/bad_input.h"

namespace graphveil::files {
namespace {

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

}  // namespace

SharedArray<std::byte> map_file(const std::string& path) {
  // Without O_NONBLOCK a named pipe would keep us waiting for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(ErrorKind::Io, "{}: cannot be opened: {}", path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(ErrorKind::Io, "{}: {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(ErrorKind::Io, "{}: not a regular file", path);
  if (status.st_size == 0) bad_file(path, "the file is empty");

  const auto bytes = static_cast<size_t>(status.st_size);
  void* memory = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) fail(ErrorKind::Io, "{}: cannot be mapped: {}", path, std::strerror(errno));
  std::shared_ptr<const void> owner(memory, [bytes](const void* p) { ::munmap(const_cast<void*>(p), bytes); });
  return {{static_cast<const std::byte*>(memory), bytes}, std::move(owner)};
}

}  // namespace graphveil::files
