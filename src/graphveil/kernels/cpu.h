// Which instruction set the kernels use. Chosen once, at the first kernel call; can be overridden.
#pragma once

#include <string_view>

namespace graphveil::kernels {

enum class CpuLevel { Generic, Avx2, Avx512 };

const char* name(CpuLevel level);
// "generic", "avx2" or "avx512"; throws InvalidArgument otherwise.
CpuLevel parse_cpu_level(std::string_view text);

// The highest level that this machine has and this build contains.
CpuLevel best_cpu_level();
// The level in use: the last set_cpu_level, else the environment variable GRAPHVEIL_CPU, else the best one.
// Throws InvalidArgument when GRAPHVEIL_CPU names no level, Unsupported when the machine lacks it; this is the
// one thing a kernel may throw besides std::bad_alloc, and the reason why kernels are not noexcept throughout.
CpuLevel cpu_level();
// Throws Unsupported when the machine lacks the level.
void set_cpu_level(CpuLevel level);

}  // namespace graphveil::kernels
