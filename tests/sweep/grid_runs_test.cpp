#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/sweep/plan.h"

namespace graphveil::sweep::grid_runs_test {
namespace {

Grid small() {
  Grid grid;
  grid.methods = {"lap", "gap-ndp --hops 2"};
  grid.graphs = {"a.npz", "b.npz"};
  grid.epsilon = {1, 4.5};
  grid.seeds = {3, 8};
  return grid;
}

TEST(GridRuns, AreAllCombinationsSeedBySeed) {
  const std::vector<sweep::Run> runs = grid_runs(small());
  ASSERT_EQ(runs.size(), 2u * 2u * 2u * 2u);
  EXPECT_EQ(join_words(runs[0].words), "train lap --data a.npz -e 1 -s 3");
  EXPECT_EQ(join_words(runs[3].words), "train gap-ndp --hops 2 --data a.npz -e 4.5 -s 3");
  EXPECT_EQ(runs[3].label(), "gap-ndp --hops 2");
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(runs[i].seed, 3);
}

TEST(GridRuns, AMethodWithoutAGuaranteeHasNoBudget) {
  Grid grid = small();
  grid.methods = {"gap-inf"};
  const std::vector<sweep::Run> runs = grid_runs(grid);
  ASSERT_EQ(runs.size(), 4u);  // graphs by seeds
  EXPECT_EQ(join_words(runs[0].words), "train gap-inf --data a.npz -s 3");
  EXPECT_FALSE(runs[0].epsilon);
}

TEST(GridRuns, AnOptionWithSeveralValuesIsAnAxis) {
  Grid grid = small();
  grid.methods = {"gap-ndp"};
  grid.options = {{"hops", {"1", "2"}}, {"split", {"80/0/20"}}};
  const std::vector<sweep::Run> runs = grid_runs(grid);
  ASSERT_EQ(runs.size(), 16u);
  EXPECT_EQ(runs[0].label(), "gap-ndp --hops 1");
  EXPECT_EQ(runs[2].label(), "gap-ndp --hops 2");
  EXPECT_EQ(join_words(runs[0].words), "train gap-ndp --data a.npz -e 1 --hops 1 --split 80/0/20 -s 3");
}

TEST(GridRuns, FreshRunsHaveFoldersInPlaceOfSeeds) {
  Grid grid = small();
  grid.fresh = 2;
  const std::vector<sweep::Run> runs = grid_runs(grid);
  ASSERT_EQ(runs.size(), 16u);
  EXPECT_EQ(join_words(runs[2].words), "train gap-ndp --hops 2 --data a.npz -e 1 --out gap-ndp-hops-2-a-e1-1");
  EXPECT_NE(runs[0].id, runs[8].id);
  EXPECT_FALSE(runs[0].seed);
}

TEST(GridRuns, RefusesWhatCannotBeRun) {
  for (const auto& spoil : std::vector<void (*)(Grid&)>{
           [](Grid& g) { g.methods.clear(); }, [](Grid& g) { g.graphs.clear(); }, [](Grid& g) { g.seeds.clear(); },
           [](Grid& g) { g.epsilon = {-1}; }, [](Grid& g) { g.methods = {"lap --hopz 2"}; },
           [](Grid& g) {
             g.options = {{"hops", {}}};
           }}) {
    Grid grid = small();
    spoil(grid);
    EXPECT_THROW(grid_runs(grid), Error);
  }
}

TEST(PlanOf, ReadsBackAsTheSamePlan) {
  Grid grid = small();
  grid.options = {{"split", {"80/0/20"}}};
  grid.graphs = {"a \"quoted\".npz"};
  const Plan plan = plan_of(grid, "A title", "macro_f1", "lap");
  const Plan again = parse_plan(plan.text, "plan.toml", Size::Full);
  ASSERT_EQ(plan.runs.size(), again.runs.size());
  for (size_t i = 0; i < plan.runs.size(); ++i) EXPECT_EQ(plan.runs[i].id, again.runs[i].id);
  EXPECT_EQ(plan.runs[0].id, grid_runs(grid)[0].id);
  EXPECT_EQ(again.title, "A title");
  EXPECT_EQ(again.metric, "macro_f1");
  EXPECT_EQ(again.baseline, "lap");
}

}  // namespace
}  // namespace graphveil::sweep::grid_runs_test
