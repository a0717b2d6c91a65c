#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 32
#include "graphveil/kernels/isa/noise_body.h"

namespace graphveil::kernels::isa {

const NoiseKernels kNoiseAvx2 = kNoiseTable;

}  // namespace graphveil::kernels::isa
#endif
