// Time and memory used.
#pragma once

#include <chrono>
#include <cstdint>

namespace graphveil {

// Wall-clock seconds since construction or the last restart.
class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  void restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The largest resident size of this process so far, in bytes.
int64_t peak_memory_bytes();

// What this process may have: the machine's memory, or less where a container allows less.
int64_t memory_limit_bytes();

// What of that is free, or held by the machine's caches alone.
int64_t free_memory_bytes();

}  // namespace graphveil
