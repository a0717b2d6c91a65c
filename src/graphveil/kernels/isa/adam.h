// What the levels of Adam's update share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/kernels/adam.h"

namespace graphveil::kernels::isa {

struct AdamKernels {
  void (*step)(const AdamNumbers& a, const Real* g, Real* w, Real* mean, Real* square, int64_t count) noexcept;
};

extern const AdamKernels kAdamGeneric;
extern const AdamKernels kAdamAvx2;
extern const AdamKernels kAdamAvx512;

}  // namespace graphveil::kernels::isa
