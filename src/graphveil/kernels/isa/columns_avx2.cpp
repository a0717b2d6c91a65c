#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 32
#include "graphveil/kernels/isa/columns_body.h"

namespace graphveil::kernels::isa {

const ColumnKernels kColumnsAvx2 = kColumnsTable;

}  // namespace graphveil::kernels::isa
#endif
