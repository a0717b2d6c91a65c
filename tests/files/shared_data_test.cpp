// The real graphs: the numbers of their README, and the .mat files against the .npz files made from them elsewhere.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "graphveil/files/format.h"
#include "graphveil/graph/class_filter.h"
#include "graphveil/graph/isolated.h"

namespace graphveil::files::shared_data_test {
namespace {

std::string data_folder() {
  const char* chosen = std::getenv("GRAPHVEIL_DATA");
  return (chosen ? std::string(chosen) : std::string(GRAPHVEIL_SOURCE_DIR) + "/../shared") + "/data";
}

struct Wanted {
  const char* path;
  int64_t nodes;
  int64_t stored_edges;
  bool symmetric;
  int64_t features;
  bool sparse;
  int32_t classes;
};

// The table of data/README.md; a .mat before any filtering, with its undirected edges twice.
const Wanted kTable[] = {
    {"cora/cora.npz", 2708, 10556, true, 1433, true, 7},
    {"cora/cora_gnnbenchmark.npz", 2708, 5429, false, 1433, true, 7},
    {"citeseer/citeseer.npz", 3327, 9104, true, 3703, true, 6},
    {"citeseer/citeseer_gnnbenchmark.npz", 3312, 4715, false, 3703, true, 6},
    {"cora_ml/cora_ml.npz", 2995, 16316, true, 2879, true, 7},
    {"coauthor_cs/coauthor_cs.npz", 18333, 163788, true, 6805, true, 15},
    {"coauthor_physics/coauthor_physics.npz", 34493, 495924, true, 8415, true, 5},
    {"amazon_computers/amazon_computers.npz", 13752, 491722, true, 767, true, 10},
    {"amazon_photo/amazon_photo.npz", 7650, 238162, true, 745, true, 8},
    {"facebook100/Berkeley13/Berkeley13_year.npz", 18939, 1354934, true, 437, true, 6},
    {"facebook100/Rutgers89/Rutgers89_year.npz", 20021, 1219462, true, 376, true, 5},
    {"facebook100/UVA16/UVA16_year.npz", 14660, 1371602, true, 340, true, 6},
    {"facebook100/Wisconsin87/Wisconsin87_year.npz", 17667, 1090990, true, 613, true, 5},
    {"credit/credit.npz", 30000, 274754, true, 13, false, 2},
    {"musae_facebook/musae_facebook.npz", 22470, 341646, true, 4714, true, 4},
    {"facebook100/Berkeley13/Berkeley13.mat", 22937, 2 * 852444, true, 437, true, 37},
    {"facebook100/Rutgers89/Rutgers89.mat", 24580, 2 * 784602, true, 376, true, 23},
    {"facebook100/UVA16/UVA16.mat", 17196, 2 * 789321, true, 340, true, 33},
    {"facebook100/Wisconsin87/Wisconsin87.mat", 23842, 2 * 835952, true, 613, true, 42},
};

class SharedData : public testing::TestWithParam<Wanted> {};

TEST_P(SharedData, HasTheNumbersOfItsReadme) {
  const Wanted& wanted = GetParam();
  const std::string path = data_folder() + "/" + wanted.path;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: " << path << " is not there";
  const graph::Dataset dataset = read_dataset(path);
  graph::check(dataset);
  EXPECT_EQ(dataset.nodes(), wanted.nodes);
  EXPECT_EQ(dataset.cleanup.stored, wanted.stored_edges);
  EXPECT_EQ(dataset.graph.symmetric(), wanted.symmetric);
  EXPECT_EQ(dataset.features.cols(), wanted.features);
  EXPECT_EQ(dataset.features.is_sparse(), wanted.sparse);
  EXPECT_EQ(dataset.classes, wanted.classes);
  EXPECT_EQ(dataset.cleanup.stored, dataset.graph.edges() + dataset.cleanup.self_loops);
}

INSTANTIATE_TEST_SUITE_P(Readme, SharedData, testing::ValuesIn(kTable), [](const auto& instance) {
  std::string name = std::filesystem::path(instance.param.path).filename().string();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(SharedDataDetails, CiteseerOriginalHas124SelfLoops) {
  const std::string path = data_folder() + "/citeseer/citeseer_gnnbenchmark.npz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: " << path << " is not there";
  EXPECT_EQ(read_dataset(path).cleanup.self_loops, 124);
}

TEST(SharedDataDetails, PublicSplits) {
  if (!std::filesystem::exists(data_folder())) GTEST_SKIP() << "skipped: " << data_folder() << " is not there";
  const graph::Dataset cora = read_dataset(data_folder() + "/cora/cora.npz");
  EXPECT_EQ(cora.split->train.size(), 140u);
  EXPECT_EQ(cora.split->val.size(), 500u);
  EXPECT_EQ(cora.split->test.size(), 1000u);
  EXPECT_EQ(read_dataset(data_folder() + "/citeseer/citeseer.npz").split->train.size(), 120u);
}

class School : public testing::TestWithParam<const char*> {};

TEST_P(School, MatWithTheSameStepsIsTheNpz) {
  const std::string stem = data_folder() + "/facebook100/" + GetParam() + "/" + GetParam();
  if (!std::filesystem::exists(stem + ".mat")) GTEST_SKIP() << "skipped: " << stem << ".mat is not there";
  const graph::Dataset made =
      graph::drop_isolated_nodes(graph::keep_classes_of_at_least(read_dataset(stem + ".mat"), 1000));
  const graph::Dataset given = read_dataset(stem + "_year.npz");
  EXPECT_EQ(made.classes, given.classes);
  EXPECT_TRUE(std::ranges::equal(made.labels, given.labels));
  EXPECT_TRUE(std::ranges::equal(made.graph.out_lists().offsets, given.graph.out_lists().offsets));
  EXPECT_TRUE(std::ranges::equal(made.graph.out_lists().neighbors, given.graph.out_lists().neighbors));
  EXPECT_EQ(made.features.cols(), given.features.cols());
  EXPECT_TRUE(std::ranges::equal(made.features.sparse().offsets, given.features.sparse().offsets));
  EXPECT_TRUE(std::ranges::equal(made.features.sparse().indices, given.features.sparse().indices));
  EXPECT_TRUE(made.features.sparse().values.empty());
  EXPECT_TRUE(given.features.sparse().values.empty());
}

INSTANTIATE_TEST_SUITE_P(Facebook100, School, testing::Values("Berkeley13", "Rutgers89", "UVA16", "Wisconsin87"));

}  // namespace
}  // namespace graphveil::files::shared_data_test
