#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/grid_rows_body.h"

namespace graphveil::kernels::isa {

const GridRowsKernels kGridRowsAvx512 = kGridRowsTable;

}  // namespace graphveil::kernels::isa
#endif
