#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 32
#include "graphveil/kernels/isa/activation_body.h"

namespace graphveil::kernels::isa {

const ActivationKernels kActivationAvx2 = kActivationTable;

}  // namespace graphveil::kernels::isa
#endif
