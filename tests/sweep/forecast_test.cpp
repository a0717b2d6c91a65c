#include "graphveil/sweep/forecast.h"

#include <gtest/gtest.h>

namespace graphveil::sweep::forecast_test {
namespace {

Run run(const std::string& method, const std::string& graph) { return make_run({"train", method, "--data", graph}); }

TEST(Forecast, TakesTheNearestThatHasEnded) {
  Forecast forecast;
  EXPECT_FALSE(forecast.knows_time());
  EXPECT_EQ(forecast.seconds(run("lap", "a.npz")), 0);
  forecast.add(run("lap", "a.npz"), 2, 50);
  forecast.add(run("lap", "a.npz"), 4, 80);
  forecast.add(run("gap-ndp", "a.npz"), 9, 200);
  EXPECT_TRUE(forecast.knows_time());
  EXPECT_DOUBLE_EQ(forecast.seconds(run("lap", "a.npz")), 3);
  EXPECT_DOUBLE_EQ(forecast.seconds(run("mlp", "a.npz")), 5);
  EXPECT_DOUBLE_EQ(forecast.seconds(run("mlp", "b.npz")), 5);
  const double mb = 1024 * 1024;
  EXPECT_NEAR(static_cast<double>(forecast.bytes(run("lap", "a.npz"), 1000)), 1.1 * 80 * mb, 2);
  EXPECT_NEAR(static_cast<double>(forecast.bytes(run("mlp", "a.npz"), 1000)), 1.1 * 200 * mb, 2);
  // Before anything is known of a graph, its file's size is.
  EXPECT_GT(forecast.bytes(run("lap", "b.npz"), 10'000'000), 100'000'000);
}

}  // namespace
}  // namespace graphveil::sweep::forecast_test
