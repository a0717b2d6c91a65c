#include "graphveil/graph/public_private.h"

#include <algorithm>
#include <span>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/graph/subgraph.h"

namespace graphveil::graph {
namespace {

std::vector<int32_t> nodes_where(const Dataset& dataset, bool labeled) {
  std::vector<int32_t> nodes;
  for (int64_t v = 0; v < dataset.nodes(); ++v) {
    if ((dataset.labels[v] != kUnlabeled) == labeled) nodes.push_back(static_cast<int32_t>(v));
  }
  return nodes;
}

std::vector<int32_t> sorted(std::vector<int32_t> nodes) {
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// The place of each of `some` in `all`; both rise.
std::vector<int32_t> places(const std::vector<int32_t>& some, const std::vector<int32_t>& all) {
  std::vector<int32_t> found;
  for (int32_t v : some) {
    found.push_back(static_cast<int32_t>(std::lower_bound(all.begin(), all.end(), v) - all.begin()));
  }
  return found;
}

// Takes the last `count` of the nodes away, rising.
std::vector<int32_t> taken(std::vector<int32_t>& nodes, int64_t count) {
  std::vector<int32_t> part(nodes.end() - count, nodes.end());
  nodes.resize(nodes.size() - static_cast<size_t>(count));
  return sorted(std::move(part));
}

// Moves as many nodes of every class to the end, `count` in all, the order kept otherwise.
void balance(std::vector<int32_t>& nodes, const Dataset& dataset, int64_t count) {
  std::vector<int64_t> wanted(static_cast<size_t>(dataset.classes));
  for (int64_t i = 0; i < count; ++i) ++wanted[static_cast<size_t>(i % dataset.classes)];
  std::vector<int32_t> others, chosen;
  for (const int32_t v : nodes) {
    int64_t& left = wanted[static_cast<size_t>(dataset.labels[v])];
    (left > 0 ? chosen : others).push_back(v);
    if (left > 0) --left;
  }
  require(static_cast<int64_t>(chosen.size()) == count,
          "private-nodes is {}, but some class has fewer nodes than its share of that: make it smaller", count);
  nodes = std::move(others);
  nodes.insert(nodes.end(), chosen.begin(), chosen.end());
}

}  // namespace

PublicPrivate split_public_private(const Dataset& dataset, const PublicPrivateSizes& sizes, const Seed& seed) {
  require(sizes.private_nodes >= 1, "private-nodes is {}, want at least 1", sizes.private_nodes);
  require(
      sizes.public_test >= 0 && sizes.public_test < sizes.public_nodes,
      "public-test is {} and public-nodes {}, want a test of at least 0 that leaves some public nodes to learn from",
      sizes.public_test, sizes.public_nodes);
  std::vector<int32_t> nodes = nodes_where(dataset, true);
  require(sizes.private_nodes <= dataset.nodes() && sizes.public_nodes <= dataset.nodes() - sizes.private_nodes,
          "private-nodes is {} and public-nodes {}, but the graph has {} nodes: make them smaller", sizes.private_nodes,
          sizes.public_nodes, dataset.nodes());
  require(sizes.private_nodes + sizes.public_test <= static_cast<int64_t>(nodes.size()),
          "private-nodes is {} and public-test {}, but only {} nodes have a label: make them smaller",
          sizes.private_nodes, sizes.public_test, nodes.size());

  RandomStream random(seed, "public and private");
  random.shuffle(std::span<int32_t>(nodes));
  if (sizes.balanced) {
    balance(nodes, dataset, sizes.private_nodes);
    // What balance left of a small class stood late in the order: as it is, all of it would come to the test nodes.
    random.shuffle(std::span<int32_t>(nodes).first(nodes.size() - static_cast<size_t>(sizes.private_nodes)));
  }
  const std::vector<int32_t> hidden = taken(nodes, sizes.private_nodes), test = taken(nodes, sizes.public_test);
  const std::vector<int32_t> unlabeled = nodes_where(dataset, false);
  nodes.insert(nodes.end(), unlabeled.begin(), unlabeled.end());
  random.shuffle(std::span<int32_t>(nodes));
  const std::vector<int32_t> pool = taken(nodes, sizes.public_nodes - sizes.public_test);

  if (sizes.one_graph) return {with_labels_of(dataset, hidden), {hidden, {}, {}}, dataset, {pool, {}, test}, {}};
  PublicPrivate parts;
  std::merge(test.begin(), test.end(), pool.begin(), pool.end(), std::back_inserter(parts.public_ids));
  parts.private_data = induced_subgraph(dataset, hidden);
  parts.private_split.train = nodes_where(parts.private_data, true);
  parts.public_data = induced_subgraph(dataset, parts.public_ids);
  parts.public_split.train = places(pool, parts.public_ids);
  parts.public_split.test = places(test, parts.public_ids);
  return parts;
}

PublicPrivate pair_public_private(const Dataset& private_data, const Dataset& public_data, int64_t public_test,
                                  const Seed& seed) {
  require(private_data.features.cols() == public_data.features.cols(),
          "the private graph has {} features and the public one {}, want the same", private_data.features.cols(),
          public_data.features.cols());
  require(public_data.classes <= private_data.classes,
          "the public graph has {} classes and the private one {}: want no class that only the public one knows",
          public_data.classes, private_data.classes);
  PublicPrivate parts{private_data, {}, public_data, {}, {}};
  parts.public_data.classes = private_data.classes;
  parts.public_data.class_names = private_data.class_names;
  parts.private_split.train = nodes_where(private_data, true);
  require(!parts.private_split.train.empty(), "no node of the private graph has a label");

  std::vector<int32_t> nodes = nodes_where(public_data, true);
  require(public_test >= 0 && public_test <= static_cast<int64_t>(nodes.size()) && public_test < public_data.nodes(),
          "public-test is {}, but the public graph has {} nodes, {} with a label: make it smaller", public_test,
          public_data.nodes(), nodes.size());
  RandomStream(seed, "public and private").shuffle(std::span<int32_t>(nodes));
  parts.public_split.test = taken(nodes, public_test);
  const std::vector<int32_t> unlabeled = nodes_where(public_data, false);
  nodes.insert(nodes.end(), unlabeled.begin(), unlabeled.end());
  parts.public_split.train = sorted(std::move(nodes));
  return parts;
}

Dataset without_labels(const Dataset& dataset) { return with_labels_of(dataset, {}); }

Dataset with_labels_of(const Dataset& dataset, const std::vector<int32_t>& nodes) {
  std::vector<int32_t> labels(static_cast<size_t>(dataset.nodes()), kUnlabeled);
  for (const int32_t v : nodes) labels[static_cast<size_t>(v)] = dataset.labels[v];
  Dataset out = dataset;
  out.labels = std::move(labels);
  return out;
}

}  // namespace graphveil::graph
