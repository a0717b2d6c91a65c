#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/grid_noise_body.h"

namespace graphveil::kernels::isa {

const GridNoiseKernels kGridNoiseGeneric = kGridNoiseTable;

}  // namespace graphveil::kernels::isa
