#include "graphveil/learn/pretrain_dgi.h"

#include <gtest/gtest.h>

#include "tests/learn/small_public_graph.h"

namespace graphveil::learn::pretrain_dgi_test {
namespace {

TEST(Dgi, TellsNodesFromThoseOfShuffledFeatures) {
  const SmallGraph small;
  const Seed seed = Seed::from_number(5);
  Dgi dgi(small.backbone, small.view(), seed);
  Matrix h = small.embeddings();

  RandomStream random(seed, "dgi");
  random.seek(4);  // of epoch 3
  const std::vector<int32_t> order = random.permutation(7);
  Matrix shuffled(7, 4);
  for (int64_t r = 0; r < 7; ++r) {
    for (int64_t c = 0; c < 4; ++c) shuffled(r, c) = small.x(order[static_cast<size_t>(r)], c);
  }
  Matrix corrupted = small.backbone.embed(shuffled, small.edges);
  for (Matrix* rows : {&h, &corrupted}) {  // an activation after the last layer
    for (Real& value : rows->values()) value = value > 0 ? value : Real(0.2) * value;
  }

  const ConstMatrixView w = dgi.trained()[0]->value(0);
  double expected = 0;
  for (int64_t v = 0; v < 7; ++v) {
    double real = 0, fake = 0;
    for (int64_t i = 0; i < 6; ++i) {
      double mean = 0;
      for (int64_t u = 0; u < 7; ++u) mean += h(u, i) / 7.0;
      const double s = 1 / (1 + std::exp(-mean));
      for (int64_t j = 0; j < 6; ++j) {
        real += s * w(i, j) * h(v, j);
        fake += s * w(i, j) * corrupted(v, j);
      }
    }
    expected += (softplus(-real) + softplus(fake)) / 7;
  }
  EXPECT_NEAR(small.loss(dgi, 3), expected, 1e-5);
  EXPECT_NE(small.loss(dgi, 3), small.loss(dgi, 4)) << "every epoch shuffles anew";
}

}  // namespace
}  // namespace graphveil::learn::pretrain_dgi_test
