// Row-major matrices of Real: an owning one, and views with a row stride.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/large_memory.h"
#include "graphveil/base/real.h"

namespace graphveil {

// A window on rows * cols scalars; row r starts at data + r * stride. Does not own.
template <typename T>
struct BasicMatrixView {
  T* data = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t stride = 0;

  BasicMatrixView() = default;
  BasicMatrixView(T* data_, int64_t rows_, int64_t cols_) : data(data_), rows(rows_), cols(cols_), stride(cols_) {}
  BasicMatrixView(T* data_, int64_t rows_, int64_t cols_, int64_t stride_)
      : data(data_), rows(rows_), cols(cols_), stride(stride_) {}
  // A mutable view reads as a constant one.
  operator BasicMatrixView<const T>() const { return {data, rows, cols, stride}; }

  std::span<T> row(int64_t r) const {
    assert(r >= 0 && r < rows);
    return {data + r * stride, static_cast<size_t>(cols)};
  }
  T& operator()(int64_t r, int64_t c) const {
    assert(r >= 0 && r < rows && c >= 0 && c < cols);
    return data[r * stride + c];
  }
  bool contiguous() const { return stride == cols || rows <= 1; }
  int64_t size() const { return rows * cols; }
  // Columns [begin, begin + count) of every row.
  BasicMatrixView columns(int64_t begin, int64_t count) const {
    assert(begin >= 0 && count >= 0 && begin + count <= cols);
    return {data + begin, rows, count, stride};
  }
  // Rows [begin, begin + count).
  BasicMatrixView rows_at(int64_t begin, int64_t count) const {
    assert(begin >= 0 && count >= 0 && begin + count <= rows);
    return {data + begin * stride, count, cols, stride};
  }
};

using MatrixView = BasicMatrixView<Real>;
using ConstMatrixView = BasicMatrixView<const Real>;
// Views of small matrices that are factored in double.
using DoubleView = BasicMatrixView<double>;

// Owns rows * cols scalars, contiguous, aligned to 64 bytes. Move-only; copy with clone().
class Matrix {
 public:
  Matrix() = default;
  // Zero-filled.
  Matrix(int64_t rows, int64_t cols) : Matrix(rows, cols, true) {}
  static Matrix uninitialized(int64_t rows, int64_t cols) { return Matrix(rows, cols, false); }
  Matrix(Matrix&& other) noexcept { swap(other); }
  Matrix& operator=(Matrix&& other) noexcept {
    swap(other);
    return *this;
  }
  Matrix clone() const {
    Matrix m = uninitialized(rows_, cols_);
    if (size() > 0) std::memcpy(m.data(), data(), static_cast<size_t>(size()) * sizeof(Real));
    return m;
  }

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  int64_t size() const { return rows_ * cols_; }
  Real* data() { return data_.get(); }
  const Real* data() const { return data_.get(); }
  MatrixView view() { return {data_.get(), rows_, cols_}; }
  ConstMatrixView view() const { return {data_.get(), rows_, cols_}; }
  operator MatrixView() { return view(); }
  operator ConstMatrixView() const { return view(); }
  std::span<Real> row(int64_t r) { return view().row(r); }
  std::span<const Real> row(int64_t r) const { return view().row(r); }
  std::span<Real> values() { return {data_.get(), static_cast<size_t>(size())}; }
  std::span<const Real> values() const { return {data_.get(), static_cast<size_t>(size())}; }
  Real& operator()(int64_t r, int64_t c) { return view()(r, c); }
  const Real& operator()(int64_t r, int64_t c) const { return view()(r, c); }

 private:
  struct Free {
    void operator()(Real* p) const { free_array(p); }
  };
  Matrix(int64_t rows, int64_t cols, bool zeroed) : rows_(rows), cols_(cols) {
    require(rows >= 0 && cols >= 0 && (cols == 0 || rows <= (int64_t{1} << 40) / cols),
            "matrix of {} x {} is out of range", rows, cols);
    if (size() > 0) data_.reset(static_cast<Real*>(allocate_array(static_cast<size_t>(size()) * sizeof(Real), zeroed)));
  }
  void swap(Matrix& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    std::swap(data_, other.data_);
  }
  int64_t rows_ = 0;
  int64_t cols_ = 0;
  std::unique_ptr<Real[], Free> data_;
};

}  // namespace graphveil
