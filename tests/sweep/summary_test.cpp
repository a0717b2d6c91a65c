#include "graphveil/sweep/summary.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::sweep::summary_test {
namespace {

Plan plan(const std::string& methods = "\"lap\", \"gap-ndp\", \"mlp-dp\"") {
  return parse_plan("[grid]\nmethods = [" + methods + "]\ngraphs = [\"a.npz\"]\nepsilon = [1, 4]\nseeds = 5\n",
                    "p.toml", Size::Full);
}

std::map<std::string, Result> results(const Plan& plan, const std::function<double(const sweep::Run&)>& score) {
  std::map<std::string, Result> out;
  for (const sweep::Run& run : plan.runs) {
    Result r;
    r.id = run.id;
    r.done = true;
    r.relation = "node";
    r.scores["accuracy"] = score(run);
    out[run.id] = r;
  }
  return out;
}

TEST(IntervalAt, IsStudentsT) {
  // scipy.stats.t.interval(0.95, 4, loc=3, scale=sem([1, 2, 3, 4, 5]))
  const auto interval = interval_at({1, 2, 3, 4, 5}, 0.95);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->first, 1.036756838522439, 1e-9);
  EXPECT_NEAR(interval->second, 4.9632431614775605, 1e-9);
  EXPECT_FALSE(interval_at({1}, 0.95));
}

TEST(Summarize, PairsBySeed) {
  // Splits differ by far more than methods do: only pairs can tell the methods apart.
  const Plan p = plan("\"lap\", \"gap-ndp\"");
  const Summary summary = summarize(p,
                                    results(p,
                                            [](const sweep::Run& run) {
                                              const double split = 0.1 * static_cast<double>(*run.seed);
                                              const double jitter = 0.0005 * static_cast<double>((*run.seed * 7) % 3);
                                              return split + (run.method == "lap" ? 0.01 + jitter : 0);
                                            }),
                                    "accuracy", "");
  const Cell* lap = summary.find("a", "lap", 4.0);
  const Cell* gap = summary.find("a", "gap-ndp", 4.0);
  ASSERT_TRUE(lap != nullptr && gap != nullptr);
  EXPECT_EQ(lap->values.size(), 5u);
  EXPECT_LT(*lap->interval.low, gap->interval.mean);  // the intervals of the means overlap
  EXPECT_TRUE(lap->best);
  EXPECT_FALSE(gap->best);
  ASSERT_EQ(summary.differences.size(), 2u);  // one for each budget
  EXPECT_EQ(summary.differences[0].against, "lap");
  EXPECT_NEAR(summary.differences[0].interval.mean, -0.01, 0.001);
  EXPECT_TRUE(summary.differences[0].apart);
}

TEST(Summarize, ManyPairsWantMoreThanOne) {
  // t = 3.16 of five seeds: apart at 95% by itself (2.78), not among the three pairs of three methods (3.96).
  const double d[] = {0.01, 0.02, 0.03, 0.01, 0.003};
  const auto score = [&](const sweep::Run& run) {
    const double base = 0.5 + 0.01 * static_cast<double>(*run.seed);
    if (run.method == "lap") return base + d[*run.seed - 1];
    return run.method == "gap-ndp" ? base : base - 0.3 + 0.001 * d[*run.seed - 1];
  };
  const Plan three = plan(), two = plan("\"lap\", \"gap-ndp\"");
  EXPECT_TRUE(summarize(three, results(three, score), "accuracy", "").find("a", "gap-ndp", 1.0)->best);
  EXPECT_FALSE(summarize(three, results(three, score), "accuracy", "").find("a", "mlp-dp", 1.0)->best);
  EXPECT_FALSE(summarize(two, results(two, score), "accuracy", "").find("a", "gap-ndp", 1.0)->best);
}

TEST(Summarize, CountsWhatFailedAndTakesABaseline) {
  const Plan p = plan();
  auto all =
      results(p, [](const sweep::Run& run) { return 0.1 * static_cast<double>(*run.seed) + *run.epsilon / 100; });
  for (auto& [id, result] : all) {
    if (id == p.runs[0].id) result.done = false;
  }
  all.erase(p.runs.back().id);
  const Summary summary = summarize(p, all, "accuracy", "mlp-dp");
  EXPECT_EQ(summary.find("a", "lap", 1.0)->failed, 1);
  EXPECT_EQ(summary.find("a", "mlp-dp", 4.0)->missing, 1);
  EXPECT_EQ(summary.find("a", "mlp-dp", 4.0)->values.size(), 4u);
  for (const Difference& d : summary.differences) EXPECT_EQ(d.against, "mlp-dp");
  EXPECT_EQ(summary.budgets.size(), 2u);
  EXPECT_THROW(summarize(p, all, "accuracy", "mlp"), Error);
}

TEST(BeatsMajority, IsALeadOverTheSeedsOrTheRunsOwnWord) {
  const auto run = [](double accuracy, double majority, std::optional<bool> own = std::nullopt) {
    Result r;
    r.scores = {{"accuracy", accuracy}, {"majority", majority}};
    r.beats_majority = own;
    return r;
  };
  const Result better = run(0.6, 0.3), higher = run(0.62, 0.31), same = run(0.3, 0.31), above = run(0.35, 0.3);
  EXPECT_EQ(beats_majority({&better, &higher}), true);
  EXPECT_EQ(beats_majority({&same, &above}), false);  // a lead of -0.01 and of 0.05
  EXPECT_EQ(beats_majority({&better}), std::nullopt);
  const Result says = run(0.35, 0.3, true);
  EXPECT_EQ(beats_majority({&says}), true);
  Result unknown;
  EXPECT_EQ(beats_majority({&unknown, &better}), std::nullopt);
  EXPECT_EQ(beats_majority({}), std::nullopt);
}

TEST(Summarize, SaysWhoIsNotBetterThanTheMajority) {
  const Plan p = plan("\"lap\", \"gap-ndp\"");
  auto all = results(p, [](const sweep::Run& run) {
    return (run.method == "lap" ? 0.6 : 0.3) + 0.001 * static_cast<double>(*run.seed);
  });
  for (auto& [id, result] : all) result.scores["majority"] = 0.31;
  const Summary summary = summarize(p, all, "accuracy", "");
  EXPECT_EQ(summary.find("a", "lap", 1.0)->beats_majority, true);
  EXPECT_EQ(summary.find("a", "gap-ndp", 1.0)->beats_majority, false);
  EXPECT_NEAR(summary.majority.at("a"), 0.31, 1e-12);
  for (auto& [id, result] : all) result.scores["macro_f1"] = 0.2;
  EXPECT_TRUE(summarize(p, all, "macro_f1", "").majority.empty()) << "it is a share of right answers";
}

TEST(Summarize, OneSeedSaysNothingOfNoise) {
  Grid grid;
  grid.methods = {"lap", "gap-inf"};
  grid.graphs = {"a.npz"};
  const Plan p = plan_of(grid, "t", "accuracy", "");
  const Summary summary = summarize(p, results(p, [](const sweep::Run&) { return 0.5; }), "accuracy", "");
  for (const Cell& cell : summary.cells) EXPECT_FALSE(cell.best);
  ASSERT_EQ(summary.budgets.size(), 2u);
  EXPECT_FALSE(summary.budgets.back());  // no noise comes last
}

}  // namespace
}  // namespace graphveil::sweep::summary_test
