#include "graphveil/kernels/isa/grid_scatter_body.h"

namespace graphveil::kernels::isa {

const GridScatterKernels kGridScatterGeneric = kGridScatterTable;

}  // namespace graphveil::kernels::isa
