#define GRAPHVEIL_VECTOR_BYTES 16
#include "graphveil/kernels/isa/softmax_body.h"

namespace graphveil::kernels::isa {

const SoftmaxKernels kSoftmaxGeneric = kSoftmaxTable;

}  // namespace graphveil::kernels::isa
