#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 32
#include "graphveil/kernels/isa/softmax_body.h"

namespace graphveil::kernels::isa {

const SoftmaxKernels kSoftmaxAvx2 = kSoftmaxTable;

}  // namespace graphveil::kernels::isa
#endif
