// Picks the compiled version of a kernel table for the level in use. Never included by the files of a level:
// an inline function compiled there with AVX could replace the plain one at link time.
#pragma once

#include "graphveil/kernels/cpu.h"

// GRAPHVEIL_AT_LEVEL(kSpmm) is one of kSpmmGeneric, kSpmmAvx2, kSpmmAvx512.
#if defined(__x86_64__) && !defined(GRAPHVEIL_DOUBLE)
#define GRAPHVEIL_AT_LEVEL(table) \
  ::graphveil::kernels::isa::at_level(::graphveil::kernels::cpu_level(), table##Generic, table##Avx2, table##Avx512)
#else
#define GRAPHVEIL_AT_LEVEL(table) ((void)::graphveil::kernels::cpu_level(), table##Generic)
#endif

namespace graphveil::kernels::isa {

template <typename Table>
const Table& at_level(CpuLevel level, const Table& generic, const Table& avx2, const Table& avx512) {
  return level == CpuLevel::Avx512 ? avx512 : level == CpuLevel::Avx2 ? avx2 : generic;
}

}  // namespace graphveil::kernels::isa
