#include "graphveil/account/event.h"

#include <limits>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::account::event_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Event, KeepsWhatItIsGiven) {
  const Event event("training", Gaussian{1.1}, PoissonGroup{0.01, 3, 2}, 500);
  EXPECT_EQ(event.label(), "training");
  EXPECT_EQ(std::get<Gaussian>(event.mechanism()).noise_multiplier, 1.1);
  EXPECT_EQ(std::get<PoissonGroup>(event.sampling()).insertions, 2);
  EXPECT_EQ(event.count(), 500);
  EXPECT_EQ(event, Event("training", Gaussian{1.1}, PoissonGroup{0.01, 3, 2}, 500));
  EXPECT_NE(event, Event("training", Gaussian{1.1}, PoissonGroup{0.01, 3, 2}, 501));
}

TEST(Event, RefusesNonsense) {
  for (double bad : {kNaN, kInf, -1.0}) {
    EXPECT_THROW(Event("x", Gaussian{bad}), Error) << bad;
    EXPECT_THROW(Event("x", Laplace{bad}), Error) << bad;
    EXPECT_THROW(Event("x", Exponential{bad}), Error) << bad;
    EXPECT_THROW(Event("x", RandomizedResponse{bad, 2}), Error) << bad;
  }
  for (double bad : {kNaN, -0.1, 1.1}) {
    EXPECT_THROW(Event("x", Gaussian{1}, Poisson{bad}), Error) << bad;
    EXPECT_THROW(Event("x", Gaussian{1}, PoissonGroup{bad, 1, 0}), Error) << bad;
  }
  EXPECT_THROW(Event("x", RandomizedResponse{1, 1}), Error);
  EXPECT_THROW(Event("x", Gaussian{1}, PoissonGroup{0.1, -1, 0}), Error);
  EXPECT_THROW(Event("x", Gaussian{1}, PoissonGroup{0.1, 1, -1}), Error);
  EXPECT_THROW(Event("x", Gaussian{1}, NoSampling{}, -1), Error);
  EXPECT_THROW(Event("x", Gaussian{1}, NoSampling{}, std::numeric_limits<int64_t>::max()), Error);
}

TEST(Event, MessageNamesEventFieldAndValue) {
  try {
    Event("encoder", Gaussian{-2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument);
    EXPECT_STREQ(error.what(), "event \"encoder\": noise_multiplier is -2; wanted a finite number >= 0");
  }
}

TEST(Event, KindNames) {
  EXPECT_STREQ(kind(Mechanism(Gaussian{1})), "gaussian");
  EXPECT_STREQ(kind(Mechanism(RandomizedResponse{1, 2})), "randomized-response");
  EXPECT_STREQ(kind(Sampling(NoSampling{})), "none");
  EXPECT_STREQ(kind(Sampling(PoissonGroup{})), "poisson-group");
}

}  // namespace
}  // namespace graphveil::account::event_test
