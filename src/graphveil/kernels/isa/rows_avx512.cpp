#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/rows_body.h"

namespace graphveil::kernels::isa {

const RowKernels kRowsAvx512 = kRowsTable;

}  // namespace graphveil::kernels::isa
#endif
