// A graph neural network that is pre-trained on public data and then frozen: node features in, embeddings out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/nn/edges.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/state.h"
#include "graphveil/nn/tape.h"

namespace graphveil::learn {

enum class BackboneKind { Gcn, Gat, Transformer };

// The names on the command line and in files: gcn, gat, transformer.
std::string to_string(BackboneKind kind);

// The edges that a kind wants: gcn symmetric weights and self-loops, gat self-loops, transformer the edges alone.
nn::EdgeOptions edge_options(BackboneKind kind);

struct BackboneShape {
  BackboneKind kind = BackboneKind::Gcn;
  int64_t inputs = 0;    // width of the features
  int64_t hidden = 128;  // width of every layer, so also of the embeddings
  int64_t layers = 3;
  int64_t heads = 1;  // of gat and transformer, side by side within `hidden`

  int64_t width_before(int64_t layer) const { return layer == 0 ? inputs : hidden; }
  // Throws InvalidArgument unless every size is in its range and the heads divide the width.
  void check() const;
  bool operator==(const BackboneShape&) const = default;
};

// Layers with a leaky ReLU between them and nothing after the last:
// gcn          D^-1/2 (A + I) D^-1/2 x W + b (Kipf and Welling 2017)
// gat          h = x W;  sum over v and its sources of softmax(leaky_relu(<s, h_u> + <t, h_v>)) h_u + b, head by head
//              (Velickovic et al. 2018)
// transformer  x_v W_skip + b + sum over the sources of softmax(<x_u W_key, x_v W_query + q> / sqrt(width))
//              (x_u W_value + c), head by head (Shi et al. 2021; a bias of the keys would not change a softmax)
// Orthogonal weights (Glorot ones and ReLU lose most of what features say), Glorot attention vectors, zero biases.
class Backbone {
 public:
  Backbone(const BackboneShape& shape, RandomStream& random);

  // Embeddings of all rows of x, which may be a whole graph or many small ones side by side. Gradients flow to x, and
  // to the weights unless they are frozen: then their gradients are not computed, and per-sample steps take them as
  // public constants. `edges` are made with edge_options(kind) and must outlive the step.
  nn::Var operator()(nn::Var x, const nn::Edges& edges) const;
  // The embedding outside of training.
  Matrix embed(ConstMatrixView x, const nn::Edges& edges) const;

  const BackboneShape& shape() const { return shape_; }
  nn::Parameters& parameters() { return *parameters_; }
  const nn::Parameters& parameters() const { return *parameters_; }
  void freeze(bool frozen = true) { parameters_->freeze(frozen); }

  // Shape and weights, under names that start with `prefix`.
  void save(nn::State& state, const std::string& prefix) const;
  // A frozen backbone. Throws BadInput where something is missing, of another shape, or not finite.
  static Backbone loaded(const nn::State& state, const std::string& prefix);

 private:
  // One layer's parameters; a kind uses some of them.
  struct Layer {
    nn::ParameterId weight, bias;                               // gcn and gat; the skip of transformer
    nn::ParameterId source, target;                             // gat: the attention vectors
    nn::ParameterId key, query, query_bias, value, value_bias;  // transformer
  };
  Layer add_layer(const std::string& name, int64_t in, RandomStream& random);
  nn::Var layer(const Layer& p, nn::Var x, const nn::Edges& edges) const;
  nn::Var parameter(nn::Var x, nn::ParameterId id) const { return x.tape->parameter(*parameters_, id); }

  BackboneShape shape_;
  std::unique_ptr<nn::Parameters> parameters_;
  std::vector<Layer> layers_;
};

}  // namespace graphveil::learn
