#include "graphveil/learn/gnn_layer.h"

#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::learn {
namespace {

using nn::Var;

// The heads of a last layer are averaged, so each is as wide as the result; others lie side by side.
int64_t head_width(const GnnLayerOptions& options) {
  return options.last ? options.out : (options.out + options.heads - 1) / options.heads;
}

int64_t product_width(const GnnLayerOptions& options) {
  return options.kind == GnnArchitectureKind::Gat ? options.heads * head_width(options) : options.out;
}

}  // namespace

Var own_rows(Var x, const nn::Hop& hop) { return hop.own.empty() ? x : nn::gather_rows(x, hop.own); }

nn::EdgeOptions edge_options(GnnArchitectureKind kind) {
  switch (kind) {
    case GnnArchitectureKind::Gcn: return {true, nn::EdgeWeights::InverseDegree};
    case GnnArchitectureKind::Gin: return {false, nn::EdgeWeights::None};
    case GnnArchitectureKind::Gat: return {true, nn::EdgeWeights::None};
  }
  fail(ErrorKind::Internal, "unknown architecture");
}

GnnLayer::GnnLayer(nn::Parameters& parameters, const std::string& name, const GnnLayerOptions& options,
                   RandomStream& random)
    : options_(options),
      width_(options.last ? options.out : product_width(options)),
      first_((parameters.next_group(), parameters), name, options.in, product_width(options), random) {
  if (options.kind == GnnArchitectureKind::Gin) second_.emplace(parameters, name + ".second", width_, width_, random);
  parameters.next_group();
}

Var GnnLayer::operator()(const nn::Input& x, const nn::Hop& hop, const Averaging& averaging) const {
  require(averaging.plain() || options_.kind == GnnArchitectureKind::Gcn,
          "only gcn averages {} times, keeping {} of a row", averaging.rounds, averaging.own);
  Var out;
  switch (options_.kind) {
    case GnnArchitectureKind::Gcn: return gcn(x, hop, averaging);
    case GnnArchitectureKind::Gin: out = gin(x, hop); break;
    case GnnArchitectureKind::Gat: out = gat(x, hop); break;
  }
  return options_.last ? out : nn::activate(out, options_.activation);
}

Var averaged(Var rows, Var kept, const nn::Hop& hop, const Averaging& averaging) {
  require(averaging.rounds == 1 || hop.own.empty(), "only on a whole graph can a layer average {} times",
          averaging.rounds);
  for (int64_t i = 0; i < averaging.rounds; ++i) {
    rows = nn::aggregate(rows, *hop.edges, hop.owners);
    if (averaging.own == 0) continue;
    const auto own = static_cast<Real>(averaging.own);
    rows = nn::add(nn::scale(kept, own), nn::scale(rows, 1 - own));
  }
  return rows;
}

Var GnnLayer::gcn(const nn::Input& x, const nn::Hop& hop, const Averaging& averaging) const {
  // Averages commute with products: whichever is narrower comes first.
  const bool product_first = !x.on_tape() || options_.out < options_.in;
  const auto mixed = [&](Var rows) {
    return averaged(rows, averaging.own == 0 ? rows : own_rows(rows, hop), hop, averaging);
  };
  if (product_first) {
    const Var out = first_.biased(mixed(first_.product(x)));
    return options_.last ? out : nn::activate(out, options_.activation);
  }
  const Var mean = mixed(x.dense());
  const Var out = first_(mean);
  if (options_.last) return out;
  const Var active = nn::activate(out, options_.activation);
  return options_.in == options_.out ? nn::add(active, mean) : active;
}

Var GnnLayer::gin(const nn::Input& x, const nn::Hop& hop) const {
  const auto mix = [&](Var rows) { return nn::add(own_rows(rows, hop), nn::aggregate(rows, *hop.edges, hop.owners)); };
  // Sums commute with products too.
  const bool product_first = !x.on_tape() || options_.out < options_.in;
  const Var mixed = product_first ? first_.biased(mix(first_.product(x))) : first_(mix(x.dense()));
  return (*second_)(nn::activate(mixed, options_.activation));
}

Var GnnLayer::gat(const nn::Input& x, const nn::Hop& hop) const {
  const Var h = first_.product(x);
  const auto scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(head_width(options_))));
  const Var scores = nn::edge_dot(h, own_rows(h, hop), *hop.edges, options_.heads, scale);
  const Var out = nn::attend(h, nn::edge_softmax(scores, *hop.edges), *hop.edges, hop.owners);
  // The bias is one per head and column; in a last layer its mean over the heads acts.
  const Var biased = first_.biased(out);
  return options_.last ? nn::mean_of_blocks(biased, options_.heads) : biased;
}

}  // namespace graphveil::learn
