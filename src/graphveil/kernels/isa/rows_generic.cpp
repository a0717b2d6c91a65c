#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/rows_body.h"

namespace graphveil::kernels::isa {

const RowKernels kRowsGeneric = kRowsTable;

}  // namespace graphveil::kernels::isa
