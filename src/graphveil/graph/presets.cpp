// The presets of the generator. Their strengths of signal were fitted so that a linear model on a node's own
// features, and one that also averages over neighbors, reach the accuracies in the table.

#include <variant>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"

namespace graphveil::graph {
namespace {

struct Preset {
  const char* likeness;
  GeneratorSettings settings;
};

const std::vector<Preset>& presets() {
  static const std::vector<Preset> kPresets{
      {"a university's friendships (Facebook100)",
       {.name = "social",
        .nodes = 26406,
        .mean_degree = 80,
        .degree_spread = 0.9,
        .max_activity = 14,
        .classes = 6,
        .class_skew = 0.15,
        .loyalty = 0.79,
        .homophily = 0.67,
        .homophily_concentration = 4,
        .features = OneHotFeatures{{6, 2, 140, 130, 200, 23}, {0.0, 0.08, 0.15, 0.4, 0.5, 0.3}, 0.67}}},
      {"papers that cite each other (ogbn-arxiv)",
       {.name = "citation",
        .nodes = 169343,
        .mean_degree = 14,
        .degree_spread = 1.0,
        .max_activity = 200,
        .classes = 40,
        .class_skew = 0.9,
        .loyalty = 0.73,
        .homophily = 0.7,
        .homophily_concentration = 4,
        .features = GaussianFeatures{128, 2.35}}},
      {"products bought together (ogbn-products)",
       {.name = "products",
        .nodes = 1790731,
        .mean_degree = 45.2329,
        .degree_spread = 1.1,
        .max_activity = 300,
        .classes = 10,
        .class_skew = 0.8,
        .loyalty = 0.85,
        .homophily = 0.7,
        .homophily_concentration = 4,
        .features = GaussianFeatures{100, 1.8}}},
      {"for tests",
       {.name = "tiny",
        .nodes = 300,
        .mean_degree = 12,
        .degree_spread = 0.6,
        .max_activity = 5,
        .classes = 3,
        .class_skew = 0.3,
        .loyalty = 0.9,
        .homophily = 0.7,
        .homophily_concentration = 8,
        .features = GaussianFeatures{16, 2.0}}}};
  return kPresets;
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& p : presets()) names.push_back(p.settings.name);
  return names;
}

std::string preset_table() {
  std::string table;
  for (const auto& [likeness, s] : presets()) {
    const auto* const dense = std::get_if<GaussianFeatures>(&s.features);
    table += fmt::format("  {:<9} {:>7} nodes, mean degree {:>2.0f}, {:>2} classes: {}\n", s.name, s.nodes,
                         s.mean_degree, s.classes, likeness);
    table += fmt::format("  {:<9} homophily {}, loyalty {}, {}\n", "", s.homophily, s.loyalty,
                         dense == nullptr
                             ? std::string("one-hot features")
                             : fmt::format("{} dense columns, separation {}", dense->columns, dense->separation));
  }
  return table;
}

GeneratorSettings preset(std::string_view name, std::optional<int64_t> nodes) {
  for (const Preset& p : presets()) {
    if (p.settings.name != name) continue;
    GeneratorSettings settings = p.settings;
    settings.nodes = nodes.value_or(settings.nodes);
    return settings;
  }
  fail(ErrorKind::InvalidArgument, "preset is '{}', want {}", name, fmt::join(preset_names(), ", "));
}

}  // namespace graphveil::graph
