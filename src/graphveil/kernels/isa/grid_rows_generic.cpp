#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/grid_rows_body.h"

namespace graphveil::kernels::isa {

const GridRowsKernels kGridRowsGeneric = kGridRowsTable;

}  // namespace graphveil::kernels::isa
