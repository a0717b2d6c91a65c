#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/noise_body.h"

namespace graphveil::kernels::isa {

const NoiseKernels kNoiseAvx512 = kNoiseTable;

}  // namespace graphveil::kernels::isa
#endif
