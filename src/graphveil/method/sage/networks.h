// The networks of the GraphSAGE baselines (Hamilton, Ying and Leskovec 2017; sizes as in GAP's experiments).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "graphveil/bound/out_degree.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/learn/dense_stack.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/learn/network.h"
#include "graphveil/nn/layers_convolution.h"
#include "graphveil/nn/rooted_layers.h"

namespace graphveil::method {

using namespace learn;

struct SageArchitecture {
  int64_t layers = 2;       // message passing
  int64_t pre_layers = 2;   // MLP before
  int64_t post_layers = 1;  // MLP after
  int64_t hidden_dim = 16;
  Activation activation = Activation::Selu;
  // As in GAP's program: what a message-passing layer gives is scaled to norm 1 (Hamilton et al., Algorithm 1, line 7),
  // and rows go through the activation before they are sent.
  bool unit_layers = false;

  void declare(Options& options);
  void declare_unit_layers(Options& options);
};

// MLP, then layers that sum over neighbors, then an MLP; batch norm throughout. Computes all nodes together, those with
// most edges first: they are read most often, and so lie next to each other.
class SageNetwork final : public Network {
 public:
  SageNetwork(const graph::Dataset& data, const graph::Graph& graph, const SageArchitecture& architecture,
              const Seed& seed);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool needs_all_nodes() const override { return true; }
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 private:
  SageArchitecture architecture_;
  FeatureRows rows_;
  std::span<const int32_t> places_of(std::span<const int32_t> nodes, bool training);

  std::vector<int32_t> all_;        // the nodes in the order of their rows
  std::vector<int32_t> place_;      // of each node in it
  std::vector<int32_t> places_[2];  // of the nodes asked for, in evaluation and in training
  nn::Edges edges_;                 // between places
  RandomStream random_;
  DenseStack pre_;
  std::vector<nn::SageLayer> layers_;
  std::vector<nn::BatchNorm> norms_;
  DenseStack post_;
};

// One layer of sums over neighbors' rows of norm 1, for DP-SGD: without batch norm, sample by sample.
class SageNodeNetwork final : public Network {
 public:
  // `graph` must outlive the network.
  SageNodeNetwork(const graph::Dataset& data, const bound::BoundedGraph& graph, const SageArchitecture& architecture,
                  const Seed& seed);
  // The scores on the aggregation given to use_aggregation.
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  // The scores on the rooted sample of each node.
  nn::Var sample_scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  // The scores of the rows of one graph in a step that takes each row for a sample, although edges join them. For
  // training as published alone (nn/unsound_rows.h).
  nn::Var row_scores(nn::Tape& tape, std::span<const int32_t> nodes, const nn::Edges& edges);
  // Rows of norm at most 1 that nodes send to each other.
  Matrix messages();
  void use_aggregation(Matrix sums) { sums_ = std::move(sums); }
  const Matrix& aggregation() const { return *sums_; }

 private:
  nn::Var embedding(nn::Tape& tape, std::span<const int32_t> nodes, std::span<const int32_t> owners);
  nn::Var classified(nn::Var own, nn::Var sums);

  const graph::Dataset& data_;
  SageArchitecture architecture_;
  FeatureRows rows_;
  nn::RootedLayers samples_;
  RandomStream random_;
  DenseStack pre_;
  nn::Linear own_, neighbors_;
  DenseStack post_;
  std::optional<Matrix> sums_;
};

}  // namespace graphveil::method
