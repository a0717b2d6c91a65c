#include "graphveil/mechanism/release.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism::release_test {
namespace {

using account::Event;
using account::Gaussian;
using account::Poisson;
using bound::Bounded;
using bound::GridMatrix;
using bound::Relation;

const Seed kSeed = Seed::from_number(1);

Plan plan_of(double noise, int64_t count = 1, account::Sampling sampling = {}, double sensitivity = 1) {
  return {{Event("sum", Gaussian{noise}, std::move(sampling), count), bound::TestVoucher::bound(sensitivity)}};
}

Release open(Plan plan, Budget cap = {10, 1e-5}) { return Release::open(Relation::Node, std::move(plan), cap, kSeed); }

// A value of six equal numbers on the release's grid for `label`.
Bounded<GridMatrix> value(const Release& release, bound::Sensitivity sensitivity = {.amount = 1}, int64_t steps = 0,
                          const std::string& label = "sum") {
  GridMatrix grid{IntegerMatrix<int64_t>(2, 3), release.grid(label)};
  for (int64_t& x : grid.values.values()) x = steps;
  return bound::TestVoucher::bounded(std::move(grid), std::move(sensitivity));
}

ErrorKind kind_thrown(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::Internal;
}

TEST(Release, RefusesAPlanOverTheCap) {
  const Plan plan = plan_of(1.0);  // epsilon 4.377 at delta 1e-5
  EXPECT_NO_THROW(open(plan, {4.4, 1e-5}));
  EXPECT_EQ(kind_thrown([&] { open(plan, {4.3, 1e-5}); }), ErrorKind::BudgetExceeded);
}

TEST(Release, RefusesZeroNoiseForAFiniteEpsilon) {
  EXPECT_EQ(kind_thrown([&] { open(plan_of(0.0), {1e6, 1e-5}); }), ErrorKind::BudgetExceeded);
}

TEST(Release, RefusesZeroNoiseBehindThePrivateDoorWithoutACapToo) {
  Release release = open(plan_of(0.0), {std::numeric_limits<double>::infinity(), 1e-5});
  EXPECT_EQ(kind_thrown([&] { release.gaussian("sum", value(release)); }), ErrorKind::InvalidArgument);
  EXPECT_TRUE(release.spent().empty());
}

TEST(Release, RefusesCapsThatAreNotBudgets) {
  for (Budget cap : {Budget{0, 1e-5}, Budget{-1, 1e-5}, Budget{std::nan(""), 1e-5}, Budget{1, -1e-5}, Budget{1, 1.0},
                     Budget{1, std::nan("")}}) {
    EXPECT_THROW(open({}, cap), Error) << cap.epsilon << " " << cap.delta;
  }
}

TEST(Release, SpendsWhatWasPlannedAndNoMore) {
  Release release = open(plan_of(2.0, 2));
  EXPECT_TRUE(release.spent().empty());
  release.gaussian("sum", value(release));
  EXPECT_FALSE(release.complete());
  EXPECT_EQ(release.spent(), plan_of(2.0, 1));
  release.gaussian("sum", value(release));
  EXPECT_TRUE(release.complete());
  EXPECT_EQ(release.spent(), release.plan());
  EXPECT_EQ(kind_thrown([&] { release.gaussian("sum", value(release)); }), ErrorKind::BudgetExceeded);
  EXPECT_EQ(release.spent(), release.plan());
}

// Every door: what is planned is what may come.
TEST(Release, RefusesValuesThatAreNotBoundedAsPlanned) {
  const Recording nothing;
  const Plan plan = plan_of(2.0, 5, Poisson{0.1});
  std::vector<Release> doors;
  doors.push_back(open(plan));
  doors.push_back(Release::clear(Relation::Node, plan));
  doors.push_back(Release::replay(Relation::Node, plan, nothing));
  const bound::Sensitivity right{.amount = 1, .sampling = Poisson{0.1}};
  for (Release& release : doors) {
    const auto refused = [&](auto change) {
      bound::Sensitivity wrong = right;
      change(wrong);
      return kind_thrown([&] { release.gaussian("sum", value(release, wrong)); }) == ErrorKind::InvalidArgument;
    };
    EXPECT_TRUE(refused([](auto& s) { s.amount = 2; }));
    EXPECT_TRUE(refused([](auto& s) { s.amount = 0.5; }));
    EXPECT_TRUE(refused([](auto& s) { s.norm = bound::Norm::L1; }));
    EXPECT_TRUE(refused([](auto& s) { s.relation = Relation::Record; }));
    EXPECT_TRUE(refused([](auto& s) { s.relation = Relation::Edge; }));
    EXPECT_TRUE(refused([](auto& s) { s.sampling = account::NoSampling{}; }));
    EXPECT_TRUE(refused([](auto& s) { s.sampling = Poisson{0.2}; }));
    EXPECT_TRUE(refused([](auto& s) { s.sampling = account::PoissonGroup{0.1, 2, 1}; }));
    EXPECT_TRUE(release.spent().empty());
  }
  EXPECT_NO_THROW(doors[0].gaussian("sum", value(doors[0], right)));
  EXPECT_NO_THROW(doors[1].gaussian("sum", value(doors[1], right)));
}

TEST(Release, RefusesALineThatIsNotPlanned) {
  Release release = open(plan_of(2.0));
  EXPECT_EQ(kind_thrown([&] { release.gaussian("other", value(release, {.amount = 1})); }), ErrorKind::Internal);
  EXPECT_EQ(kind_thrown([&] { release.grid("other"); }), ErrorKind::Internal);
  EXPECT_TRUE(release.spent().empty());
}

// A refusal comes before the value is opened: nobody sees it, no noise is drawn.
TEST(Release, ARefusalOpensNothing) {
  Release release = open(plan_of(2.0));
  Watcher watcher;
  ObserverAccess::watch(release, watcher);
  EXPECT_THROW(release.gaussian("sum", value(release, {.amount = 2})), Error);
  EXPECT_TRUE(watcher.seen.empty());
  EXPECT_EQ(release.point().draws, 0u);
  release.gaussian("sum", value(release));
  EXPECT_EQ(watcher.seen.size(), 1u);
  EXPECT_EQ(release.point().draws, 1u);
}

TEST(Release, TheClearDoorAddsNothingAndPromisesNothing) {
  Release release = Release::clear(Relation::Node, plan_of(0.0));
  EXPECT_FALSE(release.promises());
  const Noisy<Matrix> out = release.gaussian("sum", value(release, {.amount = 1}, 77));
  for (const Real x : out.value().values()) EXPECT_EQ(x, static_cast<Real>(77 * release.grid("sum")));
  EXPECT_TRUE(release.complete());
  EXPECT_TRUE(open(plan_of(2.0)).promises());
}

TEST(Release, TheReplayDoorGivesOutTheRecording) {
  Matrix recorded(2, 3);
  recorded(1, 2) = 42;
  Recording recording;
  recording.push_back({"sum", std::move(recorded)});
  Release release = Release::replay(Relation::Node, plan_of(2.0), recording);
  EXPECT_TRUE(release.promises()) << "it stands in for a run that does";
  EXPECT_EQ(release.gaussian("sum", value(release, {.amount = 1}, 5)).value()(1, 2), 42);
  EXPECT_EQ(release.point().draws, 0u);
}

TEST(Release, GridsArePublicPowersOfTwoFarBelowTheNoise) {
  for (const double noise : {0.013, 1.0, 7.7, 1e6}) {
    const Release release = Release::clear(Relation::Node, plan_of(noise, 1, {}, 0.3));
    const double step = release.grid("sum");
    EXPECT_TRUE(bound::is_grid_step(step));
    EXPECT_LE(step, 0x1p-12 * noise * 0.3);
    EXPECT_GT(2 * step, 0x1p-12 * noise * 0.3);
    EXPECT_EQ(step, open(plan_of(noise, 1, {}, 0.3), {std::numeric_limits<double>::infinity(), 1e-5}).grid("sum"));
  }
}

TEST(Release, GoesOnWhereAnotherStopped) {
  const auto draw = [](Release& release) { return release.gaussian("sum", value(release)).value()(0, 0); };
  Release whole = open(plan_of(2.0, 3));
  const Real first = draw(whole);
  const ReleasePoint point = whole.point();
  EXPECT_EQ(point.uses, std::vector<int64_t>{1});
  const Real second = draw(whole), third = draw(whole);
  EXPECT_NE(first, second);

  Release resumed = open(plan_of(2.0, 3));
  resumed.resume(point);
  EXPECT_EQ(resumed.spent(), plan_of(2.0, 1));
  EXPECT_EQ(draw(resumed), second);
  EXPECT_EQ(draw(resumed), third);
  EXPECT_TRUE(resumed.complete());
  EXPECT_EQ(kind_thrown([&] { draw(resumed); }), ErrorKind::BudgetExceeded);
}

TEST(Release, RefusesPointsThatDoNotFit) {
  Release release = open(plan_of(2.0, 3));
  EXPECT_THROW(release.resume({.uses = {}, .draws = 0}), Error);
  EXPECT_THROW(release.resume({.uses = {4}, .draws = 4}), Error);
  EXPECT_THROW(release.resume({.uses = {-1}, .draws = 0}), Error);
  EXPECT_THROW(release.resume({.uses = {1, 1}, .draws = 2}), Error);
  release.gaussian("sum", value(release));
  EXPECT_THROW(release.resume({.uses = {0}, .draws = 0}), Error) << "a release is never taken back";
  EXPECT_THROW(release.resume({.uses = {0}, .draws = 2}), Error);
  EXPECT_THROW(release.resume({.uses = {2}, .draws = 0}), Error);
  release.resume({.uses = {2}, .draws = 2});
  release.gaussian("sum", value(release));
  EXPECT_TRUE(release.complete());
}

}  // namespace
}  // namespace graphveil::mechanism::release_test
