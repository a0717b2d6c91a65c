#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/spmm_body.h"

namespace graphveil::kernels::isa {

const SpmmKernels kSpmmAvx512 = kSpmmTable;

}  // namespace graphveil::kernels::isa
#endif
