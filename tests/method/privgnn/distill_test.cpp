#include "graphveil/method/privgnn/distill.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/method/privgnn/public_task.h"

namespace graphveil::method {
namespace {

TEST(Distill, DenoisingForgivesWrongLabels) {
  const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
  const PublicGraph graph{unlabeled, parts().public_split};
  const PublicEmbedding embedding(unlabeled, {}, Seed::from_number(1));
  const int32_t classes = parts().public_data.classes;
  // Six of ten labels are drawn anew.
  RandomStream random(Seed::from_number(2), "labels");
  std::vector<int32_t> labels;
  for (const int32_t v : parts().public_split.train) {
    labels.push_back(random.bernoulli(0.6) ? static_cast<int32_t>(random.below(static_cast<uint64_t>(classes)))
                                           : parts().public_data.labels[v]);
  }
  const Answers answers{parts().public_split.train, centered_onehot(labels, classes)};
  DistillOptions denoise, plain;
  plain.use_paper_settings();
  const double a =
      test_accuracy(values(distill(answers, graph, embedding, classes, denoise, Seed::from_number(3)).predictions));
  const double b =
      test_accuracy(values(distill(answers, graph, embedding, classes, plain, Seed::from_number(3)).predictions));
  EXPECT_GT(a, 0.5);
  EXPECT_GT(a, b);
}

TEST(Distill, QueriesAreDistinctNodesOfThePool) {
  const std::vector<int32_t> pool{1, 3, 5, 7, 9};
  EXPECT_EQ(chosen_queries(pool, 5, Seed::from_number(1)), pool);
  const std::vector<int32_t> some = chosen_queries(pool, 3, Seed::from_number(1));
  ASSERT_EQ(some.size(), 3u);
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i] % 2, 1);
    if (i > 0) {
      EXPECT_LT(some[i - 1], some[i]);
    }
  }
  EXPECT_THROW(chosen_queries(pool, 6, Seed::from_number(1)), Error);
}

}  // namespace
}  // namespace graphveil::method
