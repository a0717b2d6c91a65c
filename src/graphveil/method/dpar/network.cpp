#include "graphveil/method/dpar/network.h"

#include <algorithm>
#include <numeric>

#include "graphveil/nn/ops_graph.h"

namespace graphveil::method {

DparNetwork::DparNetwork(const graph::Dataset& data, const bound::Neighborhoods& neighborhoods,
                         const MlpArchitecture& architecture, const Seed& seed, bool first_bias)
    : MlpNetwork(data, architecture, false, seed, first_bias), neighborhoods_(&neighborhoods) {}

int64_t DparNetwork::samples_at_once() const {
  constexpr int64_t kRows = 1 << 15;  // decided from what was released, which is public
  return std::max<int64_t>(32, kRows / std::max<int64_t>(1, neighborhoods_->longest()));
}

nn::Var DparNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  rows_read_.clear();
  owners_.clear();
  weights_.clear();
  offsets_ = {0};
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const bound::WeightedNode& entry : neighborhoods_->of(nodes[i])) {
      rows_read_.push_back(entry.node);
      owners_.push_back(static_cast<int32_t>(i));
      weights_.push_back(entry.weight);
    }
    offsets_.push_back(static_cast<int64_t>(rows_read_.size()));
  }
  own_owners_.resize(nodes.size());
  std::iota(own_owners_.begin(), own_owners_.end(), 0);
  std::vector<int32_t> places(rows_read_.size());
  std::iota(places.begin(), places.end(), 0);
  edges_.assign({static_cast<int64_t>(nodes.size()), static_cast<int64_t>(rows_read_.size()), offsets_, places, weights_},
                {false, nn::EdgeWeights::Given});
  return nn::aggregate(mlp_scores(tape, rows_read_, owners_), edges_, own_owners_);
}

}  // namespace graphveil::method
