#include "graphveil/method/dpgnn/inference.h"

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::inference_test {
namespace {

constexpr GnnArchitecture kGcn{.decoder_layers = 1, .hidden_dim = 6};

TEST(GnnInference, AveragesTwiceWhereThereIsOneGcnLayer) {
  const GnnInference automatic;
  EXPECT_EQ(automatic.averaging(kGcn).rounds, 2);
  GnnArchitecture two = kGcn, gin = kGcn;
  two.layers = 2;
  gin.kind = GnnArchitectureKind::Gin;
  EXPECT_EQ(automatic.averaging(two).rounds, 1);
  EXPECT_TRUE(automatic.averaging(gin).plain());
  EXPECT_NO_THROW(automatic.check(gin));
  EXPECT_THROW((GnnInference{.hops = 2}).check(gin), Error);
  EXPECT_THROW((GnnInference{.own = 0.2}).check(gin), Error);
}

// The share is the one that is right about most labeled training nodes, by trying each.
TEST(GnnInference, PicksTheShareThatTrainingNodesLike) {
  const Task task = tiny_task(bound::Relation::Record);
  GnnNetwork network(tiny_data(), {tiny_data().graph}, kGcn, Seed::from_number(5));
  double best = 0;
  for (const double own : {0.0, 0.1, 0.2, 0.33, 0.5}) {
    best = std::max(best, accuracy_on(network.probabilities({2, own}), tiny_split().train));
  }
  EXPECT_EQ(accuracy_on(GnnInference{}.predicted(network, kGcn, task), tiny_split().train), best);
  const Matrix fixed = GnnInference{.own = 0.2}.predicted(network, kGcn, task);
  const Matrix want = network.probabilities({2, 0.2});
  for (int64_t i = 0; i < want.size(); ++i) ASSERT_EQ(fixed.data()[i], want.data()[i]);
}

}  // namespace
}  // namespace graphveil::method::inference_test
