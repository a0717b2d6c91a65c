#ifndef GRAPHVEIL_DOUBLE
#define GRAPHVEIL_VECTOR_BYTES 64
#include "graphveil/kernels/isa/softmax_body.h"

namespace graphveil::kernels::isa {

const SoftmaxKernels kSoftmaxAvx512 = kSoftmaxTable;

}  // namespace graphveil::kernels::isa
#endif
