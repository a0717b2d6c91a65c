// The trainable numbers of a model: named matrices that live side by side in one flat array, with the gradients of
// plain steps in another. So an optimiser steps and a checkpoint saves one array. The gradients of private steps are
// never here: ClippedGradient keeps their sum.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"

namespace graphveil::nn {

using ParameterId = int32_t;

struct ParameterInfo {
  std::string name;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t offset = 0;  // in the flat arrays
  int32_t group = 0;   // the layer it belongs to, for clipping per group

  int64_t size() const { return rows * cols; }
};

// Layers add to it while a model is built and keep a pointer to it, so it stays where it is.
class Parameters {
 public:
  Parameters() = default;
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  // Zero-filled. Names are unique; throws InvalidArgument otherwise, and for more than the context's memory holds.
  // Invalidates earlier views.
  ParameterId add(const std::string& name, int64_t rows, int64_t cols);
  // Parameters added from now on belong to a new group.
  void next_group() { group_open_ = false; }

  int32_t count() const { return static_cast<int32_t>(list_.size()); }
  int32_t groups() const { return groups_; }
  const ParameterInfo& info(ParameterId id) const { return list_[static_cast<size_t>(id)]; }
  int64_t size() const { return values_.size(); }  // numbers in all

  MatrixView value(ParameterId id);
  ConstMatrixView value(ParameterId id) const;
  MatrixView gradient(ParameterId id);
  ConstMatrixView gradient(ParameterId id) const;

  // All values, all gradients: 1 x size().
  Matrix& values() { return values_; }
  const Matrix& values() const { return values_; }
  Matrix& gradients() { return gradients_; }
  const Matrix& gradients() const { return gradients_; }
  // Makes gradients, in all, zero.
  void zero_gradients();

  // A frozen set takes part in the forward pass as a public constant and gets no gradient.
  void freeze(bool frozen = true) { frozen_ = frozen; }
  bool frozen() const { return frozen_; }

 private:
  std::vector<ParameterInfo> list_;
  Matrix values_;
  Matrix gradients_;
  int32_t groups_ = 0;
  bool group_open_ = false;
  bool frozen_ = false;
};

// U(-1/sqrt(fan_in), 1/sqrt(fan_in)): what PyTorch's Linear does to its weight and its bias.
void fill_fan_in_uniform(MatrixView weight, int64_t fan_in, RandomStream& random);
// U(-a, a), a = sqrt(6 / (fan_in + fan_out)): Glorot and Bengio 2010, what PyG's convolutions do.
void fill_glorot(MatrixView weight, int64_t fan_in, int64_t fan_out, RandomStream& random);

}  // namespace graphveil::nn
