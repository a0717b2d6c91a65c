// The network of one stage of ProGAP (Sajadmanesh and Gatica-Perez 2024, section 4): a base for the features and for
// each cached aggregation, and a head on all of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graphveil/graph/dataset.h"
#include "graphveil/learn/dense_stack.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/learn/network.h"

namespace graphveil::method {

using namespace learn;

struct ProgapArchitecture {
  int64_t hops = 2;  // stages after the first
  int64_t hidden_dim = 16;
  int64_t base_layers = 1;
  int64_t head_layers = 1;
  Activation activation = Activation::Selu;
  bool batch_norm = true;    // edge level only: DP-SGD refuses it
  bool feature_bias = true;  // false: the features have a constant column instead

  void declare(Options& options);
};

// MLP_head(CONCAT(MLP_base^(0)(X), MLP_base^(1)(X^(1)), ..., MLP_base^(s)(X^(s)))), rows scaled to norm 1 before the
// head. s is the number of aggregations.
class ProgapNetwork final : public Network {
 public:
  // aggregations[k - 1] is X^(k), one row per node; they must outlive the network.
  ProgapNetwork(const graph::Dataset& data, const std::vector<Matrix>& aggregations,
                const ProgapArchitecture& architecture, const Seed& seed);
  // Starts the bases where those of the stage before ended.
  void continue_from(const nn::State& before);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool steps_keep_apart() const override { return !architecture_.batch_norm; }
  // What the next stage aggregates: rows of MLP_base^(s)(X^(s)) scaled to norm 1.
  nn::Var messages(nn::Tape& tape, std::span<const int32_t> nodes);
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 private:
  nn::Var base(nn::Tape& tape, std::span<const int32_t> nodes, size_t stage);

  ProgapArchitecture architecture_;
  FeatureRows features_;
  std::vector<MatrixRows> aggregations_;
  RandomStream random_;
  std::vector<DenseStack> bases_;
  std::vector<nn::BatchNorm> norms_;  // after each base
  std::optional<DenseStack> head_;
};

}  // namespace graphveil::method
