#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/activation_body.h"

namespace graphveil::kernels::isa {

const ActivationKernels kActivationGeneric = kActivationTable;

}  // namespace graphveil::kernels::isa
