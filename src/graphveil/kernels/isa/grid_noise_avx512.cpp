#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/grid_noise_body.h"

namespace graphveil::kernels::isa {

const GridNoiseKernels kGridNoiseAvx512 = kGridNoiseTable;

}  // namespace graphveil::kernels::isa
#endif
