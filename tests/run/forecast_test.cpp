#include "graphveil/run/forecast.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::run::forecast_test {
namespace {

constexpr method::GraphSize kGraph{.edges = 2e7, .row_entries = 50};

struct Case {
  explicit Case(const std::string& method) : experiment(method) {
    experiment.set("noise-multiplier", 1.0);
    prepared = prepare(experiment, chosen_relation(experiment, true), {1'000'000, 750'000, 50, 10, 0});
  }
  Experiment experiment;
  Prepared prepared;
};

TEST(Forecast, PartsAddUp) {
  const Case lap("lap");
  const Forecast found = *forecast(lap.prepared, kGraph, {});
  double all = 0;
  for (const ForecastPart& part : found.parts) all += part.seconds;
  EXPECT_DOUBLE_EQ(all, found.seconds);
  EXPECT_GT(found.memory_bytes, found.file_bytes);  // one machine holds all of the graph
  EXPECT_GT(found.file_bytes, 4 * kGraph.edges);
  EXPECT_EQ(found.traffic_bytes, 0);
}

TEST(Forecast, MoreMachinesShareTheWorkAndTheMemory) {
  const Case lap("lap");
  const Forecast one = *forecast(lap.prepared, kGraph, {}), four = *forecast(lap.prepared, kGraph, {.ranks = 4}),
                 threads = *forecast(lap.prepared, kGraph, {.threads = 4});
  EXPECT_LT(four.seconds, one.seconds);
  EXPECT_LT(threads.seconds, one.seconds);
  EXPECT_LT(four.memory_bytes, one.memory_bytes);
  EXPECT_EQ(threads.memory_bytes, one.memory_bytes);
  // At most the rows of all others, one message of ten whole numbers each.
  EXPECT_GT(four.traffic_bytes, 0);
  EXPECT_LE(four.traffic_bytes, 0.75 * 1e6 * 10 * 4);
}

double seconds_of(const Forecast& forecast, const std::string& what) {
  for (const ForecastPart& part : forecast.parts) {
    if (part.what == what) return part.seconds;
  }
  ADD_FAILURE() << what;
  return 0;
}

// What ranks cannot share out: one of them writes for all.
TEST(Forecast, RankZeroWritesForAll) {
  const Case lap("lap");
  const Forecast one = *forecast(lap.prepared, kGraph, {.ranks = 1}),
                 four = *forecast(lap.prepared, kGraph, {.ranks = 4});
  const method::PublicFacts& facts = lap.prepared.setting.facts;
  EXPECT_EQ(one.first_rank_bytes, 0);
  EXPECT_EQ(four.first_rank_bytes, 4.0 * static_cast<double>(facts.nodes * facts.classes) * (1 + four.work.sums));
  EXPECT_NEAR(seconds_of(four, "all rows to rank 0"), 0.75 * four.first_rank_bytes * 8 / 10e9, 1e-9);
  EXPECT_GT(seconds_of(four, "their text there"), 0);
}

// A sum over neighbors takes max(exchange, own part) + the others' part.
TEST(Forecast, OwnSumsHideAPartOfTheExchange) {
  const Case lap("lap");
  const auto two = [&](double gigabits) { return *forecast(lap.prepared, kGraph, {.ranks = 2, .gigabits = gigabits}); };
  const Forecast slow = two(1);
  const double travel = slow.work.sums * slow.traffic_bytes * 8 / 1e9;
  const double sums = seconds_of(slow, "sums over neighbors");
  EXPECT_GT(travel, sums / 2);
  EXPECT_NEAR(seconds_of(slow, "exchange beyond sums"), travel - sums / 2, 1e-9);
  EXPECT_EQ(seconds_of(two(1000), "exchange beyond sums"), 0);
}

TEST(Forecast, AMethodThatReadsNoEdgeExchangesNothing) {
  const Case mlp("mlp-dp");
  EXPECT_EQ(forecast(mlp.prepared, kGraph, {.ranks = 4})->traffic_bytes, 0);
}

TEST(Forecast, TrainingsWithoutNoiseSendTheirSumsOn) {
  const Case gap("gap-edp"), lap("lap");
  const Forecast one = *forecast(gap.prepared, kGraph, {}), four = *forecast(gap.prepared, kGraph, {.ranks = 4});
  EXPECT_EQ(one.turn_bytes, 0);
  EXPECT_GT(four.turn_bytes, 0);
  EXPECT_LT(four.turn_bytes, 4 * 50 * 16);  // no more than the largest layer
  EXPECT_EQ(forecast(lap.prepared, kGraph, {.ranks = 4})->turn_bytes, 0);
  double all = 0;
  for (const ForecastPart& part : four.parts) all += part.seconds;
  EXPECT_DOUBLE_EQ(all, four.seconds);
}

TEST(Forecast, NoneWhereNobodyCountedTheWork) {
  const Case dpgnn("dpgnn");
  EXPECT_FALSE(forecast(dpgnn.prepared, kGraph, {}).has_value());
}

TEST(Forecast, NumbersOutOfRangeAreRefused) {
  const Case lap("lap");
  EXPECT_THROW(forecast(lap.prepared, {.edges = -1, .row_entries = 50}, {}), Error);
  EXPECT_THROW(forecast(lap.prepared, {.edges = 10, .row_entries = 51}, {}), Error);
  EXPECT_THROW(forecast(lap.prepared, {.edges = 10, .row_entries = 0}, {}), Error);
  EXPECT_THROW(forecast(lap.prepared, kGraph, {.ranks = 0}), Error);
  EXPECT_THROW(forecast(lap.prepared, kGraph, {.gigabits = 0}), Error);
}

}  // namespace
}  // namespace graphveil::run::forecast_test
