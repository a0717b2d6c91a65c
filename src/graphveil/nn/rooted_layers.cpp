#include "graphveil/nn/rooted_layers.h"

#include "graphveil/base/error.h"

namespace graphveil::nn {

RootedLayers::RootedLayers(const graph::Graph& graph, int64_t layers, const EdgeOptions& options)
    : graph_(&graph),
      layers_(layers),
      options_(options),
      row_of_(static_cast<size_t>(graph.nodes()), -1),
      owners_(static_cast<size_t>(layers) + 1),
      own_(static_cast<size_t>(layers)),
      edges_(static_cast<size_t>(layers)) {
  require(layers >= 1, "number of layers is {}, want at least 1", layers);
  require(options.weights == EdgeWeights::None || options.weights == EdgeWeights::InverseDegree,
          "rooted samples have no weights of this kind");
}

void RootedLayers::assign(std::span<const int32_t> roots) {
  for (const int32_t node : nodes_) row_of_[static_cast<size_t>(node)] = -1;
  nodes_.clear();
  within_.clear();
  list_offsets_.assign(1, 0);
  lists_.clear();
  for (const int32_t root : roots) {
    require(root >= 0 && root < graph_->nodes(), "root {} of {} nodes", root, graph_->nodes());
    add_sample(root);
  }
  samples_ = static_cast<int64_t>(roots.size());
  for (int64_t d = 0; d <= layers_; ++d) {
    std::vector<int32_t>& owners = owners_[static_cast<size_t>(d)];
    owners.clear();
    for (int64_t s = 0; s < samples_; ++s) {
      owners.resize(owners.size() + static_cast<size_t>(within(s, d)), static_cast<int32_t>(s));
    }
  }
  for (int64_t layer = 0; layer < layers_; ++layer) set_hop(layer);
}

// Breadth first, so that the rows within any distance of the root come before all others.
void RootedLayers::add_sample(int32_t root) {
  const auto first = static_cast<int64_t>(nodes_.size());
  const auto place = [&](int32_t node) {
    int64_t& known = row_of_[static_cast<size_t>(node)];
    if (known < first) {
      known = static_cast<int64_t>(nodes_.size());
      nodes_.push_back(node);
    }
    return static_cast<int32_t>(known - first);
  };
  place(root);
  within_.push_back(1);
  int64_t begin = first;
  for (int64_t distance = 0; distance < layers_; ++distance) {
    const auto end = static_cast<int64_t>(nodes_.size());
    for (int64_t r = begin; r < end; ++r) {
      for (const int32_t source : graph_->in(nodes_[static_cast<size_t>(r)])) lists_.push_back(place(source));
      list_offsets_.push_back(static_cast<int64_t>(lists_.size()));
    }
    begin = end;
    within_.push_back(static_cast<int64_t>(nodes_.size()) - first);
  }
}

// Layer l reads the rows within distance D = layers - l and computes those within D - 1.
void RootedLayers::set_hop(int64_t layer) {
  const int64_t distance = layers_ - layer;
  std::vector<int32_t>& own = own_[static_cast<size_t>(layer)];
  own.clear();
  offsets_.assign(1, 0);
  sources_.clear();
  int64_t first_source = 0, first_list = 0;
  for (int64_t s = 0; s < samples_; ++s) {
    for (int64_t i = 0; i < within(s, distance - 1); ++i) {
      own.push_back(static_cast<int32_t>(first_source + i));
      if (options_.self_loops) sources_.push_back(own.back());
      const auto list = static_cast<size_t>(first_list + i);
      for (int64_t e = list_offsets_[list]; e < list_offsets_[list + 1]; ++e) {
        sources_.push_back(static_cast<int32_t>(first_source + lists_[static_cast<size_t>(e)]));
      }
      offsets_.push_back(static_cast<int64_t>(sources_.size()));
    }
    first_source += within(s, distance);
    first_list += within(s, layers_ - 1);
  }
  edges_[static_cast<size_t>(layer)].assign({static_cast<int64_t>(own.size()), first_source, offsets_, sources_, {}},
                                            {false, options_.weights});
}

Hop RootedLayers::hop(int64_t layer) const {
  const auto l = static_cast<size_t>(layer);
  return {&edges_[l], own_[l], owners_[static_cast<size_t>(layers_) - 1 - l]};
}

}  // namespace graphveil::nn
