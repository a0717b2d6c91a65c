#include "graphveil/method/sage/networks.h"

#include <algorithm>
#include <numeric>

#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/ops_shape.h"
#include "graphveil/nn/unsound_rows.h"

namespace graphveil::method {

void SageArchitecture::declare(Options& options) {
  options.integer("layers", layers, 1, 64, "Message-passing layers");
  options.integer("pre-layers", pre_layers, 1, 64, "Linear layers before message passing");
  options.integer("post-layers", post_layers, 1, 64, "Linear layers after message passing");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units");
  declare_activation(options, activation);
  declare_unit_layers(options);
}

void SageArchitecture::declare_unit_layers(Options& options) {
  options.boolean("unit-layers", unit_layers,
                  "Scale the rows of each message-passing layer to norm 1, as GraphSAGE's paper does");
}

namespace {

std::vector<int32_t> by_falling_degree(const graph::Graph& graph) {
  std::vector<int32_t> nodes(static_cast<size_t>(graph.nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::ranges::stable_sort(nodes, [&](int32_t a, int32_t b) { return graph.out(a).size() > graph.out(b).size(); });
  return nodes;
}

std::vector<int32_t> inverse(std::span<const int32_t> order) {
  std::vector<int32_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[static_cast<size_t>(order[i])] = static_cast<int32_t>(i);
  return place;
}

// The graph's edges between the places of its nodes, every list rising: sources come in their order.
nn::Edges edges_between_places(const graph::Graph& graph, std::span<const int32_t> order,
                               std::span<const int32_t> place) {
  std::vector<int64_t> offsets{0};
  for (const int32_t v : order) offsets.push_back(offsets.back() + std::ssize(graph.in(v)));
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<int32_t> sources(static_cast<size_t>(offsets.back()));
  for (size_t p = 0; p < order.size(); ++p) {
    for (const int32_t v : graph.out(order[p])) {
      const auto target = static_cast<size_t>(place[static_cast<size_t>(v)]);
      sources[static_cast<size_t>(next[target]++)] = static_cast<int32_t>(p);
    }
  }
  return {{graph.nodes(), graph.nodes(), offsets, sources, {}}, {}};
}

}  // namespace

SageNetwork::SageNetwork(const graph::Dataset& data, const graph::Graph& graph, const SageArchitecture& architecture,
                         const Seed& seed)
    : architecture_(architecture),
      rows_(data.features),
      all_(by_falling_degree(graph)),
      place_(inverse(all_)),
      edges_(edges_between_places(graph, all_, place_)),
      random_(seed, "sage weights"),
      pre_(parameters(), "pre",
           {stack_widths(data.features.cols(), architecture.pre_layers, architecture.hidden_dim,
                         architecture.hidden_dim),
            architecture.activation, 0, true, true, false},
           random_),
      post_(parameters(), "post",
            {stack_widths(architecture.hidden_dim, architecture.post_layers, architecture.hidden_dim, data.classes),
             architecture.activation, 0, true},
            random_) {
  norms_.emplace_back(parameters(), "norm0", architecture.hidden_dim);
  for (int64_t i = 1; i <= architecture.layers; ++i) {
    layers_.emplace_back(parameters(), "sage" + std::to_string(i), architecture.hidden_dim, architecture.hidden_dim,
                         nn::Aggregator::Sum, random_, false);
    norms_.emplace_back(parameters(), "norm" + std::to_string(i), architecture.hidden_dim);
  }
}

nn::Var SageNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  const std::span<const int32_t> places = places_of(nodes, tape.training());
  nn::Var x = norms_[0](pre_(rows_(tape, all_)), architecture_.activation);
  for (size_t i = 0; i < layers_.size(); ++i) {
    // Training normalizes by all rows; predictions read those of their nodes.
    const bool few = !tape.training() && i + 1 == layers_.size();
    const nn::Var rows = few ? layers_[i].rows(x, edges_, places) : layers_[i](x, edges_);
    x = norms_[i + 1](architecture_.unit_layers ? nn::normalize_rows(rows) : rows, architecture_.activation);
  }
  return post_(tape.training() ? nn::gather_rows(x, places) : x);
}

// The step reads the list until its end, and an evaluation may come before the next training step.
std::span<const int32_t> SageNetwork::places_of(std::span<const int32_t> nodes, bool training) {
  std::vector<int32_t>& places = places_[training ? 1 : 0];
  places.resize(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) places[i] = place_[static_cast<size_t>(nodes[i])];
  return places;
}

void SageNetwork::save(nn::State& state, const std::string& prefix) const {
  Network::save(state, prefix);
  pre_.save(state, prefix);
  post_.save(state, prefix);
  for (const nn::BatchNorm& norm : norms_) norm.save(state, prefix);
}

void SageNetwork::load(const nn::State& state, const std::string& prefix) {
  Network::load(state, prefix);
  pre_.load(state, prefix);
  post_.load(state, prefix);
  for (nn::BatchNorm& norm : norms_) norm.load(state, prefix);
}

SageNodeNetwork::SageNodeNetwork(const graph::Dataset& data, const bound::BoundedGraph& graph,
                                 const SageArchitecture& architecture, const Seed& seed)
    : data_(data),
      architecture_(architecture),
      rows_(data.features),
      samples_(graph.graph(), 1, {}),
      random_(seed, "sage weights"),
      pre_(parameters(), "pre",
           {stack_widths(data.features.cols(), architecture.pre_layers, architecture.hidden_dim,
                         architecture.hidden_dim),
            architecture.activation, 0, false},
           random_),
      own_(parameters(), "own", architecture.hidden_dim, architecture.hidden_dim, random_),
      neighbors_(parameters(), "neighbors", architecture.hidden_dim, architecture.hidden_dim, random_, false),
      post_(parameters(), "post",
            {stack_widths(architecture.hidden_dim, architecture.post_layers, architecture.hidden_dim, data.classes),
             architecture.activation, 0, false},
            random_) {}

nn::Var SageNodeNetwork::embedding(nn::Tape& tape, std::span<const int32_t> nodes, std::span<const int32_t> owners) {
  const nn::Var rows = pre_(rows_(tape, nodes, owners));
  return nn::normalize_rows(architecture_.unit_layers ? nn::activate(rows, architecture_.activation) : rows);
}

nn::Var SageNodeNetwork::classified(nn::Var own, nn::Var sums) {
  const nn::Var rows = nn::add(own_(own), neighbors_(sums));
  return post_(nn::activate(architecture_.unit_layers ? nn::normalize_rows(rows) : rows, architecture_.activation));
}

nn::Var SageNodeNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  require(sums_.has_value(), "predictions need the released aggregation");
  return classified(embedding(tape, nodes, {}), nn::gather_rows(tape.input(*sums_), nodes));
}

nn::Var SageNodeNetwork::sample_scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  samples_.assign(nodes);
  const nn::Hop hop = samples_.hop(0);
  const nn::Var rows = embedding(tape, samples_.nodes(), samples_.owners());
  return classified(nn::gather_rows(rows, hop.own), nn::aggregate(rows, *hop.edges, hop.owners));
}

nn::Var SageNodeNetwork::row_scores(nn::Tape& tape, std::span<const int32_t> nodes, const nn::Edges& edges) {
  const nn::Var rows = embedding(tape, nodes, tape.identity_owners().first(nodes.size()));
  return classified(rows, nn::UnsoundRows::aggregate(rows, edges));
}

Matrix SageNodeNetwork::messages() {
  constexpr int64_t kRowsAtOnce = 1 << 15;
  std::vector<int32_t> nodes;
  Matrix out = Matrix::uninitialized(data_.nodes(), architecture_.hidden_dim);
  nn::Tape tape(Seed::from_number(0));  // no dropout in evaluation: the seed is not used
  for (int64_t first = 0; first < data_.nodes(); first += kRowsAtOnce) {
    nodes.resize(static_cast<size_t>(std::min(kRowsAtOnce, data_.nodes() - first)));
    std::iota(nodes.begin(), nodes.end(), static_cast<int32_t>(first));
    tape.start(nn::Tape::Mode::Evaluate);
    const ConstMatrixView rows = embedding(tape, nodes, {}).value();
    for (int64_t r = 0; r < rows.rows; ++r) std::ranges::copy(rows.row(r), out.row(first + r).begin());
  }
  return out;
}

}  // namespace graphveil::method
