#ifndef GRAPHVEIL_DOUBLE
#include "graphveil/kernels/isa/grid_scatter_body.h"

namespace graphveil::kernels::isa {

const GridScatterKernels kGridScatterAvx512 = kGridScatterTable;

}  // namespace graphveil::kernels::isa
#endif
