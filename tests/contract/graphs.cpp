#include "tests/contract/graphs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "graphveil/base/random.h"
#include "graphveil/graph/public_private.h"

namespace graphveil::contract {
namespace {

using Edge = std::pair<int32_t, int32_t>;

constexpr int64_t kSmallNodes = 9;
constexpr int64_t kFeatures = 5;
constexpr int32_t kClasses = 3;

std::vector<Edge> edges_of(const graph::Graph& graph) {
  std::vector<Edge> edges;
  for (int32_t u = 0; u < graph.nodes(); ++u) {
    for (const int32_t v : graph.out(u)) edges.emplace_back(u, v);
  }
  return edges;
}

graph::Graph graph_of(int64_t nodes, const std::vector<Edge>& edges) {
  std::vector<int32_t> from, to;
  for (const auto& [u, v] : edges) {
    from.push_back(u);
    to.push_back(v);
  }
  return graph::Graph::from_edges(nodes, from, to);
}

graph::Dataset with_edges(const graph::Dataset& data, const std::vector<Edge>& edges) {
  graph::Dataset out = data;
  out.graph = graph_of(data.nodes(), edges);
  return out;
}

// Sparse: zeros are not stored.
graph::Features stored(const Matrix& rows, bool sparse) {
  if (!sparse) return graph::Features(rows.clone());
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (int64_t v = 0; v < rows.rows(); ++v) {
    for (int64_t c = 0; c < rows.cols(); ++c) {
      if (rows(v, c) == 0) continue;
      indices.push_back(static_cast<int32_t>(c));
      values.push_back(rows(v, c));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  return graph::Features(SparseMatrix{rows.rows(), rows.cols(), SharedArray<int64_t>(std::move(offsets)),
                                      SharedArray<int32_t>(std::move(indices)), SharedArray<Real>(std::move(values))});
}

Matrix all_rows(const graph::Features& features) {
  std::vector<int32_t> ids;
  for (int32_t v = 0; v < features.rows(); ++v) ids.push_back(v);
  return features.dense_rows_at(ids);
}

graph::Dataset blank(const graph::Dataset& data, int32_t w, bound::Relation relation) {
  std::vector<Edge> edges;
  for (const auto& [u, v] : edges_of(data.graph)) {
    if (u != w && (relation != bound::Relation::Node || v != w)) edges.emplace_back(u, v);
  }
  graph::Dataset out = with_edges(data, edges);
  Matrix features = all_rows(data.features);
  std::ranges::fill(features.row(w), Real{0});
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  labels[static_cast<size_t>(w)] = graph::kUnlabeled;
  out.features = stored(features, data.features.is_sparse());
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

Neighbors without_node(const SmallGraph& graph, int32_t w, bound::Relation relation) {
  return {graph.data,
          blank(graph.data, w, relation),
          graph.split,
          w,
          fmt::format("{}, {}: node {} blank", graph.data.name, bound::name(relation), w),
          relation,
          graph.data.graph.out_degree(w)};
}

Neighbors with_other_edge(const SmallGraph& graph, const std::vector<Edge>& edges, Edge edge,
                          bound::Relation relation) {
  const auto [u, v] = edge;
  const bool undirected = relation == bound::Relation::UndirectedEdge;
  std::vector<Edge> changed;
  std::copy_if(edges.begin(), edges.end(), std::back_inserter(changed),
               [&](const Edge& e) { return e != edge && !(undirected && e == Edge(v, u)); });
  const bool there = changed.size() != edges.size();
  if (!there) {
    changed.emplace_back(u, v);
    if (undirected) changed.emplace_back(v, u);
  }
  return {
      graph.data,
      with_edges(graph.data, changed),
      graph.split,
      std::nullopt,
      fmt::format("{}, {}: edge {} - {} {}", graph.data.name, bound::name(relation), u, v, there ? "removed" : "added"),
      relation};
}

// A wide graph while it is made.
struct Draft {
  explicit Draft(bool both_ways) : symmetric(both_ways), random(Seed::from_number(7), "wide graph") {
    for (int32_t v = 0; v < kWideNodes; ++v) {
      labels.push_back(static_cast<int32_t>(random.below(kClasses)));
      for (int64_t c = 0; c < kFeatures; ++c) {
        // Two of five columns stay 0: rows of sparse features are not full.
        if ((v + c) % 5 < 3) rows(v, c) = static_cast<Real>(random.gaussian());
      }
    }
  }
  void edge(int32_t u, int32_t v) {
    if (u == v) return;
    edges.insert({u, v});
    if (symmetric) edges.insert({v, u});
  }
  void both(int32_t u, int32_t v) {
    edges.insert({u, v});
    edges.insert({v, u});
  }
  // The features of a node whose word counts, or of one that is overruled by it.
  void loud(int32_t v) { only(v, 1000); }
  void quiet(int32_t v) { only(v, -1); }
  void only(int32_t v, Real value) {
    std::ranges::fill(rows.row(v), Real{0});
    rows(v, 0) = value;
    labels[static_cast<size_t>(v)] = 0;
  }

  bool symmetric;
  RandomStream random;
  std::set<Edge> edges;
  std::vector<int32_t> labels;
  Matrix rows{kWideNodes, kFeatures};
};

// Six of eight nodes train: ids of training nodes, in order.
std::vector<int32_t> training_ids() {
  std::vector<int32_t> ids;
  for (int32_t v = 0; v < kWideNodes; ++v) {
    if (v % 8 != 5 && v % 8 != 7) ids.push_back(v);
  }
  return ids;
}

// Everybody else: a sparse random graph in which nobody has more than `most` edges, in or out.
void add_crowd(Draft& draft, const std::set<int32_t>& taken, int64_t most) {
  std::vector<int64_t> out(kWideNodes), in(kWideNodes);
  for (int32_t u = 0; u < kWideNodes; ++u) {
    for (int tries = 0; tries < 2; ++tries) {
      const auto v = static_cast<int32_t>(draft.random.below(kWideNodes));
      if (u == v || taken.contains(u) || taken.contains(v) || draft.edges.contains({u, v})) continue;
      const int64_t added = draft.symmetric ? 1 : 0;
      if (out[u] >= most || in[v] >= most || (added && (in[u] >= most || out[v] >= most))) continue;
      draft.edge(u, v);
      out[u] += 1, in[v] += 1, out[v] += added, in[u] += added;
    }
  }
}

WideGraph hubs(Draft& draft) {
  constexpr int64_t k = 4;
  const std::vector<int32_t> ids = training_ids();
  const int32_t first = ids[66], big = ids[3];
  const std::set<int32_t> taken{first, big, ids[10], ids[20], ids[30], ids[40]};
  add_crowd(draft, taken, 3);
  size_t next = 44;
  for (const int i : {10, 20, 30, 40}) {
    draft.both(first, ids[i]);
    // k others, so that it has k + 1.
    for (int64_t j = 0; j < k; ++j) draft.edge(ids[i], ids[next++]);
  }
  for (int32_t i = 0; i < 12; ++i) draft.edge(big, 8 * i + 7);
  draft.loud(first);
  draft.labels[2] = draft.labels[static_cast<size_t>(ids[5])] = graph::kUnlabeled;
  WideGraph out{{}, k, {first, ids[20], big, 15, 2}, {}};
  out.edges = {{first, ids[10]}, {big, 7}, {1, 90}, {ids[30], ids[40]}};
  return out;
}

WideGraph tree(Draft& draft) {
  const std::vector<int32_t> ids = training_ids();
  // Places on both sides of the first 64 samples.
  std::vector<int32_t> of;
  for (const int i : {68, 2, 9, 16, 23, 30, 37, 44, 51, 58, 62, 65, 66, 70, 71}) of.push_back(ids[i]);
  add_crowd(draft, {of.begin(), of.end()}, 2);
  for (size_t i = 0; 2 * i + 2 < of.size(); ++i) {
    draft.edge(of[i], of[2 * i + 1]);
    draft.edge(of[i], of[2 * i + 2]);
  }
  for (const int32_t v : of) draft.quiet(v);
  draft.loud(of[0]);
  WideGraph out{{}, draft.symmetric ? 3 : 2, {of[0], of[1], of[14], 12}, {}};
  out.edges = {{of[0], of[1]}, {0, 90}};
  return out;
}

WideGraph crossroads(Draft& draft) {
  constexpr int32_t kMiddle = kWideNodes - 3;  // node 0 and the sources 1 and 2 apart
  for (int32_t i = 0; i < kMiddle; ++i) {
    draft.edge(0, 3 + i);
    draft.edge(1 + i % 2, 3 + i);
  }
  return {{}, kWideNodes, {0, 1}, {{0, 3}}};
}

const char* name_of(Shape shape) {
  switch (shape) {
    case Shape::Hubs: return "hubs";
    case Shape::Tree: return "tree";
    case Shape::Crossroads: return "crossroads";
  }
  return "?";
}

}  // namespace

const graph::Dataset& public_data() {
  static const graph::Dataset data = [] {
    SmallGraph graph = small_graph(12345, true);
    return graph::without_labels(graph.data);
  }();
  return data;
}

const graph::Split& public_split() {
  static const graph::Split split{{0, 2, 4, 6, 8}, {}, {1, 3, 5, 7}};
  return split;
}

SmallGraph small_graph(uint64_t seed, bool symmetric) {
  RandomStream random(Seed::from_number(seed), "small graph");
  std::vector<int32_t> from, to, labels;
  const double density = 0.15 + 0.3 * random.uniform();
  for (int32_t u = 0; u < kSmallNodes; ++u) {
    for (int32_t v = symmetric ? u + 1 : 0; v < kSmallNodes; ++v) {
      if (u == v || !random.bernoulli(density)) continue;
      from.push_back(u);
      to.push_back(v);
    }
    labels.push_back(random.bernoulli(0.1) ? graph::kUnlabeled : static_cast<int32_t>(random.below(kClasses)));
  }
  Matrix features(kSmallNodes, kFeatures);
  // Some rows are long, so that a clip that is missing shows.
  for (int64_t v = 0; v < kSmallNodes; ++v) {
    const double size = random.bernoulli(0.3) ? 50 : 1;
    for (Real& x : features.row(v)) x = static_cast<Real>(size * random.gaussian());
  }
  SmallGraph out;
  out.data.name = fmt::format("small graph {}", seed);
  out.data.graph = symmetric ? graph::Graph::from_undirected_edges(kSmallNodes, from, to)
                             : graph::Graph::from_edges(kSmallNodes, from, to);
  out.data.features = graph::Features(std::move(features));
  out.data.labels = SharedArray<int32_t>(std::move(labels));
  out.data.classes = kClasses;
  // Public lists: a node without a label may be in them.
  for (int32_t v = 0; v < kSmallNodes; ++v)
    (v % 4 == 3 ? out.split.val : v % 4 == 2 ? out.split.test : out.split.train).push_back(v);
  return out;
}

std::vector<Neighbors> all_neighbors(const SmallGraph& graph, bound::Relation relation) {
  std::vector<Neighbors> out;
  if (!bound::edge_level(relation)) {
    for (int32_t w = 0; w < graph.data.nodes(); ++w) out.push_back(without_node(graph, w, relation));
    return out;
  }
  const bool undirected = relation == bound::Relation::UndirectedEdge;
  const std::vector<Edge> edges = edges_of(graph.data.graph);
  for (int32_t u = 0; u < graph.data.nodes(); ++u) {
    for (int32_t v = undirected ? u + 1 : 0; v < graph.data.nodes(); ++v) {
      if (u != v) out.push_back(with_other_edge(graph, edges, {u, v}, relation));
    }
  }
  return out;
}

WideGraph wide_graph(Shape shape, bool symmetric, bool sparse_features) {
  Draft draft(symmetric);
  WideGraph out = shape == Shape::Hubs ? hubs(draft) : shape == Shape::Tree ? tree(draft) : crossroads(draft);
  graph::Dataset& data = out.graph.data;
  data.name = fmt::format("{}{}{}", name_of(shape), symmetric ? "" : " directed", sparse_features ? " sparse" : "");
  data.graph = graph_of(kWideNodes, {draft.edges.begin(), draft.edges.end()});
  data.features = stored(draft.rows, sparse_features);
  data.labels = SharedArray<int32_t>(std::move(draft.labels));
  data.classes = kClasses;
  graph::Split& split = out.graph.split;
  split.train = shape == Shape::Crossroads ? std::vector<int32_t>{1, 2} : training_ids();
  for (int32_t v = 0; v < kWideNodes; ++v) {
    if (v % 8 == 5) split.val.push_back(v);
    if (v % 8 == 7) split.test.push_back(v);
  }
  return out;
}

std::vector<Neighbors> chosen_neighbors(const WideGraph& graph, bound::Relation relation) {
  std::vector<Neighbors> out;
  if (!bound::edge_level(relation)) {
    for (const int32_t w : graph.nodes) out.push_back(without_node(graph.graph, w, relation));
    return out;
  }
  const std::vector<Edge> edges = edges_of(graph.graph.data.graph);
  for (const Edge& edge : graph.edges) out.push_back(with_other_edge(graph.graph, edges, edge, relation));
  return out;
}

int64_t largest_degree(const graph::Graph& graph) {
  int64_t largest = 1;
  for (int64_t v = 0; v < graph.nodes(); ++v) {
    largest = std::max({largest, graph.out_degree(v), graph.in_degree(v)});
  }
  return largest;
}

}  // namespace graphveil::contract
