// The network of node-level DP-GNN: an encoder MLP, rounds of message passing, a decoder MLP (Daigavane et al. 2021).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graphveil/bound/out_degree.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/learn/dense_stack.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/learn/gnn_layer.h"
#include "graphveil/learn/network.h"

namespace graphveil::learn {

struct GnnArchitecture {
  GnnArchitectureKind kind = GnnArchitectureKind::Gcn;
  int64_t layers = 1;          // rounds of message passing
  int64_t encoder_layers = 0;  // of the MLP before; 0: the features themselves
  int64_t decoder_layers = 0;  // of the MLP after; 0: the last round gives the scores
  int64_t hidden_dim = 64;
  int64_t heads = 10;  // of gat
  Activation activation = Activation::Tanh;
  // gcn without encoder and decoder: one weight, then rounds that only average (Wu et al. 2019, SGC), own_share of
  // what the weight gave kept in each (Gasteiger et al. 2019, APPNP).
  bool linear = false;
  // The share of a node's own row in each average of gcn, beside its share as one of its neighbors; none:
  // auto_own_share.
  std::optional<double> own_share = std::nullopt;
  double auto_own_share = 0;

  bool one_weight() const {
    return linear && kind == GnnArchitectureKind::Gcn && encoder_layers == 0 && decoder_layers == 0;
  }
  double kept_own() const { return own_share.value_or(kind == GnnArchitectureKind::Gcn ? auto_own_share : 0); }
  // Groups of parameters: encoder, each weighted round, decoder.
  int64_t groups() const {
    return (encoder_layers > 0 ? 1 : 0) + (one_weight() ? 1 : layers) + (decoder_layers > 0 ? 1 : 0);
  }
  // Throws InvalidArgument for options that do not fit together.
  void check() const;
  void declare(Options& options);
};

// The graphs that the network reads.
struct GnnGraphs {
  const graph::Graph& whole;                     // for scores of plain steps: all nodes are computed together
  const bound::BoundedGraph* bounded = nullptr;  // for per-sample steps
  int64_t max_out_degree = 0;                    // of the graph that training read; 0: the whole one
  std::optional<Averaging> averaging = {};       // of each gcn layer on the whole graph; none: as in training
  // Plain training steps read the rooted samples of their nodes in this graph; none: the whole graph.
  const graph::Graph* sampled = nullptr;
};

class GnnNetwork final : public Network {
 public:
  // The graphs must outlive the network.
  GnnNetwork(const graph::Dataset& data, const GnnGraphs& graphs, const GnnArchitecture& architecture,
             const Seed& seed);
  // The scores on the whole graph; in a training step, where there is a graph to sample from, on samples.
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  // The scores on the rooted sample of each node in the bounded graph.
  nn::Var sample_scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  // Per-sample steps stay within samples; what is not a training step reads the whole graph.
  bool needs_all_nodes() const override { return graphs_.bounded == nullptr; }
  int64_t samples_at_once() const override;
  // Class probabilities of every node, on the whole graph; with another averaging than GnnGraphs says.
  Matrix probabilities();
  Matrix probabilities(const Averaging& averaging);

 private:
  nn::Var through_layers(const nn::Input& x, bool rooted);
  nn::Var whole_graph_scores(nn::Tape& tape);
  nn::Var rooted_scores(nn::Tape& tape, std::span<const int32_t> nodes);

  GnnArchitecture architecture_;
  graph::Features features_;
  GnnGraphs graphs_;
  std::optional<nn::RootedLayers> samples_;
  std::optional<nn::Edges> whole_edges_;
  std::vector<int32_t> all_;
  RandomStream random_;
  DenseStack encoder_;
  std::vector<GnnLayer> layers_;
  std::optional<DenseStack> decoder_;
};

}  // namespace graphveil::learn
