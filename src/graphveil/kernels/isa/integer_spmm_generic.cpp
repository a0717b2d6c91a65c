#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/integer_spmm_body.h"

namespace graphveil::kernels::isa {

const IntegerSpmmKernels kIntegerSpmmGeneric = kIntegerSpmmTable;

}  // namespace graphveil::kernels::isa
