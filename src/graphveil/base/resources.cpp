#include "graphveil/base/resources.h"

#include <sys/resource.h>

namespace graphveil {

int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
}

}  // namespace graphveil
