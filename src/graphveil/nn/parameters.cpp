#include "graphveil/nn/parameters.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/context.h"

namespace graphveil::nn {
namespace {

Matrix grown(const Matrix& old, int64_t size) {
  Matrix bigger(1, size);
  std::copy(old.values().begin(), old.values().end(), bigger.values().begin());
  return bigger;
}

}  // namespace

ParameterId Parameters::add(const std::string& name, int64_t rows, int64_t cols) {
  require(rows >= 1 && cols >= 1, "parameter '{}' is {} x {}, want at least 1 x 1", name, rows, cols);
  for (const ParameterInfo& other : list_) require(other.name != name, "two parameters are called '{}'", name);
  if (!group_open_) {
    ++groups_;
    group_open_ = true;
  }
  const int64_t offset = size();
  constexpr double kCopies = 6;  // values, gradients, an optimizer's two moments, the saved state and its file
  require_memory(
      kCopies * sizeof(Real) * (static_cast<double>(offset) + static_cast<double>(rows) * static_cast<double>(cols)),
      "a network of this width and depth");
  list_.push_back({name, rows, cols, offset, groups_ - 1});
  values_ = grown(values_, offset + rows * cols);
  gradients_ = grown(gradients_, offset + rows * cols);
  return count() - 1;
}

MatrixView Parameters::value(ParameterId id) {
  const ParameterInfo& p = info(id);
  return {values_.data() + p.offset, p.rows, p.cols};
}

ConstMatrixView Parameters::value(ParameterId id) const {
  const ParameterInfo& p = info(id);
  return {values_.data() + p.offset, p.rows, p.cols};
}

MatrixView Parameters::gradient(ParameterId id) {
  const ParameterInfo& p = info(id);
  return {gradients_.data() + p.offset, p.rows, p.cols};
}

ConstMatrixView Parameters::gradient(ParameterId id) const {
  const ParameterInfo& p = info(id);
  return {gradients_.data() + p.offset, p.rows, p.cols};
}

void Parameters::zero_gradients() { std::fill(gradients_.values().begin(), gradients_.values().end(), Real(0)); }

namespace {

void fill_uniform(MatrixView weight, double bound, RandomStream& random) {
  for (int64_t r = 0; r < weight.rows; ++r) {
    for (Real& w : weight.row(r)) w = static_cast<Real>(bound * (2 * random.uniform() - 1));
  }
}

}  // namespace

void fill_fan_in_uniform(MatrixView weight, int64_t fan_in, RandomStream& random) {
  require(fan_in >= 1, "fan-in is {}, want at least 1", fan_in);
  fill_uniform(weight, 1 / std::sqrt(static_cast<double>(fan_in)), random);
}

void fill_glorot(MatrixView weight, int64_t fan_in, int64_t fan_out, RandomStream& random) {
  require(fan_in + fan_out >= 1, "fan-in plus fan-out is {}, want at least 1", fan_in + fan_out);
  fill_uniform(weight, std::sqrt(6 / static_cast<double>(fan_in + fan_out)), random);
}

}  // namespace graphveil::nn
