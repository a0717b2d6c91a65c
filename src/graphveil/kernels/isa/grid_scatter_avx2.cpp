#ifndef GRAPHVEIL_DOUBLE
#include "graphveil/kernels/isa/grid_scatter_body.h"

namespace graphveil::kernels::isa {

const GridScatterKernels kGridScatterAvx2 = kGridScatterTable;

}  // namespace graphveil::kernels::isa
#endif
