#include "graphveil/account/published_gap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"

namespace graphveil::account::published_gap_test {
namespace {

TEST(PublishedGap, EdgeFormulaAndItsInverse) {
  EXPECT_NEAR(published_gap_edge_epsilon(2, 3, 1e-6), 2 / 18.0 + std::sqrt(4 * std::log(1e6)) / 3, 1e-12);
  for (double e : {0.1, 1.0, 8.0}) {
    EXPECT_NEAR(published_gap_edge_epsilon(3, published_gap_edge_noise(3, e, 1e-5), 1e-5), e, 1e-12);
    // The exact value for the same noise is lower for a directed edge.
    EXPECT_LT(spent_epsilon(Ledger{Event("", Gaussian{published_gap_edge_noise(3, e, 1e-5)}, NoSampling{}, 3)}, 1e-5),
              e);
  }
  EXPECT_EQ(published_gap_edge_epsilon(0, 1, 1e-5), 0);
  EXPECT_EQ(published_gap_edge_epsilon(1, 0, 1e-5), std::numeric_limits<double>::infinity());
}

TEST(PublishedGap, NodeFormula) {
  // With no training it is Proposition 2 with D K terms, minimized in closed form.
  EXPECT_NEAR(published_gap_node_epsilon({}, {}, 5, 2, 4, 1e-5), published_gap_edge_epsilon(10, 4, 1e-5), 1e-5);
  const Ledger training{Event("", Gaussian{1.2}, Poisson{0.02}, 300)};
  const Ledger all{Event("", Gaussian{1.2}, Poisson{0.02}, 600),
                   Event("", Gaussian{4 / std::sqrt(5.0)}, NoSampling{}, 2)};
  const double published = published_gap_node_epsilon(training, training, 5, 2, 4, 1e-5);
  EXPECT_GT(published, spent_epsilon(all, 1e-5, Accountant::Rdp));
  EXPECT_LT(published, 1.3 * spent_epsilon(all, 1e-5, Accountant::Rdp));
}

// Values of a plain sum over the hypergeometric distribution and a grid of orders, written in another language.
TEST(PublishedGap, SageNodeFormula) {
  const DpGnnSetting facebook{.training_nodes = 15000, .batch_size = 256, .max_degree = 100, .layers = 1, .steps = 585};
  EXPECT_NEAR(published_sage_node_epsilon(facebook, 202 * 2.0, 2.0, 1e-5), 2.8602, 2e-3);
  const DpGnnSetting small{.training_nodes = 2000, .batch_size = 100, .max_degree = 10, .layers = 1, .steps = 200};
  EXPECT_NEAR(published_sage_node_epsilon(small, 22 * 1.5, 1.5, 1e-4), 5.0172, 2e-3);
  // Without training it is one Gaussian.
  EXPECT_NEAR(published_sage_node_epsilon({2000, 100, 10, 1, 0}, 1, 3, 1e-5), published_gap_edge_epsilon(1, 3, 1e-5),
              1e-5);
}

}  // namespace
}  // namespace graphveil::account::published_gap_test
