#include "graphveil/method/progap/progap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::progap_test {
namespace {

using bound::Relation;

TEST(ProgapEdp, AggregatesOncePerStage) {
  const ProgapEdge progap;
  for (const auto& [relation, sensitivity] :
       {std::pair(Relation::Edge, 1.0), std::pair(Relation::UndirectedEdge, std::sqrt(2.0))}) {
    const Plan plan = progap.plan(3, tiny_setting(relation));
    ASSERT_EQ(plan.lines().size(), 1u);
    EXPECT_EQ(plan.lines()[0].event.count(), 2);
    EXPECT_NEAR(plan.lines()[0].sensitivity(), sensitivity, 1e-12);
  }
}

// Later stages read what earlier ones released: the first aggregation of a run is that of a run with one stage less.
TEST(ProgapEdp, AggregationsAreKeptAndNotMadeAgain) {
  const auto seen = [](const char* hops) {
    ProgapEdge progap;
    Options options;
    progap.declare(options);
    options.set("hops", hops);
    options.set("epochs", "3");
    Release release = any_release(Relation::Edge, progap.plan(1, tiny_setting(Relation::Edge)));
    mechanism::Watcher watcher;
    mechanism::ObserverAccess::watch(release, watcher);
    progap.run(tiny_task(Relation::Edge), release);
    return watcher.seen;
  };
  const auto one = seen("1"), two = seen("2");
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(one[0].values, two[0].values);
  EXPECT_NE(two[0].values, two[1].values);
}

TEST(ProgapEdp, BeatsGuessing) {
  const ProgapEdge progap;
  Release release = any_release(Relation::Edge, progap.plan(0.05, tiny_setting(Relation::Edge)));
  const Output output = progap.run(tiny_task(Relation::Edge), release);
  EXPECT_GT(accuracy_on(values(output.predictions), tiny_split().test), 1.8 / tiny_data().classes);
}

TEST(ProgapNdp, SharesOfTheBudgetAreAsAsked) {
  ProgapNode progap;
  Options options;
  progap.declare(options);
  options.set("share", "0.6");
  options.set("hops", "2");
  const Plan plan = progap.plan(1.5, tiny_setting(Relation::Node));
  ASSERT_EQ(plan.lines().size(), 4u);  // two aggregations on one line, three stages
  const auto budget = [&](size_t i) {
    const double noise = std::get<account::Gaussian>(plan.lines()[i].event.mechanism()).noise_multiplier;
    return static_cast<double>(plan.lines()[i].event.count()) / (noise * noise);
  };
  const double all = 1 / (1.5 * 1.5);
  EXPECT_NEAR(budget(0), 0.6 * all, 1e-9);
  for (const size_t stage : {1, 2, 3}) EXPECT_NEAR(budget(stage), 0.4 / 3 * all, 1e-9);
}

TEST(ProgapNdp, BeatsGuessingWithLittleNoise) {
  const ProgapNode progap;
  for (const Relation relation : {Relation::Node, Relation::Record}) {
    Release release = any_release(relation, progap.plan(0.02, tiny_setting(relation)));
    const Output output = progap.run(tiny_task(relation), release);
    EXPECT_GT(accuracy_on(values(output.predictions), tiny_split().test), 1.5 / tiny_data().classes);
  }
}

}  // namespace
}  // namespace graphveil::method::progap_test
