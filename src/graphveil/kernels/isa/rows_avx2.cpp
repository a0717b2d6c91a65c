#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 32
#include "graphveil/kernels/isa/rows_body.h"

namespace graphveil::kernels::isa {

const RowKernels kRowsAvx2 = kRowsTable;

}  // namespace graphveil::kernels::isa
#endif
