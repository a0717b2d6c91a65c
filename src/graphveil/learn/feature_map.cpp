#include "graphveil/learn/feature_map.h"

#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::learn {

void multiply(const graph::Features& features, ConstMatrixView weights, MatrixView out) {
  if (features.is_sparse()) {
    kernels::spmm(features.sparse(), weights, out);
  } else {
    kernels::matmul(features.dense(), weights, out);
  }
}

kernels::LinearMap feature_map(const graph::Features& features) {
  kernels::LinearMap map{features.rows(), features.cols(), {}, {}};
  map.apply = [&features](ConstMatrixView x, MatrixView out) { multiply(features, x, out); };
  if (features.is_sparse()) {
    // Used many times: transposed once.
    map.apply_transposed = [turned = kernels::transpose(features.sparse())](ConstMatrixView x, MatrixView out) {
      kernels::spmm(turned, x, out);
    };
  } else {
    map.apply_transposed = [&features](ConstMatrixView x, MatrixView out) {
      kernels::gemm(kernels::Transpose::Yes, kernels::Transpose::No, 1, features.dense(), x, 0, out);
    };
  }
  return map;
}

}  // namespace graphveil::learn
