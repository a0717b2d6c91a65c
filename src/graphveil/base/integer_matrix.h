// Row-major matrices of whole numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/matrix.h"

namespace graphveil {

// Owns rows * cols numbers, zero at first. Move-only, as Matrix is.
template <typename T>
class IntegerMatrix {
 public:
  IntegerMatrix() = default;
  IntegerMatrix(int64_t rows, int64_t cols) : rows_(rows), cols_(cols) {
    require(rows >= 0 && cols >= 0 && (cols == 0 || rows <= (int64_t{1} << 40) / cols),
            "matrix of {} x {} is out of range", rows, cols);
    values_.resize(static_cast<size_t>(rows * cols));
  }
  IntegerMatrix(IntegerMatrix&&) noexcept = default;
  IntegerMatrix& operator=(IntegerMatrix&&) noexcept = default;
  IntegerMatrix clone() const {
    IntegerMatrix copy;
    copy.rows_ = rows_;
    copy.cols_ = cols_;
    copy.values_ = values_;
    return copy;
  }

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  int64_t size() const { return rows_ * cols_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  BasicMatrixView<T> view() { return {values_.data(), rows_, cols_}; }
  BasicMatrixView<const T> view() const { return {values_.data(), rows_, cols_}; }
  std::span<T> values() { return values_; }
  std::span<const T> values() const { return values_; }
  std::span<T> row(int64_t r) { return view().row(r); }
  std::span<const T> row(int64_t r) const { return view().row(r); }
  T& operator()(int64_t r, int64_t c) { return view()(r, c); }
  const T& operator()(int64_t r, int64_t c) const { return view()(r, c); }

 private:
  int64_t rows_ = 0;
  int64_t cols_ = 0;
  std::vector<T> values_;
};

}  // namespace graphveil
