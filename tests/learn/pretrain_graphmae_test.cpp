#include "graphveil/learn/pretrain_graphmae.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/learn/small_public_graph.h"

namespace graphveil::learn::pretrain_graphmae_test {
namespace {

// A masked node's features are a target of cosines and nothing else: their length does not matter. A seen node's are
// read.
TEST(GraphMae, MaskedFeaturesAreATargetAlone) {
  const Seed seed = Seed::from_number(5);
  SmallGraph small;
  GraphMae mae(small.backbone, small.view(), seed);
  for (nn::Parameters* p : mae.trained()) {
    for (Real& value : p->values().values()) value += Real(0.1);  // the token too
  }
  RandomStream random(seed, "graphmae");
  random.seek(1);  // of epoch 0
  const std::vector<int32_t> order = random.permutation(7);
  const double before = small.loss(mae);
  EXPECT_GT(before, 0);
  EXPECT_LT(before, 4);
  for (size_t i = 0; i < 7; ++i) {
    for (Real& value : small.x.row(order[i])) value *= 3;
    if (i < 3) {
      EXPECT_NEAR(small.loss(mae), before, 1e-6) << "masked";
    } else {
      EXPECT_GT(std::abs(small.loss(mae) - before), 1e-5) << "seen";
    }
    for (Real& value : small.x.row(order[i])) value /= 3;
  }
}

TEST(GraphMae, LossByHand) {
  const Seed seed = Seed::from_number(5);
  SmallGraph small;
  GraphMae mae(small.backbone, small.view(), seed);
  const std::vector<nn::Parameters*> trained = mae.trained();
  RandomStream random(seed, "graphmae");
  random.seek(1);
  const std::vector<int32_t> order = random.permutation(7);

  Matrix input = small.x.clone();
  for (size_t i = 0; i < 3; ++i) std::ranges::copy(trained[0]->value(0).row(0), input.row(order[i]).begin());
  Matrix h = small.backbone.embed(input, small.edges);
  Matrix code(7, 6);
  for (size_t i = 3; i < 7; ++i) {
    for (int64_t c = 0; c < 6; ++c) {
      for (int64_t k = 0; k < 6; ++k) code(order[i], c) += h(order[i], k) * trained[0]->value(1)(k, c);
    }
  }
  // The decoder's one layer: a backbone of the same shape with its weights.
  RandomStream any(seed, "any");
  Backbone decoder({BackboneKind::Gcn, 6, 4, 1}, any);
  std::ranges::copy(trained[1]->values().values(), decoder.parameters().values().values().begin());
  const Matrix z = decoder.embed(code, small.edges);
  double expected = 0;
  for (size_t i = 0; i < 3; ++i) {
    const auto a = z.row(order[i]), b = std::as_const(small.x).row(order[i]);
    const double cosine = dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
    expected += (1 - cosine) * (1 - cosine) / 3;
  }
  EXPECT_NEAR(small.loss(mae), expected, 1e-5);
}

}  // namespace
}  // namespace graphveil::learn::pretrain_graphmae_test
