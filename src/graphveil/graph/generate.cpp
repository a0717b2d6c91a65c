#include "graphveil/graph/generate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/graph/alias_table.h"
#include "graphveil/graph/block_model.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kGrain = 4096;

void check(const GeneratorSettings& s) {
  require(s.nodes >= 2 && s.nodes <= kMaxNodes, "number of nodes is {}, want 2 to {}", s.nodes, kMaxNodes);
  require(s.classes >= 1 && s.classes <= s.nodes, "number of classes is {}, want 1 to {}", s.classes, s.nodes);
  require(s.loyalty >= 0 && s.loyalty <= 1, "loyalty is {}, want 0 to 1", s.loyalty);
  require(s.homophily > 0 && s.homophily < 1, "homophily is {}, want a number above 0 and below 1", s.homophily);
  require(s.homophily_concentration > 0, "concentration is {}, want more than 0", s.homophily_concentration);
}

// Gamma(shape, 1) by Marsaglia and Tsang; for shape < 1 through Gamma(shape + 1) * U^(1 / shape).
double gamma(RandomStream& random, double shape) {
  if (shape < 1) {
    const double boosted = gamma(random, shape + 1);
    return boosted * std::pow(random.uniform(), 1 / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.gaussian();
    const double v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double beta(RandomStream& random, double a, double b) {
  const double x = gamma(random, a);
  const double y = gamma(random, b);
  return x + y > 0 ? x / (x + y) : a / (a + b);
}

}  // namespace

Dataset generate(const GeneratorSettings& settings, const Seed& seed) {
  check(settings);
  std::vector<double> shares;
  for (int32_t k = 0; k < settings.classes; ++k) shares.push_back(std::pow(k + 2.0, -settings.class_skew));
  const AliasTable class_of(shares);

  std::vector<int32_t> labels(static_cast<size_t>(settings.nodes));
  BlockModel model;
  model.groups = settings.classes;
  model.group.resize(labels.size());
  model.inside.resize(labels.size());
  model.across.resize(labels.size());
  const double h = settings.homophily, c = settings.homophily_concentration;
  parallel_for(settings.nodes, kGrain, [&](int64_t begin, int64_t end) {
    RandomStream random(seed, "node traits");
    for (int64_t v = begin; v < end; ++v) {
      random.seek(static_cast<uint64_t>(v));
      // The first nodes go one to each class, so that every class occurs even in a small graph.
      const int32_t drawn = class_of.draw(random);
      labels[v] = v < settings.classes ? static_cast<int32_t>(v) : drawn;
      model.group[v] = random.bernoulli(settings.loyalty) ? labels[v] : class_of.draw(random);
      // Log-normal with mean 1: heavy-tailed but not without end.
      const double s = settings.degree_spread;
      const double activity = std::min(std::exp(s * random.gaussian() - s * s / 2), settings.max_activity);
      const double focus = beta(random, h * c, (1 - h) * c);
      model.inside[v] = activity * focus;
      model.across[v] = activity * (1 - focus);
    }
  });
  Dataset dataset;
  dataset.name = settings.name;
  dataset.graph = draw_block_model(model, settings.mean_degree, seed);
  dataset.cleanup.stored = dataset.graph.edges();
  const std::vector<int32_t>& followed = settings.features_follow == FeaturesFollow::Class ? labels : model.group;
  dataset.features =
      std::visit([&](const auto& features) { return draw_features(features, followed, settings.classes, seed); },
                 settings.features);
  dataset.labels = std::move(labels);
  dataset.classes = settings.classes;
  return dataset;
}

}  // namespace graphveil::graph
