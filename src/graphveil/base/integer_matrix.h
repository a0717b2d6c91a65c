// Row-major matrices of whole numbers, for sums on a grid. Views are those of base/matrix.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/matrix.h"

namespace graphveil {

template <typename T>
using IntegerMatrixView = BasicMatrixView<T>;
template <typename T>
using ConstIntegerMatrixView = BasicMatrixView<const T>;

// Owns rows * cols numbers, contiguous, zero at first; T is int32_t or int64_t. Move-only; copy with clone().
template <typename T>
class IntegerMatrix {
 public:
  IntegerMatrix() = default;
  IntegerMatrix(int64_t rows, int64_t cols) : rows_(rows), cols_(cols) {
    require(rows >= 0 && cols >= 0 && (cols == 0 || rows <= (int64_t{1} << 40) / cols),
            "matrix of {} x {} is out of range", rows, cols);
    values_.resize(static_cast<size_t>(rows * cols));
  }
  IntegerMatrix(IntegerMatrix&& other) noexcept { swap(other); }
  IntegerMatrix& operator=(IntegerMatrix&& other) noexcept {
    swap(other);
    return *this;
  }
  IntegerMatrix clone() const {
    IntegerMatrix m(rows_, cols_);
    std::copy(values_.begin(), values_.end(), m.values_.begin());
    return m;
  }

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  int64_t size() const { return rows_ * cols_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  IntegerMatrixView<T> view() { return {values_.data(), rows_, cols_}; }
  ConstIntegerMatrixView<T> view() const { return {values_.data(), rows_, cols_}; }
  operator IntegerMatrixView<T>() { return view(); }
  operator ConstIntegerMatrixView<T>() const { return view(); }
  std::span<T> row(int64_t r) { return view().row(r); }
  std::span<const T> row(int64_t r) const { return view().row(r); }
  std::span<T> values() { return values_; }
  std::span<const T> values() const { return values_; }
  T& operator()(int64_t r, int64_t c) { return view()(r, c); }
  const T& operator()(int64_t r, int64_t c) const { return view()(r, c); }

 private:
  void swap(IntegerMatrix& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    std::swap(values_, other.values_);
  }
  int64_t rows_ = 0;
  int64_t cols_ = 0;
  std::vector<T> values_;
};

}  // namespace graphveil
