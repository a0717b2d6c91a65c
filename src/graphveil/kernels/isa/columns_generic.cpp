#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/columns_body.h"

namespace graphveil::kernels::isa {

const ColumnKernels kColumnsGeneric = kColumnsTable;

}  // namespace graphveil::kernels::isa
