#include "graphveil/graph/generate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "tests/graph/small_graphs.h"
#include "tests/threads.h"

namespace graphveil::graph::generate_test {
namespace {

bool same(const Dataset& a, const Dataset& b) {
  const bool dense_same =
      a.features.is_sparse() || std::ranges::equal(a.features.dense_values(), b.features.dense_values());
  const bool sparse_same =
      !a.features.is_sparse() || (std::ranges::equal(a.features.sparse().indices, b.features.sparse().indices) &&
                                  std::ranges::equal(a.features.sparse().offsets, b.features.sparse().offsets));
  return dense_same && sparse_same && std::ranges::equal(a.labels, b.labels) &&
         std::ranges::equal(a.graph.out_lists().offsets, b.graph.out_lists().offsets) &&
         std::ranges::equal(a.graph.out_lists().neighbors, b.graph.out_lists().neighbors);
}

TEST(Generate, SameSeedSameBitsForAnyThreadCount) {
  for (const char* name : {"tiny", "social"}) {
    const GeneratorSettings settings = preset(name, 3000);
    set_thread_count(1);
    const Dataset one = generate(settings, Seed::from_number(7));
    set_thread_count(2);
    EXPECT_TRUE(same(one, generate(settings, Seed::from_number(7)))) << name;
    EXPECT_FALSE(same(one, generate(settings, Seed::from_number(8)))) << name;
  }
}

TEST(Generate, NeighborsShareTheClassMoreOftenThanChance) {
  const Dataset dataset = generate(preset("social", 5000), Seed::from_number(1));
  int64_t same_class = 0;
  for (const auto& [u, v] : edges_of(dataset.graph)) same_class += dataset.labels[u] == dataset.labels[v];
  const double homophily = static_cast<double>(same_class) / static_cast<double>(dataset.graph.edges());
  EXPECT_GT(homophily, 0.45);  // six classes: 0.17 by chance
  EXPECT_LT(homophily, 0.60);
}

// The share of rows that lie nearest to the mean row of their own class, where rows of different centers are far apart.
double share_near_class(FeaturesFollow follow) {
  GeneratorSettings settings = preset("tiny", 4000);
  settings.loyalty = 0.6;
  settings.features_follow = follow;
  settings.features = GaussianFeatures{16, 30};
  const Dataset dataset = generate(settings, Seed::from_number(3));
  const ConstMatrixView rows = dataset.features.dense();
  const auto sizes = class_sizes(dataset);
  Matrix means(dataset.classes, rows.cols);
  for (int64_t v = 0; v < rows.rows; ++v) {
    const int32_t label = dataset.labels[v];
    for (int64_t c = 0; c < rows.cols; ++c) {
      means.row(label)[c] += rows.row(v)[c] / static_cast<Real>(sizes[label]);
    }
  }
  int64_t near = 0;
  for (int64_t v = 0; v < rows.rows; ++v) {
    std::vector<double> distances(static_cast<size_t>(dataset.classes), 0.0);
    for (int32_t k = 0; k < dataset.classes; ++k) {
      for (int64_t c = 0; c < rows.cols; ++c) distances[k] += std::pow(rows.row(v)[c] - means.row(k)[c], 2);
    }
    near += std::ranges::min_element(distances) - distances.begin() == dataset.labels[v];
  }
  return static_cast<double>(near) / static_cast<double>(rows.rows);
}

TEST(Generate, FeaturesTellTheClassOrTheCommunity) {
  EXPECT_GT(share_near_class(FeaturesFollow::Class), 0.999);
  // Six in ten are in the community of their class, and a third of the rest comes back to it.
  const double community = share_near_class(FeaturesFollow::Community);
  EXPECT_GT(community, 0.68);
  EXPECT_LT(community, 0.80);
}

TEST(Generate, EveryClassOccursInASmallGraph) {
  const Dataset dataset = generate(preset("citation", 60), Seed::from_number(1));
  const auto sizes = class_sizes(dataset);
  EXPECT_EQ(sizes.size(), 40u);
  EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 1);
}

TEST(Generate, SettingsOutOfRangeAreRefused) {
  EXPECT_THROW(generate(preset("social", 100), Seed::from_number(1)), Error);  // too few for degree 80
  EXPECT_THROW(generate(preset("tiny", 1), Seed::from_number(1)), Error);
  GeneratorSettings settings = preset("tiny");
  settings.loyalty = 1.5;
  EXPECT_THROW(generate(settings, Seed::from_number(1)), Error);
  settings = preset("tiny");
  settings.homophily = 0;
  EXPECT_THROW(generate(settings, Seed::from_number(1)), Error);
  for (const GaussianFeatures& features :
       {GaussianFeatures{0, 1}, GaussianFeatures{4, std::nan("")}, GaussianFeatures{4, -1}}) {
    settings = preset("tiny");
    settings.features = features;
    EXPECT_THROW(generate(settings, Seed::from_number(1)), Error);
  }
}

}  // namespace
}  // namespace graphveil::graph::generate_test
