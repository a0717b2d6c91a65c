#include "bench/kernels/eigen_versions.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <Eigen/Dense>
#include <Eigen/Sparse>

namespace graphveil::bench {
namespace {

using Dense = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Dense>;
using Output = Eigen::Map<Dense>;

Input input(ConstMatrixView x) { return {x.data, x.rows, x.cols}; }
Output output(MatrixView x) { return {x.data, x.rows, x.cols}; }

}  // namespace

struct EigenSparse::Data {
  Eigen::SparseMatrix<float, Eigen::RowMajor, int32_t> matrix;
};

EigenSparse::EigenSparse(const SparseView& a) : data_(new Data) {
  auto& m = data_->matrix;
  m.resize(a.rows, a.cols);
  m.resizeNonZeros(a.entries());
  for (int64_t r = 0; r <= a.rows; ++r) m.outerIndexPtr()[r] = static_cast<int32_t>(a.offsets[r]);
  for (int64_t e = 0; e < a.entries(); ++e) {
    m.innerIndexPtr()[e] = a.indices[e];
    m.valuePtr()[e] = a.values.empty() ? 1.0f : a.values[e];
  }
}

EigenSparse::~EigenSparse() { delete data_; }

void EigenSparse::multiply(ConstMatrixView x, MatrixView out) const {
  output(out).noalias() = data_->matrix * input(x);
}

void EigenSparse::multiply_transposed(ConstMatrixView x, MatrixView out) const {
  output(out).noalias() = data_->matrix.transpose() * input(x);
}

void eigen_gemm(bool transpose_a, bool transpose_b, ConstMatrixView a, ConstMatrixView b, MatrixView c) {
  if (transpose_a && transpose_b) output(c).noalias() = input(a).transpose() * input(b).transpose();
  if (transpose_a && !transpose_b) output(c).noalias() = input(a).transpose() * input(b);
  if (!transpose_a && transpose_b) output(c).noalias() = input(a) * input(b).transpose();
  if (!transpose_a && !transpose_b) output(c).noalias() = input(a) * input(b);
}

void eigen_normalize_rows(ConstMatrixView x, MatrixView out) { output(out) = input(x).rowwise().normalized(); }

void eigen_softmax(ConstMatrixView x, MatrixView out) {
  Output y = output(out);
  const Eigen::VectorXf largest = input(x).rowwise().maxCoeff();
  y = (input(x).colwise() - largest).array().exp();
  const Eigen::VectorXf total = y.rowwise().sum();
  y.array().colwise() /= total.array();
}

void eigen_tanh(ConstMatrixView x, MatrixView out) { output(out) = input(x).array().tanh(); }

void eigen_selu(ConstMatrixView x, MatrixView out) {
  const auto v = input(x).array();
  output(out) = (v > 0).select(1.05070098f * v, 1.75809934f * (v.exp() - 1.0f));
}

float eigen_sum_of_squares(ConstMatrixView x) { return input(x).squaredNorm(); }

void eigen_column_sums(ConstMatrixView x, MatrixView out) { output(out) = input(x).colwise().sum(); }

}  // namespace graphveil::bench
#pragma GCC diagnostic pop
