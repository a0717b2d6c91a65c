#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/narrow_gemm_body.h"

namespace graphveil::kernels::isa {

const NarrowGemmKernels kNarrowGemmGeneric = kNarrowGemmTable;

}  // namespace graphveil::kernels::isa
