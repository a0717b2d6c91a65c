// Layers that weigh neighbors by attention. Heads are blocks of columns.
#pragma once

#include <string>

#include "graphveil/nn/edges.h"
#include "graphveil/nn/layers_dense.h"

namespace graphveil::nn {

enum class Attention {
  Additive,    // leaky_relu(<a_source, h_u> + <a_target, h_v>), slope 0.2 (Velickovic et al. 2018)
  DotProduct,  // <h_u, h_v> / sqrt(width)
};

struct GatOptions {
  int64_t in = 0;
  int64_t width = 0;  // of one head
  int64_t heads = 1;
  bool concat = true;  // heads side by side (out = heads * width), or their mean (out = width)
  Attention attention = Attention::Additive;
  double attention_dropout = 0;
};

// h = x W; out_v = sum over u -> v of softmax_u(score(u, v)) h_u, plus a bias. Wants edges with self-loops, whose
// weights are not read. Glorot weights, zero bias, as PyG.
class GatLayer {
 public:
  GatLayer(Parameters& parameters, const std::string& name, const GatOptions& options, RandomStream& random);
  Var operator()(const Input& x, const Edges& edges) const;

 private:
  GatOptions options_;
  Parameters* parameters_;
  ParameterId weight_, bias_;
  ParameterId source_ = -1, target_ = -1;  // additive attention only
};

struct TransformerOptions {
  int64_t in = 0;
  int64_t width = 0;  // of one head
  int64_t heads = 1;
  bool concat = true;
  double attention_dropout = 0;
};

// out_v = x_v W_skip + b + sum over u -> v of softmax_u(<key_u, query_v> / sqrt(width)) value_u (Shi et al. 2021,
// PyG's TransformerConv). Weights of the edges are not read.
class TransformerLayer {
 public:
  TransformerLayer(Parameters& parameters, const std::string& name, const TransformerOptions& options,
                   RandomStream& random);
  Var operator()(const Input& x, const Edges& edges) const;

 private:
  TransformerOptions options_;
  Linear key_, query_, value_, skip_;
};

}  // namespace graphveil::nn
