#include "graphveil/account/scaling.h"

#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/gdp.h"
#include "graphveil/base/error.h"

namespace graphveil::account::scaling_test {
namespace {

constexpr double kDelta = 1e-5;

// Noise of deviation 6 on a value that moves by 3, seen by somebody who moves it by 3/4: the closed form of a Gaussian
// of that shift and deviation.
TEST(Scaling, TheSameNoiseAgainstASmallerShift) {
  const Event planned("sum", Gaussian{6.0 / 3.0}, {}, 4);
  const Event other = rescaled(planned, 3 / 0.75);
  EXPECT_EQ(other.label(), "sum");
  EXPECT_EQ(other.count(), 4);
  const double mu = std::sqrt(4.0) * 0.75 / 6;
  EXPECT_NEAR(spent_epsilon({other}, kDelta), gdp_epsilon(mu, kDelta), 1e-6);
  // Somebody who moves it more pays more.
  EXPECT_GT(spent_epsilon({rescaled(planned, 0.5)}, kDelta), spent_epsilon({planned}, kDelta));
}

// Pure noise of scale b on a count that moves by d costs d / b.
TEST(Scaling, PureNoiseGoesWithTheShift) {
  EXPECT_NEAR(spent_epsilon({rescaled(Event("counts", DiscreteLaplace{2}), 4)}, 0), 1.0 / 8, 1e-9);
  EXPECT_NEAR(spent_epsilon({rescaled(Event("values", Laplace{2}), 4)}, 0), 1.0 / 8, 1e-9);
  EXPECT_EQ(rescaled(Event("counts", DiscreteGaussian{2}), 4).mechanism(), Mechanism(DiscreteGaussian{8}));
}

TEST(Scaling, KeepsTheSampling) {
  const Event event = rescaled(Event("fit", Gaussian{2}, Poisson{0.25}, 7), 3);
  EXPECT_EQ(event, Event("fit", Gaussian{6}, Poisson{0.25}, 7));
}

TEST(Scaling, RefusesWhatHasNoSize) {
  EXPECT_THROW(rescaled(Event("labels", RandomizedResponse{1, 3}), 2), Error);
  EXPECT_THROW(rescaled(Event("picks", Exponential{1}), 2), Error);
  const auto one = std::make_shared<const Event>("sum", Gaussian{1});
  EXPECT_THROW(rescaled(Event("sampled", Sampled{0.5, one}), 2), Error);
  for (const double factor : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(rescaled(Event("sum", Gaussian{1}), factor), Error) << factor;
  }
}

// Of a full batch, 9 samples changed were planned for; 3 changed move the sum a third as far.
TEST(Scaling, FewerSamplesOfAFullBatch) {
  const Event planned("fit", Gaussian{2}, {}, 5);
  EXPECT_EQ(regrouped(planned, 9, 2, 1), Event("fit", Gaussian{6}, {}, 5));
  EXPECT_NEAR(spent_epsilon({regrouped(planned, 9, 2, 1)}, kDelta), gdp_epsilon(std::sqrt(5.0) / 6, kDelta), 1e-6);
}

TEST(Scaling, FewerSamplesOfASampledBatch) {
  const Event wanted("fit", Gaussian{2}, PoissonGroup{0.1, 2, 1}, 5);
  EXPECT_EQ(regrouped(Event("fit", Gaussian{2}, PoissonGroup{0.1, 5, 4}, 5), 9, 2, 1), wanted);
  EXPECT_EQ(regrouped(Event("fit", Gaussian{2}, Poisson{0.1}, 5), 1, 2, 1), wanted);
  EXPECT_LT(spent_epsilon({wanted}, kDelta),
            spent_epsilon({Event("fit", Gaussian{2}, PoissonGroup{0.1, 5, 4}, 5)}, kDelta));
}

TEST(Scaling, RefusesSamplesThatAreNone) {
  const Event planned("fit", Gaussian{2});
  EXPECT_THROW(regrouped(planned, 0, 1, 0), Error);
  EXPECT_THROW(regrouped(planned, 1, 0, 0), Error);
  EXPECT_THROW(regrouped(planned, 1, 1, -1), Error);
}

}  // namespace
}  // namespace graphveil::account::scaling_test
