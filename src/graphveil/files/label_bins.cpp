#include "graphveil/files/label_bins.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace graphveil::files {

constexpr size_t kMostEdges = 1000;

std::vector<std::string> bin_names(std::span<const double> edges) {
  std::vector<std::string> names;
  if (edges.empty()) return names;
  names.push_back(fmt::format("below {}", edges.front()));
  for (size_t i = 1; i < edges.size(); ++i) names.push_back(fmt::format("{} to {}", edges[i - 1], edges[i]));
  names.push_back(fmt::format("{} or more", edges.back()));
  return names;
}

int32_t bin_of(std::span<const double> edges, double value) {
  return static_cast<int32_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
}

std::optional<std::string> wrong_edges(std::span<const double> edges) {
  if (edges.empty() || edges.size() > kMostEdges) {
    return fmt::format("there are {} edges, want 1 to {}", edges.size(), kMostEdges);
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!std::isfinite(edges[i])) return fmt::format("an edge is {}, want a number", edges[i]);
    if (i > 0 && !(edges[i - 1] < edges[i])) {
      return fmt::format("{} comes before {}, want rising numbers", edges[i - 1], edges[i]);
    }
  }
  return std::nullopt;
}

std::string bins_advice(const std::string& column) {
  return fmt::format(
      "numbers are not predicted here, classes are: declare in the schema into which bins it falls, label = {{ column "
      "= "
      "\"{}\", kind = \"bins\", edges = [3, 7, 30] }} (docs/schema.md), or draft it with `data schema --label-bins "
      "3,7,30`",
      column.empty() ? "..." : column);
}

}  // namespace graphveil::files
