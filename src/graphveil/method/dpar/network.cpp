#include "graphveil/method/dpar/network.h"

#include <algorithm>
#include <numeric>

#include "graphveil/nn/ops_graph.h"

namespace graphveil::method {

DparNetwork::DparNetwork(const graph::Dataset& data, const bound::Neighborhoods& neighborhoods,
                         const MlpArchitecture& architecture, const Seed& seed, bool first_bias)
    : MlpNetwork(data, architecture, false, seed, first_bias),
      neighborhoods_(&neighborhoods),
      place_of_(static_cast<size_t>(data.nodes()), -1) {}

int64_t DparNetwork::samples_at_once() const {
  constexpr int64_t kRows = 1 << 15;  // decided from what was released, which is public
  return std::max<int64_t>(32, kRows / std::max<int64_t>(1, neighborhoods_->longest()));
}

void DparNetwork::read_neighborhoods(std::span<const int32_t> nodes, bool per_sample) {
  for (const int32_t node : rows_read_) place_of_[static_cast<size_t>(node)] = -1;
  rows_read_.clear();
  owners_.clear();
  places_.clear();
  weights_.clear();
  offsets_ = {0};
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const bound::WeightedNode& entry : neighborhoods_->of(nodes[i])) {
      int32_t& place = place_of_[static_cast<size_t>(entry.node)];
      if (per_sample || place < 0) {
        place = static_cast<int32_t>(rows_read_.size());
        rows_read_.push_back(entry.node);
        if (per_sample) owners_.push_back(static_cast<int32_t>(i));
      }
      places_.push_back(place);
      weights_.push_back(entry.weight);
    }
    offsets_.push_back(static_cast<int64_t>(places_.size()));
  }
}

nn::Var DparNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  read_neighborhoods(nodes, tape.per_sample());
  own_owners_.resize(nodes.size());
  std::iota(own_owners_.begin(), own_owners_.end(), 0);
  edges_.assign(
      {static_cast<int64_t>(nodes.size()), static_cast<int64_t>(rows_read_.size()), offsets_, places_, weights_},
      {false, nn::EdgeWeights::Given});
  return nn::aggregate(mlp_scores(tape, rows_read_, owners_), edges_, own_owners_);
}

}  // namespace graphveil::method
