#include "graphveil/learn/gnn_network.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "graphveil/kernels/softmax.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::learn {
namespace {

std::vector<int64_t> encoder_widths(int64_t features, const GnnArchitecture& a) {
  return stack_widths(features, a.encoder_layers, a.hidden_dim, a.hidden_dim);
}

// The rows as they enter the first product: picked inside it, so that none is copied for every sample it is in.
nn::Input picked(const graph::Features& features, nn::Tape& tape, std::span<const int32_t> nodes,
                 std::span<const int32_t> owners) {
  if (features.is_sparse()) return {tape, nn::SparseInput{features.sparse().view(), nodes, owners}};
  return {tape, nn::GatheredInput{features.dense(), nodes, owners}};
}

// Edges of the whole graph for inference. gin sums, and in training a node's edges were thinned to max_out_degree: each
// then counts by the chance with which it was kept, so that sums have the size that the weights were trained for.
nn::Edges whole_graph_edges(const GnnGraphs& graphs, GnnArchitectureKind kind) {
  SparseView in = graphs.whole.in_view();
  if (kind != GnnArchitectureKind::Gin || graphs.max_out_degree == 0) return {in, edge_options(kind)};
  std::vector<Real> kept(in.indices.size());
  for (size_t e = 0; e < kept.size(); ++e) {
    const auto degree = static_cast<double>(graphs.whole.out_degree(in.indices[e]));
    kept[e] = static_cast<Real>(std::min(1.0, static_cast<double>(graphs.max_out_degree) / degree));
  }
  in.values = kept;
  return {in, {false, nn::EdgeWeights::Given}};
}

}  // namespace

void GnnArchitecture::check() const {
  require(own_share.value_or(0) == 0 || kind == GnnArchitectureKind::Gcn,
          "--own-share is {}; only gcn can keep a share of a node's own row", own_share.value_or(0));
}

void GnnArchitecture::declare(Options& options) {
  options.choice(
      "arch", kind,
      {{"gcn", GnnArchitectureKind::Gcn}, {"gin", GnnArchitectureKind::Gin}, {"gat", GnnArchitectureKind::Gat}},
      "How neighbors are mixed: their mean, their sum, or by attention");
  options.integer("layers", layers, 1, 3, "Rounds of message passing");
  options.integer("encoder-layers", encoder_layers, 0, 64, "Linear layers before message passing; 0: none");
  options.integer("decoder-layers", decoder_layers, 0, 64,
                  "Linear layers after message passing; 0: the last round gives the scores");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units");
  options.integer("heads", heads, 1, 1024, "Attention heads of gat");
  options.real_or(
      "own-share", own_share, "auto", 0, 1,
      fmt::format("gcn: share of a node's own row in each average, beside its share as one of its neighbors; "
                  "auto: {:g} of gcn, 0 of the others",
                  auto_own_share));
  declare_activation(options, activation);
  options.boolean("linear", linear, "gcn without encoder and decoder has one weight, and the rounds only average");
}

GnnNetwork::GnnNetwork(const graph::Dataset& data, const GnnGraphs& graphs, const GnnArchitecture& architecture,
                       const Seed& seed)
    : architecture_(architecture),
      features_(data.features),
      graphs_(graphs),
      all_(static_cast<size_t>(data.nodes())),
      random_(seed, "gnn weights"),
      encoder_(parameters(), "encoder",
               {encoder_widths(data.features.cols(), architecture), architecture.activation, 0, false}, random_) {
  architecture.check();
  std::iota(all_.begin(), all_.end(), 0);
  const graph::Graph* sampled = graphs.bounded != nullptr ? &graphs.bounded->graph() : graphs.sampled;
  if (sampled != nullptr) samples_.emplace(*sampled, architecture.layers, edge_options(architecture.kind));
  int64_t width = encoder_widths(data.features.cols(), architecture).back();
  const int64_t weighted = architecture.one_weight() ? 1 : architecture.layers;
  for (int64_t l = 1; l <= weighted; ++l) {
    const bool last = l == weighted && architecture.decoder_layers == 0;
    layers_.emplace_back(parameters(), "layer" + std::to_string(l),
                         GnnLayerOptions{architecture.kind, width, last ? data.classes : architecture.hidden_dim,
                                         architecture.heads, architecture.activation, last},
                         random_);
    width = layers_.back().width();
  }
  if (architecture.decoder_layers > 0) {
    decoder_.emplace(
        parameters(), "decoder",
        StackOptions{stack_widths(width, architecture.decoder_layers, architecture.hidden_dim, data.classes),
                     architecture.activation, 0, false},
        random_);
  }
}

int64_t GnnNetwork::samples_at_once() const {
  // About this many rows, so that a value of the step stays in the cache; decided from public numbers alone.
  constexpr double kRows = 8192;
  double size = 1, shell = 1;
  for (int64_t l = 0; l < architecture_.layers; ++l) {
    shell *= static_cast<double>(std::max<int64_t>(1, graphs_.max_out_degree));
    size += shell;
  }
  return std::max<int64_t>(32, static_cast<int64_t>(kRows / size));
}

nn::Var GnnNetwork::through_layers(const nn::Input& x, bool rooted) {
  const auto hop = [&](int64_t l) { return rooted ? samples_->hop(l) : nn::Hop{&*whole_edges_, {}, {}}; };
  const Averaging trained{1, architecture_.kept_own()};
  const Averaging averaging = rooted ? trained : graphs_.averaging.value_or(trained);
  if (architecture_.one_weight()) {
    nn::Var first = layers_[0].weighted(x), mixed = first;
    for (int64_t l = 0; l < architecture_.layers; ++l) {
      if (averaging.own > 0) first = own_rows(first, hop(l));
      mixed = averaged(mixed, first, hop(l), averaging);
    }
    return mixed;
  }
  std::optional<nn::Input> rows = x;
  if (architecture_.encoder_layers > 0) rows = nn::activate(encoder_(x), architecture_.activation);
  for (int64_t l = 0; l < architecture_.layers; ++l) {
    rows = layers_[static_cast<size_t>(l)](*rows, hop(l), averaging);
  }
  return rows->dense();
}

nn::Var GnnNetwork::whole_graph_scores(nn::Tape& tape) {
  if (!whole_edges_) whole_edges_.emplace(whole_graph_edges(graphs_, architecture_.kind));
  if (features_.is_sparse()) return through_layers(picked(features_, tape, all_, {}), false);
  return through_layers(tape.input(features_.dense()), false);
}

nn::Var GnnNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  if (graphs_.sampled != nullptr && tape.training()) return rooted_scores(tape, nodes);
  const nn::Var rows = nn::gather_rows(whole_graph_scores(tape), nodes);
  return decoder_ ? (*decoder_)(rows) : rows;
}

nn::Var GnnNetwork::sample_scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  require(graphs_.bounded != nullptr, "per-sample training needs a graph of bounded out-degree");
  return rooted_scores(tape, nodes);
}

nn::Var GnnNetwork::rooted_scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  samples_->assign(nodes);
  const nn::Var rows = through_layers(picked(features_, tape, samples_->nodes(), samples_->owners()), true);
  return decoder_ ? (*decoder_)(rows) : rows;
}

Matrix GnnNetwork::probabilities(const Averaging& averaging) {
  graphs_.averaging = averaging;
  return probabilities();
}

Matrix GnnNetwork::probabilities() {
  nn::Tape tape(Seed::from_number(0));  // no dropout in evaluation: the seed is not used
  tape.start(nn::Tape::Mode::Evaluate);
  const nn::Var rows = whole_graph_scores(tape);
  const ConstMatrixView scores = (decoder_ ? (*decoder_)(rows) : rows).value();
  Matrix out = Matrix::uninitialized(scores.rows, scores.cols);
  kernels::softmax(scores, out.view());
  return out;
}

}  // namespace graphveil::learn
