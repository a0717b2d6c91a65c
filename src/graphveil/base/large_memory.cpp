#include "graphveil/base/large_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/scratch_file.h"

namespace graphveil {
namespace {

constexpr int64_t kSmallestLimit = int64_t{64} << 20;
constexpr int64_t kPage = 4096;
constexpr int64_t kLargestSmall = int64_t{32} << 20, kLimitOverSmall = 64;  // what is large, and at a small limit
constexpr double kOrdinaryShare = 0.5;  // of the limit: what large arrays may have in ordinary memory
constexpr double kTrimTo = 0.6;         // of the limit
constexpr int64_t kTrimPiece = int64_t{64} << 20;
constexpr int64_t kZeroedAtOnce = int64_t{1} << 20;  // bytes
constexpr auto kLook = std::chrono::milliseconds(1);

// Read by every allocation of the program, the first ones of a process included: nothing is made to look at them.
constinit std::atomic<size_t> large_from{SIZE_MAX};
constinit std::atomic<int64_t> arrays_there{0};
constinit std::atomic<int64_t> next_look{INT64_MAX};  // no array lies in a file yet: there is nothing to drop

// Whether this thread holds the lock: what it frees or allocates meanwhile is small and none of ours, and asking about
// it would wait for itself.
thread_local bool inside = false;

class Inside {
 public:
  explicit Inside(std::mutex& mutex) : lock_(mutex) { inside = true; }
  ~Inside() { inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
};

int64_t ticks() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

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

class LargeMemory {
 public:
  // Never destroyed: arrays of static objects are freed after everything else.
  static LargeMemory& instance() {
    static auto* const memory = new LargeMemory;
    return *memory;
  }

  void limit(int64_t bytes, std::string folder) {
    const Inside lock(mutex_);
    limit_ = bytes;
    folder_ = std::move(folder);
    large_from.store(static_cast<size_t>(std::min(kLargestSmall, bytes / kLimitOverSmall)), std::memory_order_release);
  }

  LargeMemoryUse use() {
    const Inside lock(mutex_);
    return use_;
  }

  void* allocate(size_t wanted) {
    const auto bytes = static_cast<int64_t>((wanted + kPage - 1) / kPage * kPage);
    const Inside lock(mutex_);
    const bool ordinary =
        static_cast<double>(use_.ordinary_bytes + bytes) <= kOrdinaryShare * static_cast<double>(limit_);
    void* memory = MAP_FAILED;
    if (ordinary) {
      // It is written faster than anybody looks, and never dropped: there is room for all of it from the beginning.
      if (resident_bytes() + bytes > limit_) trim(limit_ - bytes);
      memory = ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory != MAP_FAILED) ::madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
    } else {
      const int file = open_scratch_file(folder_, bytes);
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
      next_look.store(0, std::memory_order_relaxed);
      std::thread([this] { keep(); }).detach();
    }
    return memory;
  }

  void look() {
    const Inside lock(mutex_);
    if (resident_bytes() > limit_) trim(static_cast<int64_t>(kTrimTo * static_cast<double>(limit_)));
    next_look.store(ticks() + std::chrono::nanoseconds(kLook).count(), std::memory_order_relaxed);
  }

  bool free(void* memory) noexcept {
    const Inside lock(mutex_);
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
      look();
    }
  }

  // Drops pieces of the scratch arrays, one after the other and round again, until so much is resident or all was
  // dropped.
  void trim(int64_t resident) {
    for (int64_t left = use_.scratch_bytes; left > 0 && resident_bytes() > resident;) {
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

void limit_memory(int64_t bytes, std::string scratch_folder) {
  require(bytes >= kSmallestLimit, "a memory limit of {} bytes, want at least {}", bytes, kSmallestLimit);
  LargeMemory::instance().limit(bytes, std::move(scratch_folder));
}

LargeMemoryUse large_memory_use() { return LargeMemory::instance().use(); }

void keep_memory_limit() {
  const int64_t next = next_look.load(std::memory_order_relaxed);
  if (next != INT64_MAX && ticks() >= next) LargeMemory::instance().look();
}

void* allocate_large(size_t bytes) {
  if (inside || bytes < large_from.load(std::memory_order_acquire)) return nullptr;
  return LargeMemory::instance().allocate(bytes);
}

bool free_large(void* memory) noexcept {
  // Ordinary memory begins a few bytes past a page or anywhere inside one, so that hardly any of it gets further.
  if (memory == nullptr || reinterpret_cast<uintptr_t>(memory) % kPage != 0) return false;
  return !inside && arrays_there.load(std::memory_order_acquire) > 0 && LargeMemory::instance().free(memory);
}

void* allocate_array(size_t bytes, bool zeroed) {
  if (void* const large = allocate_large(bytes)) return large;
  const size_t rounded = (bytes + 63) / 64 * 64;
  void* const memory = std::aligned_alloc(64, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (zeroed) {
    // Who touches a page first waits for the system to make it: all threads do, in what is large.
    parallel_for(static_cast<int64_t>(rounded), kZeroedAtOnce, [memory](int64_t begin, int64_t end) {
      std::memset(static_cast<char*>(memory) + begin, 0, static_cast<size_t>(end - begin));
    });
  }
  return memory;
}

void free_array(void* memory) noexcept {
  if (!free_large(memory)) std::free(memory);
}

}  // namespace graphveil
