// The classifier of LAP: a linear softmax, or an MLP, on a node's own features and numbers released about it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "graphveil/learn/dense_stack.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

struct LapArchitecture {
  int64_t layers = 1;  // 1: linear
  int64_t hidden_dim = 64;
  Activation activation = Activation::Tanh;
  double prior = 2;         // each block of the sums' weights starts at this times the identity: neighbors are alike
  bool tied = false;        // one layer: one weight for all the sums, times the identity
  bool first_bias = false;  // false: the features have a constant column instead

  void declare(Options& options);
};

// scores_v = x_v W + z_v V, or an MLP whose first layer is that. z_v is one block, or several, of a number per class;
// tied: one block, and V is a number times the identity.
class LapNetwork final : public Network {
 public:
  // `sums` has one row per node and must outlive the network.
  LapNetwork(const graph::Dataset& data, ConstMatrixView sums, const LapArchitecture& architecture, const Seed& seed);
  // The features are a rank's (learn::FeatureRows::part_of); none: they are all.
  void part_of(const std::optional<kernels::WholeSparse>& whole) {
    if (whole) rows_.part_of(*whole);
  }
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool steps_keep_apart() const override { return true; }

 private:
  nn::Var neighbor_scores(nn::Tape& tape, std::span<const int32_t> nodes);

  LapArchitecture architecture_;
  FeatureRows rows_;
  MatrixRows sums_;
  RandomStream random_;
  nn::Linear own_;
  std::optional<nn::Linear> neighbors_;   // unless tied
  std::optional<nn::ParameterId> alike_;  // tied: that number less 1
  DenseStack rest_;
};

}  // namespace graphveil::method
