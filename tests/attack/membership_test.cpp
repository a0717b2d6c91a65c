#include "graphveil/attack/membership.h"

#include <gtest/gtest.h>

#include "tests/run/small_run.h"

namespace graphveil::attack::membership_test {
namespace {

TEST(Membership, FindsMembersOfWhatOverfitsAndNotOfWhatHasNoise) {
  const graph::Dataset data = graph::generate(graph::preset("tiny", 600), Seed::from_number(1));
  const MembershipOptions options{.repeats = 3, .seed = Seed::from_number(1)};
  const auto overfits = run::quick("mlp", {{"epochs", "150"}, {"hidden-dim", "64"}});
  const MembershipResult open = membership_attack(*overfits, data, options);
  EXPECT_GT(open.members.auc.mean, 0.6);
  EXPECT_GT(open.member_accuracy.mean, open.other_accuracy.mean + 0.1);
  EXPECT_EQ(open.members.repeats.size(), 3);
  EXPECT_FALSE(open.labeled.has_value());
  const MembershipResult hidden = membership_attack(*run::quick("mlp-dp", {{"epsilon", "1"}}), data, options);
  EXPECT_LT(hidden.members.auc.mean, 0.56);
}

// One model that knows its members by heart is found out, and members are two fifths of so many nodes of a class.
TEST(Membership, OfOneModelAsGapsAuthorsRunIt) {
  const graph::Dataset data = graph::generate(graph::preset("tiny", 800), Seed::from_number(1));
  MembershipOptions options{.shadow_per_class = 100, .one_model = true, .repeats = 2, .seed = Seed::from_number(1)};
  const auto overfits = run::quick("mlp", {{"epochs", "150"}, {"hidden-dim", "64"}});
  const MembershipResult open = membership_attack(*overfits, data, options);
  EXPECT_GT(open.members.auc.mean, 0.6);
  EXPECT_GT(open.member_accuracy.mean, open.other_accuracy.mean + 0.1);
  EXPECT_EQ((open.target_nodes + open.shadow_nodes) % 80, 0);
  const MembershipResult hidden = membership_attack(*run::quick("mlp-dp", {{"epsilon", "1"}}), data, options);
  EXPECT_LT(hidden.members.auc.mean, 0.6);
  EXPECT_THROW(membership_attack(*run::quick("oneshot"), data, options), Error);
  options.shadow_per_class = 100000;
  EXPECT_THROW(membership_attack(*overfits, data, options), Error);
}

TEST(Membership, OfPrivateRecordsAndOfPublicNodesByProxy) {
  const auto experiment = run::quick("oneshot");
  const MembershipResult result =
      membership_attack(*experiment, graph::generate(graph::preset("tiny", 400), Seed::from_number(1)),
                        {.repeats = 1, .seed = Seed::from_number(1)});
  ASSERT_TRUE(result.labeled.has_value());
  EXPECT_GT(result.members.auc.mean, 0.3);
  EXPECT_LT(result.members.auc.mean, 0.7);
}

}  // namespace
}  // namespace graphveil::attack::membership_test
