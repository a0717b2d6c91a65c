#include "graphveil/attack/canary.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/blank.h"

namespace graphveil::attack {
namespace {

// The same data with the edges that `keeps` wants, and some more.
template <typename Keeps>
graph::Dataset with_edges(const graph::Dataset& data, Keeps&& keeps,
                          const std::vector<std::pair<int32_t, int32_t>>& more = {}) {
  std::vector<int32_t> from, to;
  for (int32_t u = 0; u < data.nodes(); ++u) {
    for (const int32_t v : data.graph.out(u)) {
      if (!keeps(u, v)) continue;
      from.push_back(u);
      to.push_back(v);
    }
  }
  for (const auto& [u, v] : more) {
    from.push_back(u);
    to.push_back(v);
  }
  graph::Dataset out = data;
  out.graph = graph::Graph::from_edges(data.nodes(), from, to);
  return out;
}

graph::Dataset with_label(const graph::Dataset& data, int32_t node, int32_t label) {
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  labels[static_cast<size_t>(node)] = label;
  graph::Dataset out = data;
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

graph::Dataset planted(const graph::Dataset& data, int32_t node, int64_t degree) {
  const int32_t own = data.labels[node] == graph::kUnlabeled ? 0 : data.labels[node];
  const int32_t label = (own + 1) % data.classes;
  std::vector<int32_t> friends(static_cast<size_t>(data.nodes()));
  std::iota(friends.begin(), friends.end(), 0);
  std::erase(friends, node);
  std::stable_sort(friends.begin(), friends.end(), [&](int32_t a, int32_t b) {
    return std::pair(data.labels[a] == label, data.graph.out_degree(a)) <
           std::pair(data.labels[b] == label, data.graph.out_degree(b));
  });
  std::vector<std::pair<int32_t, int32_t>> edges;
  for (int64_t i = 0; i < degree; ++i) {
    edges.emplace_back(node, friends[static_cast<size_t>(i)]);
    edges.emplace_back(friends[static_cast<size_t>(i)], node);
  }
  return with_label(with_edges(
                        data, [&](int32_t u, int32_t v) { return u != node && v != node; }, edges),
                    node, label);
}

graph::Dataset without(const graph::Dataset& data, int32_t node, bound::Relation change) {
  if (bound::edge_level(change)) {
    const int32_t other = data.graph.out(node).front();
    const bool both = change == bound::Relation::UndirectedEdge;
    return with_edges(
        data, [&](int32_t u, int32_t v) { return !((u == node && v == other) || (both && u == other && v == node)); });
  }
  std::vector<bool> present(static_cast<size_t>(data.nodes()), true);
  present[static_cast<size_t>(node)] = false;
  graph::Dataset blank = graph::with_blanks(data, present);
  if (change == bound::Relation::Node) return blank;
  blank.graph = with_edges(data, [&](int32_t u, int32_t) { return u != node; }).graph;
  return blank;
}

}  // namespace

CanaryPair canary_pair(const graph::Dataset& data, int32_t node, int64_t degree, bound::Relation change) {
  require(degree >= (bound::edge_level(change) ? 1 : 0) && degree < data.nodes(),
          "a canary of degree {} in a graph of {} nodes", degree, data.nodes());
  require(data.classes >= 2, "a canary wants two classes or more, the data have {}", data.classes);
  CanaryPair pair{planted(data, node, degree), {}, change, node, degree, {}};
  pair.blank = without(pair.there, node, change);
  switch (change) {
    case bound::Relation::Edge: pair.what = fmt::format("one directed edge of a node of degree {}", degree); break;
    case bound::Relation::UndirectedEdge: pair.what = fmt::format("one edge of a node of degree {}", degree); break;
    case bound::Relation::Record: pair.what = fmt::format("the record of a node of degree {}", degree); break;
    case bound::Relation::Node: pair.what = fmt::format("a node of degree {} with all its edges", degree); break;
  }
  return pair;
}

}  // namespace graphveil::attack
