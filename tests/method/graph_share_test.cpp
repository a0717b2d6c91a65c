#include "graphveil/method/graph_share.h"

#include <gtest/gtest.h>

#include "graphveil/account/gdp.h"

namespace graphveil::method::graph_share_test {
namespace {

Setting setting(int64_t degree, int64_t train_nodes, int64_t features, int32_t classes) {
  return {.protect_degree = degree,
          .facts = {.nodes = 2 * train_nodes, .train_nodes = train_nodes, .features = features, .classes = classes}};
}

const Setting kDense = setting(131, 16016, 376, 5), kSparse = setting(9, 2166, 1433, 7);

TEST(GraphShare, GrowsWithTheBudgetAndStaysWithinBounds) {
  for (const bool own_list : {false, true}) {
    for (const Setting& s : {kDense, kSparse}) {
      double last = 0;
      for (const double mu : {1e-9, 0.1, 0.3, 1.0, 3.0, 1e9}) {
        const double share = graph_share(mu, s, std::nullopt, own_list);
        EXPECT_GE(share, last);
        EXPECT_GE(share, 0.001);
        EXPECT_LE(share, 0.95);
        last = share;
      }
      EXPECT_GT(last, 0.9);
    }
  }
}

// By hand: need = 376 * 5 / (16016 * 0.5) = 0.23477, signal = 65.5 * 0.5 / sqrt(131) = 2.8614.
TEST(GraphShare, IsTheFormula) {
  EXPECT_NEAR(graph_share(0.5, kDense, std::nullopt, false), 0.86872, 1e-4);
  EXPECT_NEAR(graph_share(0.5, kDense, std::nullopt, true), 0.89060, 1e-4);
}

TEST(GraphShare, FollowsWhatIsDeclared) {
  const double mu = account::gdp_mu(4, 1e-5);
  EXPECT_LT(graph_share(mu, kDense, 2, false), graph_share(mu, kDense, 60, false));
  EXPECT_EQ(graph_share(mu, kDense, 65.5, false), graph_share(mu, kDense, std::nullopt, false));
  // Many weights and few records: the budget goes to training.
  EXPECT_LT(graph_share(mu, kSparse, std::nullopt, false), 0.1);
  EXPECT_GT(graph_share(mu, kDense, std::nullopt, false), 0.8);
}

}  // namespace
}  // namespace graphveil::method::graph_share_test
