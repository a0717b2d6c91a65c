#include "graphveil/method/dpgpl/prompt_dpsgd.h"

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/method/dpgpl/small_prompts.h"

namespace graphveil::method::prompt_dpsgd_test {
namespace {

PromptDpSgd small(std::vector<std::pair<std::string, std::string>> values = {}) {
  values.insert(values.begin(), {{"svd", "24"},
                                 {"hidden-dim", "16"},
                                 {"backbone-layers", "2"},
                                 {"backbone-epochs", "30"},
                                 {"tokens", "4"},
                                 {"steps", "60"}});
  return with(PromptDpSgd(), values);
}

TEST(PromptDpSgd, IsOneLineOfNoisySteps) {
  const Plan plan = small().plan(2, setting_of_parts());
  ASSERT_EQ(plan.lines().size(), 1u);
  EXPECT_EQ(plan.lines()[0].event.mechanism(), account::Mechanism(account::Gaussian{2}));
  EXPECT_EQ(plan.lines()[0].event.count(), 60);
  EXPECT_EQ(bound::reads(plan.lines()[0].source()), bound::Reads::OwnRecords);
}

// The public graph of --messages whole has the private nodes in it: the steps cost what they cost, and prove nothing.
TEST(PromptDpSgd, AWholeGraphIsForPublishedAlone) {
  const PromptDpSgd whole = small({{"messages", "whole"}});
  EXPECT_FALSE(small().published(2, 1e-4, setting_of_parts()));
  EXPECT_THROW(whole.plan(2, setting_of_parts()), Error);
  const std::optional<Published> published = whole.published(2, 1e-4, setting_of_parts());
  ASSERT_TRUE(published && published->plan);
  EXPECT_EQ(published->reasons.size(), 1u);
  EXPECT_NEAR(account::spent_epsilon(published->plan->ledger(), 1e-4), 2, 1e-3);
  const Plan plan = small().plan(2, setting_of_parts());
  Release release = Release::open(bound::Relation::Node, plan, {1e9, 1e-4}, Seed::from_number(4));
  EXPECT_THROW(whole.run(task_on(parts().private_data, unlabeled_public()), release), Error);
}

// Which records are read is told by ids: a record that goes takes nobody's place and gives it to nobody.
TEST(PromptDpSgd, AFewShotsOfEachClassAreToldByIds) {
  const PromptDpSgd method = small({{"shots", "3"}, {"steps", "2"}, {"backbone-epochs", "1"}});
  const graph::Dataset present = dense(parts().private_data);
  Seen before;
  run(method, present, 1, &before);
  int moved = 0;
  for (int32_t w = 0; w < present.nodes(); ++w) {
    Seen after;
    run(method, without(present, w), 1, &after);
    moved += before.releases.at(0) != after.releases.at(0) ? 1 : 0;
  }
  EXPECT_GT(moved, 0);
  EXPECT_LE(moved, 3 * kClasses);
}

TEST(PromptDpSgd, LearnsWithLittleNoise) {
  for (const char* arch : {"gcn", "gat", "transformer"}) {
    const PromptDpSgd method = small({{"arch", arch}, {"lr", "0.05"}});
    const Output out = run(method, parts().private_data, 0.05);
    EXPECT_GT(test_accuracy(values(out.predictions)), 0.5) << arch;
    Release nothing = Release::clear(bound::Relation::Node, {});
    const Matrix again =
        values(method.infer(out.model.value(), task_on(unlabeled_public(), unlabeled_public()), nothing)).clone();
    EXPECT_TRUE(same(values(out.predictions), again));
  }
}

}  // namespace
}  // namespace graphveil::method::prompt_dpsgd_test
