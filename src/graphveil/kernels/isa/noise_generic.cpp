#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/noise_body.h"

namespace graphveil::kernels::isa {

const NoiseKernels kNoiseGeneric = kNoiseTable;

}  // namespace graphveil::kernels::isa
