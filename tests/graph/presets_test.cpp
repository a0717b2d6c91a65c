#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/degrees.h"
#include "graphveil/graph/generate.h"

namespace graphveil::graph::presets_test {
namespace {

struct Wanted {
  const char* name;
  int64_t nodes;
  double mean_degree;
  int64_t features;
  int32_t classes;
  int64_t max_degree;
};

class Presets : public testing::TestWithParam<Wanted> {};

TEST_P(Presets, HitTheirStatistics) {
  const Wanted& wanted = GetParam();
  const Dataset dataset = generate(preset(wanted.name), Seed::from_number(1));
  check(dataset);
  EXPECT_TRUE(dataset.graph.symmetric());
  EXPECT_EQ(dataset.nodes(), wanted.nodes);
  EXPECT_NEAR(dataset.graph.mean_degree(), wanted.mean_degree, 0.05 * wanted.mean_degree);
  EXPECT_EQ(dataset.features.cols(), wanted.features);
  EXPECT_EQ(dataset.classes, wanted.classes);
  const DegreeStatistics degrees = degree_statistics(dataset.graph);
  EXPECT_LT(degrees.in.max, wanted.max_degree);
  EXPECT_GT(degrees.in.p99, 2 * degrees.in.p75);  // heavy-tailed
  EXPECT_LT(degrees.isolated, dataset.nodes() / 20);
}

INSTANTIATE_TEST_SUITE_P(All, Presets,
                         testing::Values(Wanted{"tiny", 300, 12, 16, 3, 80}, Wanted{"social", 26406, 80, 501, 6, 1500},
                                         Wanted{"citation", 169343, 14, 128, 40, 2000}),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Too large to draw in a unit test: its settings, and its statistics when scaled down.
TEST(Preset, ProductsHasTheSizeAskedFor) {
  const GeneratorSettings products = preset("products");
  EXPECT_EQ(products.nodes, 1790731);
  EXPECT_NEAR(products.mean_degree * 1790731, 81e6, 0.05 * 81e6);
  EXPECT_EQ(products.classes, 10);
  EXPECT_EQ(std::get<GaussianFeatures>(products.features).columns, 100);
  const Dataset scaled = generate(preset("products", 20000), Seed::from_number(1));
  EXPECT_EQ(scaled.nodes(), 20000);
  EXPECT_NEAR(scaled.graph.mean_degree(), products.mean_degree, 0.05 * products.mean_degree);
}

TEST(Preset, UnknownNameIsRefused) { EXPECT_THROW(preset("nothing"), Error); }

TEST(Preset, TableNamesThemAll) {
  for (const std::string& name : preset_names()) EXPECT_NE(preset_table().find(name), std::string::npos);
}

}  // namespace
}  // namespace graphveil::graph::presets_test
