#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/columns_body.h"

namespace graphveil::kernels::isa {

const ColumnKernels kColumnsAvx512 = kColumnsTable;

}  // namespace graphveil::kernels::isa
#endif
