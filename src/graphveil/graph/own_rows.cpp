#include "graphveil/graph/own_rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/graph/partition.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kOwnRowGrain = 4096, kOwnValueGrain = 1 << 20;

[[noreturn]] void changed(const Dataset& data) {
  fail(ErrorKind::BadInput, "{}: was changed while it was read", data.name);
}

// A copy of [begin, end), of which each entry holds.
template <typename T, typename Holds>
SharedArray<T> stretch(const Dataset& data, const SharedArray<T>& values, int64_t begin, int64_t end, Holds holds) {
  const auto part = values.span().subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  std::vector<T> out(part.begin(), part.end());
  std::atomic<bool> good{true};
  parallel_for(end - begin, kOwnValueGrain, [&](int64_t first, int64_t last) {
    bool all = true;
    for (int64_t i = first; i < last; ++i) all &= holds(out[static_cast<size_t>(i)]);
    if (!all) good = false;
  });
  if (!good) changed(data);
  return out;
}

SharedArray<int64_t> offsets_from_zero(const SharedArray<int64_t>& offsets, int64_t begin, int64_t end) {
  std::vector<int64_t> out(static_cast<size_t>(end - begin) + 1);
  for (int64_t v = begin; v <= end; ++v) {
    out[static_cast<size_t>(v - begin)] = offsets[static_cast<size_t>(v)] - offsets[static_cast<size_t>(begin)];
  }
  return out;
}

// The numbers of neighbors become places in the reach. Both rise together, so the lists keep their order.
Adjacency in_reach(const Dataset& data, const Adjacency& lists, const Partition& p) {
  SharedArray<int64_t> offsets = offsets_from_zero(lists.offsets, p.begin, p.end);
  const int64_t first = lists.offsets[static_cast<size_t>(p.begin)];
  std::vector<int32_t> places(static_cast<size_t>(offsets[static_cast<size_t>(p.own())]));
  std::atomic<bool> good{true};
  parallel_for(p.own(), kOwnRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t e = offsets[static_cast<size_t>(begin)]; e < offsets[static_cast<size_t>(end)]; ++e) {
      const int64_t v = lists.neighbors[static_cast<size_t>(first + e)];
      int64_t place = v - p.begin + p.before;
      if (v < p.begin || v >= p.end) {
        const auto found = std::lower_bound(p.others.begin(), p.others.end(), static_cast<int32_t>(v));
        if (found == p.others.end() || *found != v) good = false;
        place = found - p.others.begin() + (v < p.begin ? 0 : p.own());
      }
      places[static_cast<size_t>(e)] = static_cast<int32_t>(place);
    }
  });
  if (!good) changed(data);
  return {std::move(offsets), std::move(places)};
}

void add_neighbors(const Dataset& data, const Adjacency& lists, int64_t begin, int64_t end, std::vector<bool>& named) {
  for (int64_t e = lists.offsets[static_cast<size_t>(begin)]; e < lists.offsets[static_cast<size_t>(end)]; ++e) {
    const int32_t v = lists.neighbors[static_cast<size_t>(e)];
    if (v < 0 || v >= data.nodes()) changed(data);
    named[static_cast<size_t>(v)] = true;
  }
}

Graph own_graph(Ranks& ranks, const Dataset& data, const std::vector<int64_t>& cuts) {
  const Graph& graph = data.graph;
  const int64_t begin = cuts[static_cast<size_t>(ranks.rank())], end = cuts[static_cast<size_t>(ranks.rank()) + 1];
  // A bit for every node takes less than the numbers of all edges.
  std::vector<bool> named(static_cast<size_t>(graph.nodes()), false);
  add_neighbors(data, graph.in_lists(), begin, end, named);
  if (!graph.symmetric()) add_neighbors(data, graph.out_lists(), begin, end, named);
  std::vector<int32_t> neighbors;
  for (int64_t v = 0; v < graph.nodes(); ++v) {
    if (named[static_cast<size_t>(v)]) neighbors.push_back(static_cast<int32_t>(v));
  }
  const auto partition = std::make_shared<const Partition>(make_partition(ranks, cuts, std::move(neighbors)));
  Adjacency in = in_reach(data, graph.in_lists(), *partition);
  Adjacency out = graph.symmetric() ? in : in_reach(data, graph.out_lists(), *partition);
  return Graph::own_part(std::move(out), std::move(in), graph.symmetric(), partition);
}

Features own_features(const Dataset& data, int64_t begin, int64_t end) {
  const auto finite = [](Real x) { return std::isfinite(x); };
  const Features& features = data.features;
  const int64_t cols = features.cols();
  if (!features.is_sparse()) {
    return {end - begin, cols, stretch(data, features.dense_values(), begin * cols, end * cols, finite)};
  }
  const SparseMatrix& m = features.sparse();
  const int64_t first = m.offsets[static_cast<size_t>(begin)], last = m.offsets[static_cast<size_t>(end)];
  return SparseMatrix{end - begin, cols, offsets_from_zero(m.offsets, begin, end),
                      stretch(data, m.indices, first, last, [&](int32_t c) { return c >= 0 && c < cols; }),
                      m.values.empty() ? SharedArray<Real>() : stretch(data, m.values, first, last, finite)};
}

}  // namespace

Dataset own_rows(Ranks& ranks, const Dataset& data, const std::vector<int64_t>& cuts) {
  const int64_t begin = cuts[static_cast<size_t>(ranks.rank())], end = cuts[static_cast<size_t>(ranks.rank()) + 1];
  Dataset out;
  out.name = data.name;
  out.graph = own_graph(ranks, data, cuts);
  out.features = own_features(data, begin, end);
  out.labels = stretch(data, data.labels, begin, end, [&](int32_t y) { return y >= kUnlabeled && y < data.classes; });
  out.classes = data.classes;
  out.cleanup.stored = out.graph.edges();
  out.found_in_data = data.found_in_data;
  out.class_names = data.class_names;
  out.feature_names = data.feature_names;
  out.schema = data.schema;
  return out;
}

std::vector<int32_t> own_nodes(const std::vector<int32_t>& nodes, int64_t begin, int64_t end) {
  std::vector<int32_t> out;
  const auto first = std::lower_bound(nodes.begin(), nodes.end(), begin);
  for (auto v = first; v != nodes.end() && *v < end; ++v) out.push_back(static_cast<int32_t>(*v - begin));
  return out;
}

}  // namespace graphveil::graph
