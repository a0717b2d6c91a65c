#include "cli/description.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graphveil/graph/degrees.h"
#include "graphveil/graph/homophily.h"

namespace graphveil::cli {
namespace {

using graph::Dataset;
using graph::DegreeQuantiles;

nlohmann::ordered_json quantiles_json(const DegreeQuantiles& q) {
  return {{"min", q.min}, {"p25", q.p25}, {"median", q.median}, {"p75", q.p75},
          {"p90", q.p90}, {"p99", q.p99}, {"max", q.max}};
}

std::string quantiles_text(const DegreeQuantiles& q) {
  return fmt::format("min {}, 25% {}, median {}, 75% {}, 90% {}, 99% {}, max {}", grouped(q.min), grouped(q.p25),
                     grouped(q.median), grouped(q.p75), grouped(q.p90), grouped(q.p99), grouped(q.max));
}

std::string edges_text(const Dataset& dataset) {
  const graph::EdgeCleanup& cleanup = dataset.cleanup;
  std::string text = grouped(cleanup.stored) + " stored";
  if (dataset.graph.symmetric()) {
    text += fmt::format(" ({} undirected)", grouped(dataset.graph.edges() / 2));
  } else {
    text += " (directed)";
  }
  const std::pair<int64_t, const char*> removed[] = {
      {cleanup.self_loops, "self-loops"}, {cleanup.duplicates, "duplicates"}, {cleanup.zero_weights, "of weight 0"}};
  for (const auto& [count, what] : removed) {
    if (count > 0) text += fmt::format(", {} {} left out", grouped(count), what);
  }
  return text + (cleanup.weights_ignored ? ", weights ignored" : "");
}

std::string sizes_text(const std::vector<int64_t>& sizes) {
  constexpr size_t kShown = 12;
  std::string text;
  for (size_t c = 0; c < std::min(sizes.size(), kShown); ++c) text += (c ? ", " : "") + grouped(sizes[c]);
  if (sizes.size() > kShown) {
    text += fmt::format(", ... (smallest {}, largest {})", grouped(*std::min_element(sizes.begin(), sizes.end())),
                        grouped(*std::max_element(sizes.begin(), sizes.end())));
  }
  return text;
}

// The first few names, and how many there are.
std::string names_text(const graph::Names& names) {
  constexpr int64_t kShown = 12;
  std::string text;
  for (int64_t i = 0; i < std::min(names.size(), kShown); ++i) text += fmt::format("{}{}", i ? ", " : "", names[i]);
  return text + (names.size() > kShown ? fmt::format(", ... ({} in all)", grouped(names.size())) : "");
}

}  // namespace

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), 1, ',');
  return digits;
}

nlohmann::ordered_json description_json(const Dataset& dataset) {
  const graph::DegreeStatistics degrees = graph::degree_statistics(dataset.graph);
  nlohmann::ordered_json json{{"name", dataset.name},
                              {"nodes", dataset.nodes()},
                              {"edges", dataset.cleanup.stored},
                              {"features", dataset.features.cols()},
                              {"classes", dataset.classes},
                              {"symmetric", dataset.graph.symmetric()},
                              {"mean_degree", dataset.graph.mean_degree()},
                              {"edges_used", dataset.graph.edges()},
                              {"self_loops_removed", dataset.cleanup.self_loops},
                              {"duplicates_removed", dataset.cleanup.duplicates},
                              {"zero_weights_removed", dataset.cleanup.zero_weights},
                              {"weights_ignored", dataset.cleanup.weights_ignored},
                              {"sparse_features", dataset.features.is_sparse()},
                              {"feature_entries", dataset.features.entries()},
                              {"in_degree", quantiles_json(degrees.in)},
                              {"out_degree", quantiles_json(degrees.out)},
                              {"isolated_nodes", degrees.isolated},
                              {"edge_homophily", nullptr},
                              {"class_sizes", graph::class_sizes(dataset)},
                              {"unlabeled_nodes", graph::unlabeled_nodes(dataset)},
                              {"class_names", dataset.class_names.list()},
                              {"feature_names", dataset.feature_names.list()},
                              {"ids", !dataset.ids.empty()},
                              {"schema", !dataset.schema.empty()},
                              {"found_in_data", dataset.found_in_data}};
  if (const std::optional<double> share = graph::edge_homophily(dataset)) json["edge_homophily"] = *share;
  if (dataset.split) {
    json["split"] = {{"train", dataset.split->train.size()},
                     {"val", dataset.split->val.size()},
                     {"test", dataset.split->test.size()}};
  }
  return json;
}

std::string description_text(const Dataset& dataset) {
  const graph::DegreeStatistics degrees = graph::degree_statistics(dataset.graph);
  std::string text = dataset.name + "\n";
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("  {:<15}{}\n", label, value);
  };
  line("nodes", grouped(dataset.nodes()));
  line("edges", edges_text(dataset));
  line("symmetric", dataset.graph.symmetric() ? "yes" : "no");
  line("features", fmt::format("{} {} ({:.1f} entries a node)", grouped(dataset.features.cols()),
                               dataset.features.is_sparse() ? "sparse" : "dense",
                               static_cast<double>(dataset.features.entries()) / static_cast<double>(dataset.nodes())));
  if (!dataset.feature_names.empty()) line("columns", names_text(dataset.feature_names));
  if (!dataset.ids.empty()) line("ids", "yes, such as " + std::string(dataset.ids[0]));
  line("classes", std::to_string(dataset.classes));
  if (!dataset.class_names.empty()) line("class names", names_text(dataset.class_names));
  line("class sizes", sizes_text(graph::class_sizes(dataset)));
  if (const int64_t count = graph::unlabeled_nodes(dataset); count > 0) line("unlabeled", grouped(count));
  line("mean degree", fmt::format("{:.2f}", dataset.graph.mean_degree()));
  if (dataset.graph.symmetric()) {
    line("degrees", quantiles_text(degrees.in));
  } else {
    line("in-degrees", quantiles_text(degrees.in));
    line("out-degrees", quantiles_text(degrees.out));
  }
  line("isolated nodes", grouped(degrees.isolated));
  if (const std::optional<double> share = graph::edge_homophily(dataset)) {
    line("homophily", fmt::format("{:.1f}% of edges join two nodes of one class (yours to know: it reads private "
                                  "edges and labels)",
                                  100 * *share));
  }
  if (dataset.split) {
    line("split", fmt::format("{} train, {} val, {} test", grouped(static_cast<int64_t>(dataset.split->train.size())),
                              grouped(static_cast<int64_t>(dataset.split->val.size())),
                              grouped(static_cast<int64_t>(dataset.split->test.size()))));
  }
  if (!dataset.schema.empty()) line("schema", "declared public");
  for (const std::string& found : dataset.found_in_data) line("from the data", found);
  return text;
}

std::vector<std::string> left_behind(const Dataset& dataset, const std::string& path) {
  std::vector<std::string> lost;
  if (!path.ends_with(".npz")) return lost;
  if (!dataset.ids.empty()) lost.emplace_back("ids");
  if (!dataset.class_names.empty()) lost.emplace_back("class names");
  if (!dataset.feature_names.empty()) lost.emplace_back("feature names");
  if (!dataset.schema.empty()) lost.emplace_back("the declared schema");
  return lost;
}

std::string left_behind_text(const std::vector<std::string>& lost) {
  if (lost.empty()) return "";
  return fmt::format(".npz has no room for these, which are left behind: {}; write .gvg to keep them\n",
                     fmt::join(lost, ", "));
}

}  // namespace graphveil::cli
