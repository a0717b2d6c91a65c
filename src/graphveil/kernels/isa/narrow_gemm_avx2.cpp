#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 32
#include "graphveil/kernels/isa/narrow_gemm_body.h"

namespace graphveil::kernels::isa {

const NarrowGemmKernels kNarrowGemmAvx2 = kNarrowGemmTable;

}  // namespace graphveil::kernels::isa
#endif
