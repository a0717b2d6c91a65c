#include "graphveil/graph/class_filter.h"

#include <utility>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/subgraph.h"

namespace graphveil::graph {

Dataset keep_classes_of_at_least(const Dataset& dataset, int64_t min_nodes) {
  require(min_nodes >= 1, "smallest class size is {}, want at least 1", min_nodes);
  const std::vector<int64_t> sizes = class_sizes(dataset);
  std::vector<int32_t> new_class(sizes.size(), kUnlabeled);
  std::vector<int32_t> old_class;
  for (size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] < min_nodes) continue;
    new_class[c] = static_cast<int32_t>(old_class.size());
    old_class.push_back(static_cast<int32_t>(c));
  }
  const auto classes = static_cast<int32_t>(old_class.size());
  if (classes == 0) fail(ErrorKind::BadInput, "{}: no class has {} nodes or more", dataset.name, min_nodes);

  std::vector<int32_t> nodes;
  for (int64_t v = 0; v < dataset.nodes(); ++v) {
    const int32_t label = dataset.labels[v];
    if (label != kUnlabeled && new_class[label] != kUnlabeled) nodes.push_back(static_cast<int32_t>(v));
  }
  Dataset kept = induced_subgraph(dataset, nodes);
  std::vector<int32_t> labels(kept.labels.begin(), kept.labels.end());
  for (int32_t& label : labels) label = new_class[label];
  kept.labels = std::move(labels);
  kept.classes = classes;
  kept.class_names = dataset.class_names.at(old_class);
  kept.found_in_data.push_back(fmt::format("which classes have at least {} nodes", min_nodes));
  return kept;
}

}  // namespace graphveil::graph
