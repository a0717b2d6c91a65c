// The contract that every method keeps: plan and run agree, seeds repeat, nothing private happens without noise.
#include "graphveil/method/registry.h"

#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/parallel.h"
#include "tests/method/tiny_task.h"
#include "tests/threads.h"

namespace graphveil::method {
namespace {

constexpr double kNoise = 2;

// Few epochs: the contract is about privacy, not accuracy.
std::unique_ptr<Method> quick(const std::string& name, Options& options) {
  auto method = make_method(name);
  method->declare(options);
  for (const char* option : {"epochs", "encoder-epochs"}) {
    if (options.find(option) != nullptr) options.set(option, "3");
  }
  if (name == "lap" || name.ends_with("-ndp") || name.ends_with("-dp")) options.set("batch-size", "64");
  return method;
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, DescribesItselfAndItsOptions) {
  Options options;
  const auto method = quick(GetParam(), options);
  EXPECT_EQ(method->describe().name, GetParam());
  EXPECT_FALSE(method->describe().releases.empty());
  EXPECT_EQ(method->describe().level == "none", method->relations().empty());
  for (const Option& option : options.list()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_NO_THROW(option.set(option.text())) << option.name;
  }
}

TEST_P(EveryMethod, SpendsExactlyItsPlan) {
  Options options;
  const auto method = quick(GetParam(), options);
  for (bound::Relation relation : method->relations()) {
    const account::Ledger plan = method->plan(kNoise, relation, tiny_facts());
    mechanism::Release release(relation, plan, kAnyBudget, Seed::from_number(9));
    method->run(tiny_task(relation), kNoise, &release);
    EXPECT_TRUE(release.complete()) << bound::name(relation);
    EXPECT_EQ(release.spent(), plan) << bound::name(relation);
    for (const mechanism::SpentLine& line : release.spent_lines()) EXPECT_GT(line.sensitivity, 0);
  }
}

TEST_P(EveryMethod, RefusesToRunOnAnotherPlan) {
  Options options;
  const auto method = quick(GetParam(), options);
  for (bound::Relation relation : method->relations()) {
    if (method->plan(kNoise, relation, tiny_facts()).empty()) continue;
    mechanism::Release release(relation, method->plan(2 * kNoise, relation, tiny_facts()), kAnyBudget,
                               Seed::from_number(9));
    EXPECT_THROW(method->run(tiny_task(relation), kNoise, &release), Error);
    EXPECT_THROW(method->run(tiny_task(relation), kNoise, nullptr), Error);
  }
}

TEST_P(EveryMethod, MoreNoiseCostsLessAndNoNoiseIsRefused) {
  Options options;
  const auto method = quick(GetParam(), options);
  for (bound::Relation relation : method->relations()) {
    const auto cost = [&](double noise) {
      return account::spent_epsilon(method->plan(noise, relation, tiny_facts()), 1e-4);
    };
    if (method->plan(1, relation, tiny_facts()).empty()) {
      EXPECT_EQ(cost(1), 0);
      continue;
    }
    EXPECT_GT(cost(1), cost(2));
    EXPECT_GT(cost(2), cost(8));
    const account::Calibration found =
        account::calibrate([&](double noise) { return method->plan(noise, relation, tiny_facts()); }, 3.0, 1e-4);
    EXPECT_LE(found.epsilon, 3.0);
    EXPECT_GT(found.epsilon, 2.95);
  }
}

TEST_P(EveryMethod, GivesProbabilitiesAndRepeatsForASeedAndAnyThreads) {
  Options options;
  const auto method = quick(GetParam(), options);
  const std::vector<bound::Relation> relations = method->relations();
  const bound::Relation relation = relations.empty() ? bound::Relation::Node : relations.front();
  const auto run = [&](uint64_t seed) {
    std::optional<mechanism::Release> release;
    if (!relations.empty()) {
      release.emplace(relation, method->plan(kNoise, relation, tiny_facts()), kAnyBudget, Seed::from_number(seed));
    }
    return method->run(tiny_task(relation, seed), kNoise, release ? &*release : nullptr);
  };
  set_thread_count(1);
  const Released one = run(5);
  set_thread_count(2);
  const Released two = run(5), other = run(6);
  ASSERT_EQ(one.probabilities.rows(), method->wants_public_graph() ? tiny_public_data().nodes() : tiny_data().nodes());
  ASSERT_EQ(one.probabilities.cols(), tiny_data().classes);
  for (int64_t v = 0; v < one.probabilities.rows(); ++v) {
    double sum = 0;
    for (Real p : one.probabilities.row(v)) {
      EXPECT_GE(p, 0);
      sum += p;
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  const auto same = [&](const Matrix& a, const Matrix& b) {
    return std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(Real)) == 0;
  };
  EXPECT_TRUE(same(one.probabilities, two.probabilities));
  EXPECT_FALSE(same(two.probabilities, other.probabilities));
}

TEST_P(EveryMethod, RefusesToRunWithoutAPublicGraphWhenItWantsOne) {
  Options options;
  const auto method = quick(GetParam(), options);
  if (!method->wants_public_graph()) return;
  for (bound::Relation relation : method->relations()) {
    mechanism::Release release(relation, method->plan(kNoise, relation, tiny_facts()), kAnyBudget,
                               Seed::from_number(9));
    Task task = tiny_task(relation);
    task.public_data = nullptr;
    EXPECT_THROW(method->run(task, kNoise, &release), Error);
    EXPECT_TRUE(release.spent().empty());
  }
}

TEST_P(EveryMethod, PredictsOnAnotherGraphAsPlanned) {
  Options options;
  const auto method = quick(GetParam(), options);
  const std::vector<bound::Relation> relations = method->relations();
  const bound::Relation relation = relations.empty() ? bound::Relation::Node : relations.front();
  std::optional<mechanism::Release> training;
  if (!relations.empty()) {
    training.emplace(relation, method->plan(kNoise, relation, tiny_facts()), kAnyBudget, Seed::from_number(9));
  }
  const Released released = method->run(tiny_task(relation), kNoise, training ? &*training : nullptr);

  const graph::Dataset other = graph::generate(graph::preset("tiny", 240), Seed::from_number(77));
  const graph::Split nobody;
  const Task task{other, nobody, relation, Seed::from_number(4), std::nullopt};
  std::optional<mechanism::Release> release;
  if (!relations.empty())
    release.emplace(relation, method->inference_plan(kNoise, relation), kAnyBudget, Seed::from_number(8));
  const Matrix probabilities = method->infer(released.model, task, kNoise, release ? &*release : nullptr);
  EXPECT_EQ(probabilities.rows(), other.nodes());
  EXPECT_EQ(probabilities.cols(), tiny_data().classes);
  EXPECT_TRUE(!release || release->complete());
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, testing::ValuesIn(method_names()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Registry, NamesAreUniqueAndUnknownOnesRefused) {
  const std::vector<std::string> names = method_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THROW(make_method("gap"), Error);
}

}  // namespace
}  // namespace graphveil::method
