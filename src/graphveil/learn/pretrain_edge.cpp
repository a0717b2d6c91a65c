#include "graphveil/learn/pretrain_edge.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/ops_normalize.h"

namespace graphveil::learn {
namespace {

constexpr int64_t kMaxEdges = 50000;
constexpr Real kEdgeTemperature = Real(0.5);

// Lists of sources by target.
struct Lists {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> sources;
  void end_row() { offsets.push_back(static_cast<int64_t>(sources.size())); }
  SparseView view() const {
    const int64_t rows = std::ssize(offsets) - 1;
    return {rows, rows, offsets, sources, {}};
  }
};

}  // namespace

using nn::Var;

EdgePrediction::EdgePrediction(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed)
    : backbone_(backbone), graph_(graph), random_(seed, "edge prediction") {
  require(graph.graph.edges() > 0, "the public graph has no edge to predict");
}

bool EdgePrediction::hides(uint64_t salt, int32_t u, int32_t v) {
  // The finalizer of SplitMix64, on both ids and the salt.
  const auto [low, high] = std::minmax(u, v);
  uint64_t x = (static_cast<uint64_t>(low) << 32 | static_cast<uint32_t>(high)) ^ salt * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return ((x ^ (x >> 31)) & 1) != 0;
}

void EdgePrediction::draw_pairs(int64_t epoch) {
  random_.seek(static_cast<uint64_t>(epoch) + 1);
  const uint64_t salt = random_.below(uint64_t{1} << 62);
  const SparseView in = graph_.graph.in_view();
  Lists visible;
  std::vector<std::pair<int32_t, int32_t>> hidden;  // target and source
  for (int32_t v = 0; v < in.rows; ++v) {
    for (int64_t e = in.offsets[v]; e < in.offsets[v + 1]; ++e) {
      if (hides(salt, in.indices[e], v)) {
        hidden.emplace_back(v, in.indices[e]);
      } else {
        visible.sources.push_back(in.indices[e]);
      }
    }
    visible.end_row();
  }
  if (hidden.empty()) {  // a graph of a few edges: those that are seen are judged
    for (int32_t v = 0; v < in.rows; ++v) {
      for (int64_t e = in.offsets[v]; e < in.offsets[v + 1]; ++e) hidden.emplace_back(v, in.indices[e]);
    }
  }
  Lists edges, others;
  const std::vector<int64_t> judged =
      random_.sample_without_replacement(std::ssize(hidden), std::min(std::ssize(hidden), kMaxEdges));
  auto next = judged.begin();
  for (int32_t v = 0; v < in.rows; ++v) {
    for (; next != judged.end() && hidden[static_cast<size_t>(*next)].first == v; ++next) {
      edges.sources.push_back(hidden[static_cast<size_t>(*next)].second);
      // Any node but v: one of the others, counted from v on.
      const auto rest = static_cast<uint64_t>(in.rows - 1);
      others.sources.push_back(static_cast<int32_t>((v + 1 + static_cast<int64_t>(random_.below(rest))) % in.rows));
    }
    edges.end_row();
    others.end_row();
  }
  visible_.assign(visible.view(), edge_options(backbone_.shape().kind));
  edges_.assign(edges.view(), {});
  others_.assign(others.view(), {});
  ones_.assign(edges.sources.size(), 1);
}

Var EdgePrediction::loss(nn::Tape& tape, int64_t epoch) {
  draw_pairs(epoch);
  const Var h = nn::normalize_rows(backbone_(tape.input(graph_.x), visible_));
  const Var margins = nn::add(nn::edge_dot(h, h, edges_, 1, 1 / kEdgeTemperature),
                              nn::edge_dot(h, h, others_, 1, -1 / kEdgeTemperature));
  return nn::logistic_loss(margins, ones_);
}

}  // namespace graphveil::learn
