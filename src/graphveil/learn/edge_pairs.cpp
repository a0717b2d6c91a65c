#include "graphveil/learn/edge_pairs.h"

#include <algorithm>

#include "graphveil/base/error.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_loss.h"

namespace graphveil::learn {
namespace {

constexpr int64_t kMostPairEdges = 50000;

}  // namespace

EdgePairs::EdgePairs(const graph::Graph& graph, const Seed& seed) : graph_(graph), random_(seed, "edge prediction") {
  require(graph.edges() > 0, "the public graph has no edge to predict");
}

void EdgePairs::draw(int64_t epoch) {
  random_.seek(static_cast<uint64_t>(epoch) + 1);
  const SparseView in = graph_.in_view();
  const std::vector<int64_t> edges =
      random_.sample_without_replacement(in.entries(), std::min(in.entries(), kMostPairEdges));
  offsets_.assign(1, 0);
  sources_.clear();
  labels_.clear();
  auto next = edges.begin();
  for (int64_t v = 0; v < in.rows; ++v) {
    for (; next != edges.end() && *next < in.offsets[v + 1]; ++next) {
      // Any node but v: one of the others, counted from v on.
      const auto others = static_cast<uint64_t>(in.rows - 1);
      const auto other = static_cast<int32_t>((v + 1 + static_cast<int64_t>(random_.below(others))) % in.rows);
      sources_.insert(sources_.end(), {in.indices[*next], other});
      labels_.insert(labels_.end(), {1, 0});
    }
    offsets_.push_back(static_cast<int64_t>(sources_.size()));
  }
  pairs_.assign({in.rows, in.cols, offsets_, sources_, {}}, {});
}

nn::Var EdgePairs::loss(nn::Var h) const {
  // The mean over both kinds of pairs, twice: the sum of their means.
  return nn::scale(nn::logistic_loss(nn::edge_dot(h, h, pairs_, 1, 1), labels_), 2);
}

}  // namespace graphveil::learn
