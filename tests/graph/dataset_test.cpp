#include "graphveil/graph/dataset.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::dataset_test {
namespace {

TEST(Dataset, CountsClassesAndUnlabeled) {
  const Dataset dataset = path_dataset();
  check(dataset);
  EXPECT_EQ(class_sizes(dataset), (std::vector<int64_t>{2, 2, 1}));
  EXPECT_EQ(unlabeled_nodes(dataset), 1);
}

TEST(Dataset, NamesMustBeAsManyAsWhatTheyName) {
  const std::vector<std::string> two{"a", "b"};
  const Names names{std::span<const std::string>(two)};
  for (Names Dataset::*field : {&Dataset::ids, &Dataset::class_names}) {
    Dataset dataset = path_dataset();
    check(dataset);
    dataset.*field = names;
    EXPECT_THROW(check(dataset), Error);
  }
}

TEST(Dataset, PartsThatDoNotFitAreRefused) {
  Dataset labels = path_dataset();
  labels.labels = std::vector<int32_t>{0, 1};
  EXPECT_THROW(check(labels), Error);
  Dataset range = path_dataset();
  range.classes = 2;
  EXPECT_THROW(check(range), Error);
  Dataset features = path_dataset();
  features.features = Features(5, 1, std::vector<Real>(5));
  EXPECT_THROW(check(features), Error);
  Dataset overlap = path_dataset();
  overlap.split->val = {0};
  EXPECT_THROW(check(overlap), Error);
  Dataset falling = path_dataset();
  falling.split->train = {3, 0};
  EXPECT_THROW(check(falling), Error);
  Dataset outside = path_dataset();
  outside.split->test = {6};
  EXPECT_THROW(check(outside), Error);
}

}  // namespace
}  // namespace graphveil::graph::dataset_test
