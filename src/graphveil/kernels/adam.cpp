#include "graphveil/kernels/adam.h"

#include <cassert>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/isa/adam.h"
#include "graphveil/kernels/isa/levels.h"

namespace graphveil::kernels {

void adam_step(const AdamNumbers& numbers, ConstMatrixView gradient, MatrixView values, MatrixView mean,
               MatrixView square) {
  assert(gradient.size() == values.size() && mean.size() == values.size() && square.size() == values.size());
  const isa::AdamKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kAdam);
  constexpr int64_t kGrain = 1 << 14;
  parallel_for(values.size(), kGrain, [&](int64_t begin, int64_t end) {
    kernels.step(numbers, gradient.data + begin, values.data + begin, mean.data + begin, square.data + begin,
                 end - begin);
  });
}

}  // namespace graphveil::kernels
