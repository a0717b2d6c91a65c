#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/narrow_gemm_body.h"

namespace graphveil::kernels::isa {

const NarrowGemmKernels kNarrowGemmAvx512 = kNarrowGemmTable;

}  // namespace graphveil::kernels::isa
#endif
