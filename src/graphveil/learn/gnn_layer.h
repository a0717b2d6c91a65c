// One message-passing layer of the node-level GNNs: gcn, gin or gat, on rooted samples and on whole graphs alike.
#pragma once

#include <optional>
#include <string>

#include "graphveil/nn/layers_dense.h"
#include "graphveil/nn/rooted_layers.h"

namespace graphveil::learn {

enum class GnnArchitectureKind { Gcn, Gin, Gat };

// The edges that a kind wants: gcn averages over a node and its neighbors, gin sums over the neighbors and adds the
// node itself, gat weighs the node and its neighbors by attention.
nn::EdgeOptions edge_options(GnnArchitectureKind kind);

// How a gcn layer averages: `rounds` times x <- own x_0 + (1 - own) mean over the neighborhood of x. In samples once:
// they hold no more rows.
struct Averaging {
  int64_t rounds = 1;
  double own = 0;

  bool plain() const { return rounds == 1 && own == 0; }
};

struct GnnLayerOptions {
  GnnArchitectureKind kind = GnnArchitectureKind::Gcn;
  int64_t in = 0;
  int64_t out = 0;
  int64_t heads = 1;  // of gat
  nn::Activation activation = nn::Activation::Tanh;
  bool last = false;  // gives scores: no activation after it
};

// The rows of the computed nodes among those that are read.
nn::Var own_rows(nn::Var x, const nn::Hop& hop);

// `averaging.rounds` averages of `rows` along the hop, without a weight; `kept` are the computed nodes' x_0.
nn::Var averaged(nn::Var rows, nn::Var kept, const nn::Hop& hop, const Averaging& averaging);

// gcn  a = mean over v and its sources of x;  act(a W + b), plus a where the widths agree (Daigavane et al. 2021)
// gin  act(act((x_v + sum over sources of x) W1 + b1) W2 + b2) (Xu et al. 2019, with epsilon 0)
// gat  h = x W;  act(sum over v and its sources of softmax(<h_u, h_v> / sqrt(width)) h_u + b), head by head
class GnnLayer {
 public:
  GnnLayer(nn::Parameters& parameters, const std::string& name, const GnnLayerOptions& options, RandomStream& random);
  // Rows of features are multiplied before they are mixed; a value on the tape may be mixed first, where that is
  // cheaper. Other than plain averaging is for gcn only.
  nn::Var operator()(const nn::Input& x, const nn::Hop& hop, const Averaging& averaging = {}) const;
  // x W + b alone, nothing mixed.
  nn::Var weighted(const nn::Input& x) const { return first_(x); }
  // Columns of the result: for gat the heads side by side, which may be a few more than asked for.
  int64_t width() const { return width_; }

 private:
  nn::Var gcn(const nn::Input& x, const nn::Hop& hop, const Averaging& averaging) const;
  nn::Var gin(const nn::Input& x, const nn::Hop& hop) const;
  nn::Var gat(const nn::Input& x, const nn::Hop& hop) const;

  GnnLayerOptions options_;
  int64_t width_;
  nn::Linear first_;
  std::optional<nn::Linear> second_;  // gin
};

}  // namespace graphveil::learn
