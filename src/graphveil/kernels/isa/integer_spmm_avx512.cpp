#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/integer_spmm_body.h"

namespace graphveil::kernels::isa {

const IntegerSpmmKernels kIntegerSpmmAvx512 = kIntegerSpmmTable;

}  // namespace graphveil::kernels::isa
#endif
