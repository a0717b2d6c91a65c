#include "graphveil/method/privgnn/references.h"

#include <gtest/gtest.h>

#include "tests/method/privgnn/public_task.h"

namespace graphveil::method::references_test {
namespace {

double accuracy_of(const Reference& method) {
  graph::Dataset shown = graph::without_labels(parts().public_data);
  if (method.reads_public_labels()) {
    std::vector<int32_t> labels(static_cast<size_t>(shown.nodes()), graph::kUnlabeled);
    for (const int32_t v : parts().public_split.train) labels[v] = parts().public_data.labels[v];
    shown.labels = SharedArray<int32_t>(std::move(labels));
  }
  mechanism::Release release = mechanism::Release::clear(bound::Relation::Edge, {});
  const Output out = method.run(task_on(parts().private_data, shown), release);
  return test_accuracy(values(out.predictions));
}

TEST(Reference, LearnsWithoutPromises) {
  for (const auto kind : {Reference::Kind::B1, Reference::Kind::B2, Reference::Kind::B3}) {
    const Reference method = with(Reference(kind), {{"epochs", "60"}, {"hidden-dim", "16"}});
    EXPECT_TRUE(method.relations().empty());
    EXPECT_GT(accuracy_of(method), 0.55) << method.describe().name;
  }
}

TEST(Reference, NoisyTrueLabelsTeachLess) {
  const double clean = accuracy_of(with(Reference(Reference::Kind::B4), {{"log-odds", "20"}}));
  const double noisy = accuracy_of(with(Reference(Reference::Kind::B4), {{"log-odds", "0"}}));
  EXPECT_GT(clean, 0.55);
  EXPECT_GT(clean, noisy + 0.2);
}

}  // namespace
}  // namespace graphveil::method::references_test
