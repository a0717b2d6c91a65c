#include "graphveil/method/privgnn/distill.h"

#include <gtest/gtest.h>

#include "tests/method/privgnn/public_task.h"
#include "tests/method/vouched.h"

namespace graphveil::method::distill_test {
namespace {

TEST(Distill, DenoisingForgivesWrongLabels) {
  const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
  const PublicGraph graph = vouched_graph(unlabeled, parts().public_split);
  const PublicEmbedding embedding(vouched(unlabeled), {}, Seed::from_number(1));
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

}  // namespace
}  // namespace graphveil::method::distill_test
