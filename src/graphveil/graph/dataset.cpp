#include "graphveil/graph/dataset.h"

#include <algorithm>

#include "graphveil/base/error.h"

namespace graphveil::graph {
namespace {

void mark_part(const std::vector<int32_t>& part, const char* name, std::vector<bool>& taken) {
  int32_t previous = -1;
  for (int32_t node : part) {
    require(node > previous && node < static_cast<int64_t>(taken.size()), "{} split: node {} after {}, want {} to {}",
            name, node, previous, previous + 1, static_cast<int64_t>(taken.size()) - 1);
    require(!taken[node], "{} split: node {} is in another part as well", name, node);
    taken[node] = true;
    previous = node;
  }
}

}  // namespace

void check(const Dataset& dataset) {
  const int64_t nodes = dataset.nodes();
  require(dataset.features.rows() == nodes, "{} feature rows for {} nodes", dataset.features.rows(), nodes);
  require(static_cast<int64_t>(dataset.labels.size()) == nodes, "{} labels for {} nodes", dataset.labels.size(), nodes);
  require(dataset.classes >= 0, "number of classes is {}", dataset.classes);
  for (int64_t v = 0; v < nodes; ++v) {
    const int32_t label = dataset.labels[v];
    require(label == kUnlabeled || (label >= 0 && label < dataset.classes), "label of node {} is {}, want 0 to {}", v,
            label, dataset.classes - 1);
  }
  const auto named = [](const Names& names, int64_t count, const char* what) {
    require(names.empty() || names.size() == count, "{} names for {} {}", names.size(), count, what);
  };
  named(dataset.ids, nodes, "nodes");
  named(dataset.class_names, dataset.classes, "classes");
  named(dataset.feature_names, dataset.features.cols(), "feature columns");
  if (dataset.split) {
    std::vector<bool> taken(static_cast<size_t>(nodes), false);
    mark_part(dataset.split->train, "train", taken);
    mark_part(dataset.split->val, "val", taken);
    mark_part(dataset.split->test, "test", taken);
  }
}

std::vector<int64_t> class_sizes(const Dataset& dataset) {
  std::vector<int64_t> sizes(static_cast<size_t>(dataset.classes), 0);
  for (int32_t label : dataset.labels) {
    if (label != kUnlabeled) ++sizes[label];
  }
  return sizes;
}

int64_t unlabeled_nodes(const Dataset& dataset) {
  return std::count(dataset.labels.begin(), dataset.labels.end(), kUnlabeled);
}

}  // namespace graphveil::graph
