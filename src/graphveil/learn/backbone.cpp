#include "graphveil/learn/backbone.h"

#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_linear.h"
#include "graphveil/nn/ops_row_parameter.h"
#include "graphveil/nn/orthogonal.h"

namespace graphveil::learn {
namespace {

using nn::Var;

constexpr BackboneKind kKinds[] = {BackboneKind::Gcn, BackboneKind::Gat, BackboneKind::Transformer};

constexpr const char* kBetweenLayers = "leaky-relu";

std::string layer_name(int64_t layer) { return "layer" + std::to_string(layer); }

BackboneKind read_kind(const nn::State& state, const std::string& name) {
  const std::vector<uint8_t> bytes = nn::read_bytes(state, name);
  const std::string text(bytes.begin(), bytes.end());
  for (const BackboneKind kind : kKinds) {
    if (text == to_string(kind)) return kind;
  }
  fail(ErrorKind::BadInput, "'{}' is not gcn, gat or transformer", name);
}

BackboneShape read_shape(const nn::State& state, const std::string& prefix) {
  const std::vector<uint8_t> between = nn::read_bytes(state, prefix + "activation");
  if (std::string(between.begin(), between.end()) != kBetweenLayers) {
    fail(ErrorKind::BadInput, "'{}activation' is not {}", prefix, kBetweenLayers);
  }
  BackboneShape shape;
  shape.kind = read_kind(state, prefix + "kind");
  shape.inputs = nn::read_number(state, prefix + "inputs");
  shape.hidden = nn::read_number(state, prefix + "hidden");
  shape.layers = nn::read_number(state, prefix + "layers");
  shape.heads = nn::read_number(state, prefix + "heads");
  try {
    shape.check();
  } catch (const Error& error) {
    fail(ErrorKind::BadInput, "{}", error.what());
  }
  // Before memory is taken for what the file says it holds.
  for (int64_t l = 0; l < shape.layers; ++l) {
    const std::string name = prefix + layer_name(l) + ".weight";
    const std::vector<int64_t> want = {shape.width_before(l), shape.hidden};
    const auto found = state.find(name);
    if (found == state.end() || found->second.shape != want) {
      fail(ErrorKind::BadInput, "'{}' is missing or not {} x {}", name, want[0], want[1]);
    }
  }
  return shape;
}

}  // namespace

std::string to_string(BackboneKind kind) {
  switch (kind) {
    case BackboneKind::Gcn: return "gcn";
    case BackboneKind::Gat: return "gat";
    case BackboneKind::Transformer: return "transformer";
  }
  fail(ErrorKind::Internal, "unknown backbone");
}

nn::EdgeOptions edge_options(BackboneKind kind) {
  switch (kind) {
    case BackboneKind::Gcn: return {true, nn::EdgeWeights::Symmetric};
    case BackboneKind::Gat: return {true, nn::EdgeWeights::None};
    case BackboneKind::Transformer: return {false, nn::EdgeWeights::None};
  }
  fail(ErrorKind::Internal, "unknown backbone");
}

void BackboneShape::check() const {
  require(inputs >= 1 && inputs <= 1'000'000, "a backbone reads {} features, want 1 to 1000000", inputs);
  require(hidden >= 1 && hidden <= 4096, "a backbone is {} wide, want 1 to 4096", hidden);
  require(layers >= 1 && layers <= 64, "a backbone has {} layers, want 1 to 64", layers);
  require(heads >= 1 && hidden % heads == 0, "{} heads do not divide a width of {}", heads, hidden);
}

Backbone::Backbone(const BackboneShape& shape, RandomStream& random)
    : shape_(shape), parameters_(std::make_unique<nn::Parameters>()) {
  shape.check();
  for (int64_t l = 0; l < shape.layers; ++l) {
    layers_.push_back(add_layer(layer_name(l), shape.width_before(l), random));
  }
}

Backbone::Layer Backbone::add_layer(const std::string& name, int64_t in, RandomStream& random) {
  const auto weight = [&](const char* part) {
    const nn::ParameterId id = parameters_->add(name + "." + part, in, shape_.hidden);
    nn::fill_orthogonal(parameters_->value(id), random);
    return id;
  };
  const auto bias = [&](const char* part) { return parameters_->add(name + "." + part, 1, shape_.hidden); };
  const auto attention = [&](const char* part) {
    const nn::ParameterId id = bias(part);
    nn::fill_glorot(parameters_->value(id), shape_.heads, shape_.hidden / shape_.heads, random);
    return id;
  };
  parameters_->next_group();
  Layer p{};
  p.weight = weight("weight");
  p.bias = bias("bias");
  if (shape_.kind == BackboneKind::Gat) {
    p.source = attention("source");
    p.target = attention("target");
  }
  if (shape_.kind == BackboneKind::Transformer) {
    p.key = weight("key");
    p.query = weight("query");
    p.query_bias = bias("query_bias");
    p.value = weight("value");
    p.value_bias = bias("value_bias");
  }
  return p;
}

Var Backbone::operator()(Var x, const nn::Edges& edges) const {
  require(x.cols() == shape_.inputs, "{} features, the backbone was made for {}", x.cols(), shape_.inputs);
  for (size_t l = 0; l < layers_.size(); ++l) {
    x = layer(layers_[l], l == 0 ? x : nn::leaky_relu(x), edges);
  }
  return x;
}

Var Backbone::layer(const Layer& p, Var x, const nn::Edges& edges) const {
  switch (shape_.kind) {
    case BackboneKind::Gcn: {
      require(edges.weighted(), "a gcn wants weighted edges");
      // Sums commute with products: whichever is narrower comes first.
      if (x.cols() < shape_.hidden) {
        return nn::linear(nn::aggregate(x, edges), parameter(x, p.weight), parameter(x, p.bias));
      }
      return nn::add_bias(nn::aggregate(nn::matmul(x, parameter(x, p.weight)), edges), parameter(x, p.bias));
    }
    case BackboneKind::Gat: {
      const Var h = nn::matmul(x, parameter(x, p.weight));
      const Var at_source = nn::head_dot(h, parameter(x, p.source), shape_.heads);
      const Var at_target = nn::head_dot(h, parameter(x, p.target), shape_.heads);
      const Var scores = nn::leaky_relu(nn::edge_add(at_source, at_target, edges));
      return nn::add_bias(nn::attend(h, nn::edge_softmax(scores, edges), edges), parameter(x, p.bias));
    }
    case BackboneKind::Transformer: {
      const auto scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(shape_.hidden / shape_.heads)));
      const Var key = nn::matmul(x, parameter(x, p.key));
      const Var query = nn::linear(x, parameter(x, p.query), parameter(x, p.query_bias));
      const Var value = nn::linear(x, parameter(x, p.value), parameter(x, p.value_bias));
      const Var scores = nn::edge_dot(key, query, edges, shape_.heads, scale);
      const Var skip = nn::linear(x, parameter(x, p.weight), parameter(x, p.bias));
      return nn::add(skip, nn::attend(value, nn::edge_softmax(scores, edges), edges));
    }
  }
  fail(ErrorKind::Internal, "unknown backbone");
}

Matrix Backbone::embed(ConstMatrixView x, const nn::Edges& edges) const {
  nn::Tape tape(Seed::from_number(0));  // nothing is dropped out
  tape.start(nn::Tape::Mode::Evaluate);
  const Var rows = (*this)(tape.input(x), edges);
  Matrix out = Matrix::uninitialized(rows.rows(), rows.cols());
  kernels::copy(rows.value(), out);
  return out;
}

void Backbone::save(nn::State& state, const std::string& prefix) const {
  const std::string kind = to_string(shape_.kind), between = kBetweenLayers;
  state[prefix + "activation"] =
      nn::to_tensor(std::span(reinterpret_cast<const uint8_t*>(between.data()), between.size()));
  state[prefix + "kind"] = nn::to_tensor(std::span(reinterpret_cast<const uint8_t*>(kind.data()), kind.size()));
  state[prefix + "inputs"] = nn::to_tensor(shape_.inputs);
  state[prefix + "hidden"] = nn::to_tensor(shape_.hidden);
  state[prefix + "layers"] = nn::to_tensor(shape_.layers);
  state[prefix + "heads"] = nn::to_tensor(shape_.heads);
  for (nn::ParameterId id = 0; id < parameters_->count(); ++id) {
    state[prefix + parameters_->info(id).name] = nn::to_tensor(parameters_->value(id));
  }
}

Backbone Backbone::loaded(const nn::State& state, const std::string& prefix) {
  RandomStream random(Seed::from_number(0), "backbone");  // every weight is overwritten
  Backbone backbone(read_shape(state, prefix), random);
  nn::Parameters& parameters = backbone.parameters();
  for (nn::ParameterId id = 0; id < parameters.count(); ++id) {
    const std::string name = prefix + parameters.info(id).name;
    nn::read_matrix(state, name, parameters.value(id));
    if (!kernels::all_finite(parameters.value(id))) fail(ErrorKind::BadInput, "'{}' holds what is not finite", name);
  }
  backbone.freeze();
  return backbone;
}

}  // namespace graphveil::learn
