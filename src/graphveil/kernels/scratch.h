// Working memory of a kernel, kept by each thread between calls so that a repeated call allocates nothing.
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// A contiguous rows x cols window of unspecified content. The type `Owner` names the memory: two uses that may be
// alive at once on one thread need two types. The window belongs to the calling thread; loops may share it.
template <typename Owner>
MatrixView scratch(int64_t rows, int64_t cols) {
  thread_local Matrix memory;
  if (rows * cols > memory.size()) memory = Matrix::uninitialized(1, rows * cols);
  return {memory.data(), rows, cols};
}

}  // namespace graphveil::kernels
