// Synthetic datasets whose size, degrees, classes and difficulty resemble real ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/graph/synthetic_features.h"

namespace graphveil::graph {

// Of what a node's features tell. The class: then its own row knows more than its neighbors, who are its community's.
// The community: then neighbors know the same, with less noise, and a node's own row adds nothing to them.
enum class FeaturesFollow { Class, Community };

// A symmetric degree-corrected block model. Every node has a class; it belongs to the community of its class with
// probability `loyalty`, else to another one: no model that looks at neighbors alone gets further than that. Its
// edges stay inside the community with a probability of its own, Beta-distributed around `homophily`.
struct GeneratorSettings {
  std::string name;
  int64_t nodes = 0;
  double mean_degree = 0;    // directed edges per node
  double degree_spread = 1;  // standard deviation of the log of a node's activity
  double max_activity = 20;  // a node's activity is at most this many times the mean
  int32_t classes = 0;
  double class_skew = 0;  // class k has a share proportional to (k + 2)^-skew
  double loyalty = 1;
  double homophily = 0.5;
  double homophily_concentration = 4;  // larger: nodes alike; Beta(h * c, (1 - h) * c)
  FeaturesFollow features_follow = FeaturesFollow::Class;
  std::variant<GaussianFeatures, OneHotFeatures> features;
};

// "social", "citation", "products", "tiny".
std::vector<std::string> preset_names();

// One line per preset, for --help.
std::string preset_table();

// Throws InvalidArgument for an unknown name. `nodes` replaces the preset's number; everything else stays.
GeneratorSettings preset(std::string_view name, std::optional<int64_t> nodes = std::nullopt);

// The graph is the same for the same seed and any number of threads. Throws InvalidArgument for settings out of range
// or a graph too small for its mean degree.
Dataset generate(const GeneratorSettings& settings, const Seed& seed);

}  // namespace graphveil::graph
