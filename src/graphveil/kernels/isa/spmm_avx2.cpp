#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 32
#include "graphveil/kernels/isa/spmm_body.h"

namespace graphveil::kernels::isa {

const SpmmKernels kSpmmAvx2 = kSpmmTable;

}  // namespace graphveil::kernels::isa
#endif
