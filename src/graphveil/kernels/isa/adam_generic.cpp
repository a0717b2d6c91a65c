#include "graphveil/kernels/isa/adam_body.h"

namespace graphveil::kernels::isa {

const AdamKernels kAdamGeneric = kAdamTable;

}  // namespace graphveil::kernels::isa
