#include "graphveil/base/large_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "graphveil/base/error.h"

namespace graphveil {
namespace {

constexpr int64_t kSmallestLimit = int64_t{64} << 20;
constexpr int64_t kPage = 4096;
constexpr int64_t kLargestSmall = int64_t{32} << 20, kLimitOverSmall = 64;  // what is large, and at a small limit
constexpr double kOrdinaryShare = 0.5;  // of the limit: what large arrays may have in ordinary memory
constexpr double kTrimTo = 0.6;         // of the limit
constexpr int64_t kTrimPiece = int64_t{64} << 20;
constexpr auto kLook = std::chrono::milliseconds(1);
constexpr long kTmpfs = 0x01021994, kRamfs = 0x858458f6;  // file systems that lie in memory themselves

// Read by every allocation of the program, the first ones of a process included: nothing is made to look at them.
constinit std::atomic<size_t> large_from{SIZE_MAX};
constinit std::atomic<int64_t> arrays_there{0};

// A sentence that outlives the exception that speaks it: there may be no memory to copy it.
char scratch_sentence[512] = "the scratch folder cannot hold an array";

[[noreturn]] void scratch_fails(const std::string& sentence) {
  std::strncpy(scratch_sentence, sentence.c_str(), sizeof scratch_sentence - 1);
  throw ScratchError();
}

int64_t resident_bytes() {
  char text[128];
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (got <= 0) return 0;
  text[got] = 0;
  long size = 0, resident = 0;
  return std::sscanf(text, "%ld %ld", &size, &resident) == 2 ? int64_t{resident} * kPage : 0;
}

// A file without a name, for this process alone, with all of its blocks: a full disk is found out here, not by a
// signal when a page is written.
int scratch_file(const std::string& folder, int64_t bytes) {
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
    scratch_fails(fmt::format("{}: no room for an array of {} MB: {}; free some, or give --scratch another folder",
                              folder, bytes >> 20, std::strerror(error)));
  }
  return file;
}

class LargeMemory {
 public:
  // Never destroyed: arrays of static objects are freed after everything else.
  static LargeMemory& instance() {
    static auto* const memory = new LargeMemory;
    return *memory;
  }

  void limit(int64_t bytes, std::string folder) {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
    folder_ = std::move(folder);
    large_from.store(static_cast<size_t>(std::min(kLargestSmall, bytes / kLimitOverSmall)), std::memory_order_release);
  }

  LargeMemoryUse use() {
    const std::lock_guard lock(mutex_);
    return use_;
  }

  void* allocate(size_t wanted) {
    const auto bytes = static_cast<int64_t>((wanted + kPage - 1) / kPage * kPage);
    const std::lock_guard lock(mutex_);
    const bool ordinary =
        static_cast<double>(use_.ordinary_bytes + bytes) <= kOrdinaryShare * static_cast<double>(limit_);
    void* memory = MAP_FAILED;
    if (ordinary) {
      memory = ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory != MAP_FAILED) ::madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
    } else {
      const int file = scratch_file(folder_, bytes);
      // Shared: dropping a page drops this process's view of it, and the file keeps what was written.
      memory = ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      ::close(file);
    }
    if (memory == MAP_FAILED) throw std::bad_alloc();
    arrays_.emplace(reinterpret_cast<uintptr_t>(memory), Array{bytes, ordinary});
    (ordinary ? use_.ordinary_bytes : use_.scratch_bytes) += bytes;
    arrays_there.fetch_add(1, std::memory_order_release);
    if (!ordinary && !keeping_) {
      keeping_ = true;
      std::thread([this] { keep(); }).detach();
    }
    return memory;
  }

  bool free(void* memory) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = arrays_.find(reinterpret_cast<uintptr_t>(memory));
    if (found == arrays_.end()) return false;
    const Array array = found->second;
    ::munmap(memory, static_cast<size_t>(array.bytes));
    (array.ordinary ? use_.ordinary_bytes : use_.scratch_bytes) -= array.bytes;
    arrays_.erase(found);
    arrays_there.fetch_sub(1, std::memory_order_release);
    return true;
  }

 private:
  struct Array {
    int64_t bytes = 0;
    bool ordinary = true;
  };

  // Looks at what is resident as long as the process lives.
  void keep() {
    while (true) {
      std::this_thread::sleep_for(kLook);
      const std::lock_guard lock(mutex_);
      if (resident_bytes() > limit_) trim();
    }
  }

  // Drops pieces of the scratch arrays, one after the other and round again, until enough is gone or all was dropped.
  void trim() {
    const auto enough = static_cast<int64_t>(kTrimTo * static_cast<double>(limit_));
    for (int64_t left = use_.scratch_bytes; left > 0 && resident_bytes() > enough;) {
      auto at = arrays_.upper_bound(hand_);
      if (at != arrays_.begin()) {
        const auto before = std::prev(at);
        if (!before->second.ordinary && hand_ < before->first + static_cast<uintptr_t>(before->second.bytes))
          at = before;
      }
      while (at != arrays_.end() && at->second.ordinary) ++at;
      if (at == arrays_.end()) {
        if (hand_ == 0) return;
        hand_ = 0;
        continue;
      }
      const uintptr_t begin = std::max(hand_, at->first);
      const uintptr_t end = std::min(begin + kTrimPiece, at->first + static_cast<uintptr_t>(at->second.bytes));
      ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
      left -= static_cast<int64_t>(end - begin);
      hand_ = end;
    }
  }

  std::mutex mutex_;
  std::map<uintptr_t, Array> arrays_;
  LargeMemoryUse use_;
  std::string folder_;
  int64_t limit_ = 0;
  uintptr_t hand_ = 0;  // where the next piece to drop begins
  bool keeping_ = false;
};

}  // namespace

const char* ScratchError::what() const noexcept { return scratch_sentence; }

void limit_memory(int64_t bytes, std::string scratch_folder) {
  require(bytes >= kSmallestLimit, "a memory limit of {} bytes, want at least {}", bytes, kSmallestLimit);
  LargeMemory::instance().limit(bytes, std::move(scratch_folder));
}

LargeMemoryUse large_memory_use() { return LargeMemory::instance().use(); }

void* allocate_large(size_t bytes) {
  return bytes < large_from.load(std::memory_order_acquire) ? nullptr : LargeMemory::instance().allocate(bytes);
}

bool free_large(void* memory) noexcept {
  // Ordinary memory begins a few bytes past a page or anywhere inside one, so that hardly any of it gets further.
  if (memory == nullptr || reinterpret_cast<uintptr_t>(memory) % kPage != 0) return false;
  return arrays_there.load(std::memory_order_acquire) > 0 && LargeMemory::instance().free(memory);
}

void* allocate_array(size_t bytes, bool zeroed) {
  if (void* const large = allocate_large(bytes)) return large;
  const size_t rounded = (bytes + 63) / 64 * 64;
  void* const memory = std::aligned_alloc(64, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (zeroed) std::memset(memory, 0, rounded);
  return memory;
}

void free_array(void* memory) noexcept {
  if (!free_large(memory)) std::free(memory);
}

}  // namespace graphveil
