#include "graphveil/files/text_folder.h"

#include <utility>
#include <vector>

#include "graphveil/files/assemble.h"
#include "graphveil/files/bad_input.h"
#include "graphveil/files/text_rows.h"

namespace graphveil::files {
namespace {

std::vector<int32_t> read_part(const std::string& path, int64_t nodes) {
  if (path.empty()) return {};
  return checked_part(path, "line", read_column(path), nodes);
}

}  // namespace

graph::Dataset read_text_files(const std::string& name, const TextFiles& files) {
  const std::vector<int64_t> labels = read_labels(files.labels);
  const int64_t nodes = checked_nodes(files.labels, "labels", static_cast<int64_t>(labels.size()));

  graph::Dataset dataset;
  dataset.name = name;
  {
    std::vector<int32_t> sources, targets;
    read_edges(files.edges, nodes, sources, targets);
    dataset.graph = graph::Graph::from_edges(nodes, sources, targets, &dataset.cleanup);
  }
  std::vector<float> values;
  const int64_t width = read_table(files.features, values);
  const int64_t rows = width > 0 ? static_cast<int64_t>(values.size()) / width : 0;
  if (rows != nodes) bad_field(files.features, "features", "has {} rows for {} nodes", rows, nodes);
  dataset.features = graph::Features(nodes, width, std::move(values));
  set_labels(files.labels, "labels", labels, dataset);
  if (!files.train.empty()) {
    dataset.split =
        graph::Split{read_part(files.train, nodes), read_part(files.val, nodes), read_part(files.test, nodes)};
    check_disjoint(files.train, *dataset.split, nodes);
  }
  return dataset;
}

}  // namespace graphveil::files
