#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/activation_body.h"

namespace graphveil::kernels::isa {

const ActivationKernels kActivationAvx512 = kActivationTable;

}  // namespace graphveil::kernels::isa
#endif
