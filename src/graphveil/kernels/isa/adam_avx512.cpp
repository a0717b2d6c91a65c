#ifndef GRAPHVEIL_DOUBLE
#include "graphveil/kernels/isa/adam_body.h"

namespace graphveil::kernels::isa {

const AdamKernels kAdamAvx512 = kAdamTable;

}  // namespace graphveil::kernels::isa
#endif
