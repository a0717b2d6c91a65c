#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/spmm_body.h"

namespace graphveil::kernels::isa {

const SpmmKernels kSpmmGeneric = kSpmmTable;

}  // namespace graphveil::kernels::isa
