#include "graphveil/graph/class_filter.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::class_filter_test {
namespace {

TEST(ClassFilter, DropsSmallClassesAndUnlabeledNodesAndRenumbers) {
  Dataset dataset = path_dataset();
  dataset.labels = std::vector<int32_t>{0, 1, 2, 2, 1, kUnlabeled};
  const Dataset kept = keep_classes_of_at_least(dataset, 2);
  check(kept);
  EXPECT_EQ(kept.nodes(), 4);  // 1, 2, 3, 4
  EXPECT_EQ(kept.classes, 2);
  EXPECT_EQ(list(kept.labels), (std::vector<int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(edges_of(kept.graph), (EdgeSet{{0, 1}, {1, 0}, {2, 3}, {3, 2}}));
}

TEST(ClassFilter, SaysThatItReadTheLabels) {
  Dataset dataset = path_dataset();
  dataset.found_in_data = {"before"};
  EXPECT_EQ(keep_classes_of_at_least(dataset, 1).found_in_data,
            (std::vector<std::string>{"before", "which classes have at least 1 nodes"}));
}

TEST(ClassFilter, NamesGoWithTheirClasses) {
  Dataset dataset = path_dataset();
  const std::vector<std::string> classes{"a", "b", "c"}, ids{"0", "1", "2", "3", "4", "5"};
  dataset.class_names = Names(std::span<const std::string>(classes));
  dataset.ids = Names(std::span<const std::string>(ids));
  const Dataset kept = keep_classes_of_at_least(dataset, 2);
  check(kept);
  EXPECT_EQ(kept.class_names.size(), 2);
  for (int64_t v = 0; v < kept.nodes(); ++v) {
    const int64_t before = std::stoll(std::string(kept.ids[v]));
    EXPECT_EQ(kept.class_names[kept.labels[v]], classes[dataset.labels[before]]);
  }
}

TEST(ClassFilter, SizeOneOnlyDropsUnlabeledNodes) { EXPECT_EQ(keep_classes_of_at_least(path_dataset(), 1).nodes(), 5); }

TEST(ClassFilter, NothingLeftIsRefused) {
  EXPECT_THROW(keep_classes_of_at_least(path_dataset(), 3), Error);
  EXPECT_THROW(keep_classes_of_at_least(path_dataset(), 0), Error);
}

}  // namespace
}  // namespace graphveil::graph::class_filter_test
