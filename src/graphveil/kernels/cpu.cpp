#include "graphveil/kernels/cpu.h"

#include <atomic>
#include <cstdlib>

#include "graphveil/base/error.h"

namespace graphveil::kernels {
namespace {

constexpr int kUnset = -1;
std::atomic<int> active_level{kUnset};

void check_available(CpuLevel level) {
  if (level > best_cpu_level()) {
    fail(ErrorKind::Unsupported, "CPU level {} asked for, but this machine or build has only {}", name(level),
         name(best_cpu_level()));
  }
}

CpuLevel level_from_environment() {
  const char* text = std::getenv("GRAPHVEIL_CPU");
  if (text == nullptr || *text == '\0') return best_cpu_level();
  const CpuLevel level = parse_cpu_level(text);
  check_available(level);
  return level;
}

}  // namespace

const char* name(CpuLevel level) {
  switch (level) {
    case CpuLevel::Generic: return "generic";
    case CpuLevel::Avx2: return "avx2";
    case CpuLevel::Avx512: return "avx512";
  }
  return "unknown";
}

CpuLevel parse_cpu_level(std::string_view text) {
  for (CpuLevel level : {CpuLevel::Generic, CpuLevel::Avx2, CpuLevel::Avx512}) {
    if (text == name(level)) return level;
  }
  fail(ErrorKind::InvalidArgument, "CPU level is '{}', want generic, avx2 or avx512", text);
}

CpuLevel best_cpu_level() {
#if defined(__x86_64__) && !defined(GRAPHVEIL_DOUBLE)
  static const CpuLevel best = [] {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return avx512 ? CpuLevel::Avx512 : avx2 ? CpuLevel::Avx2 : CpuLevel::Generic;
  }();
  return best;
#else
  return CpuLevel::Generic;
#endif
}

CpuLevel cpu_level() {
  int level = active_level.load(std::memory_order_relaxed);
  if (level == kUnset) {
    level = static_cast<int>(level_from_environment());
    active_level.store(level, std::memory_order_relaxed);
  }
  return static_cast<CpuLevel>(level);
}

void set_cpu_level(CpuLevel level) {
  check_available(level);
  active_level.store(static_cast<int>(level), std::memory_order_relaxed);
}

}  // namespace graphveil::kernels
