// Row-major matrices of whole numbers, for sums on a grid. Views are those of base/matrix.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/matrix.h"

namespace graphveil {

template <typename T>
using IntegerMatrixView = BasicMatrixView<T>;
template <typename T>
using ConstIntegerMatrixView = BasicMatrixView<const T>;

// Owns rows * cols numbers, contiguous, aligned to 64 bytes, zero at first; T is int32_t or int64_t. Move-only; copy
// with clone().
template <typename T>
class IntegerMatrix {
 public:
  IntegerMatrix() = default;
  IntegerMatrix(int64_t rows, int64_t cols) : rows_(rows), cols_(cols) {
    require(rows >= 0 && cols >= 0 && (cols == 0 || rows <= (int64_t{1} << 40) / cols),
            "matrix of {} x {} is out of range", rows, cols);
    if (size() > 0) data_.reset(static_cast<T*>(allocate_array(static_cast<size_t>(size()) * sizeof(T), true)));
  }
  IntegerMatrix(IntegerMatrix&& other) noexcept { swap(other); }
  IntegerMatrix& operator=(IntegerMatrix&& other) noexcept {
    swap(other);
    return *this;
  }
  IntegerMatrix clone() const {
    IntegerMatrix m(rows_, cols_);
    if (size() > 0) std::memcpy(m.data(), data(), static_cast<size_t>(size()) * sizeof(T));
    return m;
  }

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  int64_t size() const { return rows_ * cols_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  IntegerMatrixView<T> view() { return {data_.get(), rows_, cols_}; }
  ConstIntegerMatrixView<T> view() const { return {data_.get(), rows_, cols_}; }
  operator IntegerMatrixView<T>() { return view(); }
  operator ConstIntegerMatrixView<T>() const { return view(); }
  std::span<T> row(int64_t r) { return view().row(r); }
  std::span<const T> row(int64_t r) const { return view().row(r); }
  std::span<T> values() { return {data_.get(), static_cast<size_t>(size())}; }
  std::span<const T> values() const { return {data_.get(), static_cast<size_t>(size())}; }
  T& operator()(int64_t r, int64_t c) { return view()(r, c); }
  const T& operator()(int64_t r, int64_t c) const { return view()(r, c); }

 private:
  struct Free {
    void operator()(T* p) const { free_array(p); }
  };
  void swap(IntegerMatrix& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    std::swap(data_, other.data_);
  }
  int64_t rows_ = 0;
  int64_t cols_ = 0;
  std::unique_ptr<T[], Free> data_;
};

}  // namespace graphveil
