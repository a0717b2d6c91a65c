#include "graphveil/base/resources.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace graphveil {

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
}

namespace {

// The number in a file of the container's; "max" is none.
std::optional<int64_t> container_bytes(const char* path) {
  std::ifstream file(path);
  int64_t bytes = 0;
  if (file >> bytes && bytes > 0) return bytes;
  return std::nullopt;
}

constexpr const char* kContainerLimit = "/sys/fs/cgroup/memory.max";

}  // namespace

int64_t memory_limit_bytes() {
  const int64_t machine = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return std::min(machine, container_bytes(kContainerLimit).value_or(machine));
}

int64_t free_memory_bytes() {
  const int64_t limit = memory_limit_bytes();
  int64_t machine = limit;
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    if (word == "MemAvailable:" && file >> machine) machine *= 1024;  // the file counts in KiB
  }
  const std::optional<int64_t> allowed = container_bytes(kContainerLimit);
  const std::optional<int64_t> used = container_bytes("/sys/fs/cgroup/memory.current");
  const int64_t container = allowed && used ? std::max<int64_t>(0, *allowed - *used) : limit;
  return std::min({limit, machine, container});
}

}  // namespace graphveil
