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

constexpr int64_t kOwnValueGrain = 1 << 20;

[[noreturn]] void changed(const Dataset& data) {
  fail(ErrorKind::BadInput, "{}: was changed while it was read", data.name);
}

// The data set of which each rank gets the rows [cuts[rank], cuts[rank + 1]), which are there on every rank or on the
// one that holds them.
struct Whole {
  Ranks& ranks;
  const Dataset& data;
  const std::vector<int64_t>& cuts;

  int64_t cut(int rank) const { return cuts[static_cast<size_t>(rank)]; }
  int64_t begin() const { return cut(ranks.rank()); }
  int64_t end() const { return cut(ranks.rank() + 1); }
};

// The entries of rows [begin, end) go from the ranks that hold them to those that want them. place(row): how many
// entries all rows before it have.
template <typename T, typename Place>
std::vector<T> brought(const Whole& whole, std::span<const T> values, Place place) {
  const HeldRows& held = *whole.data.held;
  std::vector<T> out(static_cast<size_t>(place(whole.end()) - place(whole.begin())));
  std::vector<std::span<const std::byte>> to;
  std::vector<std::span<std::byte>> from;
  // Where the rows in both lie among the entries from `first` on.
  const auto both = [&](auto entries, int64_t first, int64_t begin, int64_t end) {
    if (begin >= end) return entries.first(0);
    return entries.subspan(static_cast<size_t>(place(begin) - place(first)),
                           static_cast<size_t>(place(end) - place(begin)));
  };
  for (int r = 0; r < whole.ranks.size(); ++r) {
    const int64_t theirs = held.cuts[static_cast<size_t>(r)], end = held.cuts[static_cast<size_t>(r) + 1];
    to.push_back(std::as_bytes(
        both(values, held.begin(), std::max(held.begin(), whole.cut(r)), std::min(held.end(), whole.cut(r + 1)))));
    from.push_back(std::as_writable_bytes(
        both(std::span(out), whole.begin(), std::max(theirs, whole.begin()), std::min(end, whole.end()))));
  }
  whole.ranks.exchange(to, from);
  return out;
}

template <typename T, typename Place>
std::vector<T> own_entries(const Whole& whole, const SharedArray<T>& values, Place place) {
  if (whole.data.held) return brought(whole, values.span(), place);
  const int64_t begin = place(whole.begin()), end = place(whole.end());
  const auto part = values.span().subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  return {part.begin(), part.end()};
}

// Throws unless each entry holds.
template <typename T, typename Holds>
SharedArray<T> checked(const Dataset& data, std::vector<T> values, Holds holds) {
  std::atomic<bool> good{true};
  parallel_for(std::ssize(values), kOwnValueGrain, [&](int64_t first, int64_t last) {
    bool all = true;
    for (int64_t i = first; i < last; ++i) all &= holds(values[static_cast<size_t>(i)]);
    if (!all) good = false;
  });
  if (!good) changed(data);
  return values;
}

SharedArray<int64_t> offsets_from_zero(const SharedArray<int64_t>& offsets, int64_t begin, int64_t end) {
  std::vector<int64_t> out(static_cast<size_t>(end - begin) + 1);
  for (int64_t v = begin; v <= end; ++v) {
    out[static_cast<size_t>(v - begin)] = offsets[static_cast<size_t>(v)] - offsets[static_cast<size_t>(begin)];
  }
  return out;
}

auto place_in(const SharedArray<int64_t>& offsets) {
  return [&offsets](int64_t row) { return offsets[static_cast<size_t>(row)]; };
}

// The numbers of neighbors become places in the reach. Both rise together, so the lists keep their order.
Adjacency in_reach(const Dataset& data, const Adjacency& lists, std::vector<int32_t> neighbors, const Partition& p) {
  SharedArray<int64_t> offsets = offsets_from_zero(lists.offsets, p.begin, p.end);
  std::atomic<bool> good{true};
  parallel_for(std::ssize(neighbors), kOwnValueGrain, [&](int64_t begin, int64_t end) {
    for (int32_t& neighbor :
         std::span(neighbors).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin))) {
      const int64_t v = neighbor;
      int64_t place = v - p.begin + p.before;
      if (v < p.begin || v >= p.end) {
        const auto found = std::lower_bound(p.others.begin(), p.others.end(), neighbor);
        if (found == p.others.end() || *found != neighbor) good = false;
        place = found - p.others.begin() + (v < p.begin ? 0 : p.own());
      }
      neighbor = static_cast<int32_t>(place);
    }
  });
  if (!good) changed(data);
  return {std::move(offsets), std::move(neighbors)};
}

void add_neighbors(const Dataset& data, std::span<const int32_t> neighbors, std::vector<bool>& named) {
  for (const int32_t v : neighbors) {
    if (v < 0 || v >= data.nodes()) changed(data);
    named[static_cast<size_t>(v)] = true;
  }
}

Graph own_graph(const Whole& whole) {
  const Dataset& data = whole.data;
  const Adjacency &in = data.graph.in_lists(), &out = data.graph.out_lists();
  const bool symmetric = data.graph.symmetric();
  std::vector<int32_t> sources = own_entries(whole, in.neighbors, place_in(in.offsets)), targets;
  if (!symmetric) targets = own_entries(whole, out.neighbors, place_in(out.offsets));
  // A bit for every node takes less than the numbers of all edges.
  std::vector<bool> named(static_cast<size_t>(data.nodes()), false);
  add_neighbors(data, sources, named);
  add_neighbors(data, targets, named);
  std::vector<int32_t> neighbors;
  for (int64_t v = 0; v < data.nodes(); ++v) {
    if (named[static_cast<size_t>(v)]) neighbors.push_back(static_cast<int32_t>(v));
  }
  const auto partition =
      std::make_shared<const Partition>(make_partition(whole.ranks, whole.cuts, std::move(neighbors)));
  Adjacency own_in = in_reach(data, in, std::move(sources), *partition);
  Adjacency own_out = symmetric ? own_in : in_reach(data, out, std::move(targets), *partition);
  return Graph::own_part(std::move(own_out), std::move(own_in), symmetric, partition);
}

Features own_features(const Whole& whole) {
  const auto finite = [](Real x) { return std::isfinite(x); };
  const Features& features = whole.data.features;
  const int64_t cols = features.cols(), rows = whole.end() - whole.begin();
  if (!features.is_sparse()) {
    const auto place = [cols](int64_t row) { return row * cols; };
    return {rows, cols, checked(whole.data, own_entries(whole, features.dense_values(), place), finite)};
  }
  const SparseMatrix& m = features.sparse();
  const auto place = place_in(m.offsets);
  const auto column = [&](int32_t c) { return c >= 0 && c < cols; };
  return SparseMatrix{
      rows, cols, offsets_from_zero(m.offsets, whole.begin(), whole.end()),
      checked(whole.data, own_entries(whole, m.indices, place), column),
      m.values.empty() ? SharedArray<Real>() : checked(whole.data, own_entries(whole, m.values, place), finite)};
}

}  // namespace

Dataset own_rows(Ranks& ranks, const Dataset& data, const std::vector<int64_t>& cuts) {
  const Whole whole{ranks, data, cuts};
  const auto labels =
      data.labels.span().subspan(static_cast<size_t>(whole.begin()), static_cast<size_t>(whole.end() - whole.begin()));
  Dataset out;
  out.name = data.name;
  out.graph = own_graph(whole);
  out.features = own_features(whole);
  out.labels = checked(data, std::vector<int32_t>(labels.begin(), labels.end()),
                       [&](int32_t y) { return y >= kUnlabeled && y < data.classes; });
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
