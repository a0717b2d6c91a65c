#include "graphveil/method/pate/pate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/published_lnmax.h"
#include "graphveil/base/context.h"
#include "graphveil/base/error.h"
#include "tests/method/privgnn/public_task.h"
#include "tests/nn/memory_checkpoints.h"

namespace graphveil::method::pate_test {
namespace {

Pate ridge(std::vector<std::pair<std::string, std::string>> values = {}) {
  values.insert(values.begin(), {"teacher", "ridge"});
  return with(Pate(TeacherKind::Mlp), values);
}

TEST(Pate, IsOneGaussianOfTheVotesOfAllQueries) {
  const Plan plan = ridge().plan(2, setting_of_parts());
  ASSERT_EQ(plan.lines().size(), 1u);
  EXPECT_EQ(plan.lines()[0].event.mechanism(), account::Mechanism(account::Gaussian{2}));
  EXPECT_DOUBLE_EQ(plan.lines()[0].sensitivity(), std::sqrt(600.0));
}

TEST(Pate, OneRecordMovesOneVoteInEachQuery) {
  const graph::Dataset present = dense(parts().private_data);
  for (const Pate& method :
       {ridge(), ridge({{"teachers", "400"}}),
        with(Pate(TeacherKind::Sage), {{"teacher-epochs", "5"}, {"teacher-hidden-dim", "8"}, {"teachers", "20"}})}) {
    Seen before;
    run(method, present, 1, &before);
    for (const int32_t w : {0, 99}) {
      Seen after;
      run(method, without(present, w), 1, &after);
      const std::vector<double>&a = before.releases.at(0), &b = after.releases.at(0);
      const size_t classes = a.size() / 300;
      for (size_t q = 0; q < 300; ++q) {
        double squares = 0;
        for (size_t c = 0; c < classes; ++c) squares += std::pow(a[q * classes + c] - b[q * classes + c], 2);
        EXPECT_LE(squares, 2);
      }
    }
  }
}

TEST(Pate, TeachesPublicNodes) {
  for (const char* targets : {"histogram", "argmax"}) {
    const double little =
        test_accuracy(values(run(ridge({{"targets", targets}}), parts().private_data, 0.01).predictions));
    const double much =
        test_accuracy(values(run(ridge({{"targets", targets}}), parts().private_data, 1000).predictions));
    EXPECT_GT(little, 0.55);
    EXPECT_GT(little, much + 0.2);
  }
}

// Every noise can be asked for, is what the plan says, and teaches.
TEST(Pate, OtherNoisesOnVotes) {
  const auto plan = [](const char* noise) {
    return ridge({{"noise", noise}}).plan(2, setting_of_parts()).lines().at(0);
  };
  EXPECT_EQ(plan("discrete-laplace").event.mechanism(), account::Mechanism(account::DiscreteLaplace{2}));
  EXPECT_EQ(plan("discrete-laplace").event.count(), 300);
  EXPECT_DOUBLE_EQ(plan("discrete-laplace").sensitivity(), 2);
  EXPECT_EQ(plan("rr").event.mechanism(),
            account::Mechanism(account::RandomizedResponse{0.5, parts().private_data.classes}));
  EXPECT_EQ(plan("rr").event.count(), 300);
  EXPECT_GT(
      test_accuracy(values(
          run(ridge({{"noise", "discrete-laplace"}, {"teachers", "20"}}), parts().private_data, 0.3).predictions)),
      0.55);
  EXPECT_GT(
      test_accuracy(values(run(ridge({{"noise", "rr"}, {"teachers", "20"}}), parts().private_data, 0.1).predictions)),
      0.55);
}

// Query by query the same noise costs less, where there is a delta, than 2 |Q| / scale, the sum of the bounds.
TEST(Pate, ManyPureReleasesCostLessThanTheirSum) {
  const Plan plan = ridge({{"noise", "discrete-laplace"}}).plan(5, setting_of_parts());  // scale 10
  EXPECT_LT(account::spent_epsilon(plan.ledger(), 1e-5), 30);
  EXPECT_NEAR(account::spent_epsilon(plan.ledger(), 0), 60, 1e-6);
}

TEST(Pate, PresetIsThePapersBaseline) {
  for (const TeacherKind kind : {TeacherKind::Mlp, TeacherKind::Sage}) {
    Pate method(kind);
    EXPECT_NE(method.variant(), "");
    method.use_paper_settings();
    EXPECT_EQ(method.variant(), "");
    EXPECT_NE(with(method, {{"teacher", "ridge"}}).variant(), "");
    // Lambda 0.2, delta 4e-4: 167.82 in the paper's Table 2. Noise of scale 5 on counts that move by 2 together.
    const Setting setting{bound::Relation::Record, 100, {2500, 2500, 767, 10, 3000}, 1};
    const std::optional<Published> published = with(method, {{"inverse-scale", "0.2"}}).published(1, 4e-4, setting);
    ASSERT_TRUE(published && published->plan);
    EXPECT_NEAR(*published->epsilon, 167.82, 0.005);
    EXPECT_DOUBLE_EQ(vote_noise_stddev(published->plan->lines().at(0)), std::sqrt(2.0) * 5);
    EXPECT_FALSE(published->reasons.empty());
    // That bound holds, so the exact price is below it.
    EXPECT_LT(account::spent_epsilon(published->plan->ledger(), 4e-4), 167.82);
    EXPECT_THROW(with(method, {{"inverse-scale", "0.2"}}).plan(1, setting), Error);
  }
  EXPECT_FALSE(ridge({{"noise", "gaussian"}}).published(1, 1e-4, setting_of_parts()));
}

// Agreement makes PATE's data-dependent epsilon small: it is the holder's, and with Laplace noise alone.
TEST(Pate, DataDependentEpsilonIsADiagnostic) {
  const auto diagnostics = [](const char* noise) {
    return run(ridge({{"noise", noise}, {"teachers", "20"}}), parts().private_data, 0.5).diagnostics.private_value();
  };
  const std::map<std::string, double> of_laplace = diagnostics("discrete-laplace");
  ASSERT_EQ(of_laplace.size(), 1u);
  const double found = of_laplace.begin()->second;
  EXPECT_GT(found, 0);
  EXPECT_LT(found, account::published_lnmax_epsilon(300, 1, 1e-5));
  EXPECT_TRUE(diagnostics("gaussian").empty());
}

TEST(Pate, SaysBeforehandWhenNoiseExceedsTheSignal) {
  const auto warnings = [](const char* teacher, const char* noise_kind, double noise) {
    const Pate method = with(Pate(TeacherKind::Mlp), {{"teacher", teacher}, {"teachers", "50"}, {"noise", noise_kind}});
    return method.drowned(method.plan(noise, setting_of_parts()), setting_of_parts()).size();
  };
  EXPECT_EQ(warnings("mlp", "gaussian", 5), 1u);
  EXPECT_EQ(warnings("mlp", "gaussian", 0.1), 0u);
  // A regression of few records knows something (measured): 300 queries outweigh this noise.
  EXPECT_EQ(warnings("ridge", "gaussian", 5), 0u);
  EXPECT_EQ(warnings("ridge", "gaussian", 100), 1u);
  // The same noise on counts, query by query: deviation 2 sqrt 2 times the multiplier in place of sqrt 600 times.
  EXPECT_EQ(warnings("ridge", "discrete-laplace", 5 * std::sqrt(600.0 / 8)), 0u);
  EXPECT_EQ(warnings("ridge", "discrete-laplace", 100 * std::sqrt(600.0 / 8)), 1u);
}

// Killed after its first block of teachers, a run goes on with their votes, and ends with the same bits.
TEST(Pate, GoesOnWhereItWasKilled) {
  const Pate method = ridge({{"teachers", "40"}});
  const Output whole = run(method, parts().private_data, 1);
  auto first = std::make_shared<nn::MemoryCheckpoints>(), second = std::make_shared<nn::MemoryCheckpoints>();
  first->dies_at = 1;
  {
    const ContextScope scope({.checkpoints = first});
    EXPECT_THROW(run(method, parts().private_data, 1), Error);
  }
  ASSERT_EQ(first->kept.size(), 1u);
  second->kept = first->kept;
  const ContextScope scope({.checkpoints = second});
  const Output resumed = run(method, parts().private_data, 1);
  EXPECT_GE(second->saves, 2);
  EXPECT_TRUE(std::ranges::equal(values(whole.predictions).values(), values(resumed.predictions).values()));
  // Of other teachers.
  auto other = std::make_shared<nn::MemoryCheckpoints>();
  other->kept = first->kept;
  const ContextScope again({.checkpoints = other});
  EXPECT_THROW(run(ridge({{"teachers", "10"}}), parts().private_data, 1), Error);
}

}  // namespace
}  // namespace graphveil::method::pate_test
