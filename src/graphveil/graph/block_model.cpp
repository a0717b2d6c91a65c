#include "graphveil/graph/block_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/graph/alias_table.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kPiece = 1 << 16;    // edges drawn from one stream
constexpr int64_t kPiecesAtOnce = 64;  // between two updates of the progress
constexpr int kMaxRounds = 12;
constexpr double kCloseEnough = 0.005;

// Draws the ends of edges.
class EdgeSampler {
 public:
  explicit EdgeSampler(const BlockModel& model) : across_(model.across) {
    // Members of each group side by side, so that an alias table numbers them from 0.
    std::vector<int64_t> start(static_cast<size_t>(model.groups) + 1, 0);
    for (int32_t g : model.group) ++start[g + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    members_.resize(model.group.size());
    std::vector<int64_t> next = start;
    for (int64_t v = 0; v < model.nodes(); ++v) members_[next[model.group[v]]++] = static_cast<int32_t>(v);
    start_ = std::move(start);

    std::vector<double> weights, totals;
    for (int32_t g = 0; g < model.groups; ++g) {
      weights.clear();
      for (int64_t i = start_[g]; i < start_[g + 1]; ++i) weights.push_back(model.inside[members_[i]]);
      const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
      totals.push_back(weights.size() > 1 ? total : 0.0);  // a lone member has no partner
      inside_.emplace_back(total > 0 ? std::span<const double>(weights) : std::span<const double>(kOne));
    }
    inside_total_ = std::accumulate(totals.begin(), totals.end(), 0.0);
    if (inside_total_ > 0) groups_ = AliasTable(totals);
    inside_share_ = inside_total_ / (inside_total_ + across_.total());
  }

  std::pair<int32_t, int32_t> draw(RandomStream& random) const {
    if (random.uniform() < inside_share_) {
      const int32_t g = groups_.draw(random);
      const int32_t* members = members_.data() + start_[g];
      const int32_t a = members[inside_[g].draw(random)];
      return {a, members[inside_[g].draw(random)]};
    }
    const int32_t a = across_.draw(random);
    return {a, across_.draw(random)};
  }

 private:
  static constexpr double kOne[1] = {1.0};
  std::vector<int64_t> start_;
  std::vector<int32_t> members_;
  std::vector<AliasTable> inside_;
  AliasTable groups_{kOne};
  AliasTable across_;
  double inside_total_ = 0;
  double inside_share_ = 0;
};

// Appends pairs from pieces [first_piece, ...) until `count` more are there.
void draw_pairs(const EdgeSampler& sampler, const Seed& seed, int64_t count, int64_t first_piece,
                std::vector<int32_t>& first, std::vector<int32_t>& second) {
  const auto old = static_cast<int64_t>(first.size());
  first.resize(static_cast<size_t>(old + count));
  second.resize(static_cast<size_t>(old + count));
  Progress progress("drawing edges", count);
  for (int64_t begin = 0; begin < count; begin += kPiece * kPiecesAtOnce) {
    const int64_t batch = std::min(count - begin, kPiece * kPiecesAtOnce);
    parallel_for(batch, kPiece, [&](int64_t from, int64_t to) {
      RandomStream random(seed, "block model edges", static_cast<uint64_t>(first_piece + (begin + from) / kPiece));
      for (int64_t i = begin + from; i < begin + to; ++i) {
        std::tie(first[old + i], second[old + i]) = sampler.draw(random);
      }
    });
    progress.advance(batch);
  }
}

}  // namespace

Graph draw_block_model(const BlockModel& model, double mean_degree, const Seed& seed) {
  const int64_t nodes = model.nodes();
  require(nodes >= 2 && nodes <= kMaxNodes, "number of nodes is {}, want 2 to {}", nodes, kMaxNodes);
  require(mean_degree > 0, "mean degree is {}, want more than 0", mean_degree);
  require(mean_degree <= static_cast<double>(nodes) / 4, "mean degree {} needs at least {} nodes, there are {}",
          mean_degree, std::ceil(4 * mean_degree), nodes);
  for (int32_t g : model.group) require(g >= 0 && g < model.groups, "group {} of {}", g, model.groups);
  const EdgeSampler sampler(model);
  const auto wanted = static_cast<int64_t>(std::llround(mean_degree * static_cast<double>(nodes)));

  // Self-pairs and pairs drawn twice are lost; the next round makes up for them at the rate of loss seen so far.
  std::vector<int32_t> first, second;
  int64_t pieces = 0;
  Graph graph;
  for (int round = 0; round < kMaxRounds; ++round) {
    const int64_t missing = wanted - graph.edges();
    if (static_cast<double>(missing) <= kCloseEnough * static_cast<double>(wanted)) break;
    const double yield =
        first.empty() ? 1.0 : static_cast<double>(graph.edges()) / (2.0 * static_cast<double>(first.size()));
    const auto count = static_cast<int64_t>(std::ceil(static_cast<double>(missing) / 2 / std::max(yield, 0.1)));
    graph = Graph();
    draw_pairs(sampler, seed, count, pieces, first, second);
    pieces += (count + kPiece - 1) / kPiece;
    graph = Graph::from_undirected_edges(nodes, first, second);
  }
  return graph;
}

}  // namespace graphveil::graph
