// A matrix whose memory only grows, so that a repeated step finds it and allocates nothing.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::nn {

class Buffer {
 public:
  // A contiguous rows x cols window; what it holds is unspecified. Earlier views die when the memory grows.
  MatrixView resize(int64_t rows, int64_t cols) {
    if (rows * cols > storage_.size()) storage_ = Matrix::uninitialized(1, rows * cols);
    rows_ = rows;
    cols_ = cols;
    return view();
  }
  std::span<Real> resize(int64_t count) {
    resize(1, count);
    return values();
  }
  MatrixView view() { return {storage_.data(), rows_, cols_}; }
  std::span<Real> values() { return {storage_.data(), static_cast<size_t>(rows_ * cols_)}; }

 private:
  Matrix storage_;
  int64_t rows_ = 0;
  int64_t cols_ = 0;
};

}  // namespace graphveil::nn
