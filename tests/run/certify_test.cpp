#include "graphveil/run/certify.h"

#include <algorithm>

#include "graphveil/account/drawn.h"
#include "graphveil/base/version.h"
#include "tests/run/small_run.h"

namespace graphveil::run::certify_test {
namespace {

constexpr method::PublicFacts kFacts{1000, 750, 20, 4, 100};

artifact::Certificate certified(const Experiment& experiment, bound::Relation relation, bool seeded = false,
                                const std::vector<std::string>& found_in_data = {}) {
  const Prepared prepared = prepare(experiment, relation, kFacts);
  return certify(prepared, prepared.plan, seeded, {found_in_data, {}, {}, {}});
}

bool says(const std::vector<std::string>& list, const std::string& word) {
  return std::any_of(list.begin(), list.end(), [&](const auto& s) { return s.find(word) != std::string::npos; });
}

TEST(Certify, IsPricedByWhatWasSpent) {
  const auto experiment = quick("gap-ndp", {{"epsilon", "3"}});
  const artifact::Certificate c = certified(*experiment, bound::Relation::Node);
  EXPECT_EQ(c.version, version());
  EXPECT_TRUE(c.valid());
  EXPECT_TRUE(c.releasable());
  EXPECT_DOUBLE_EQ(*c.epsilon, account::drawn_epsilon(c.plan.ledger(), c.delta));
  EXPECT_LE(*c.epsilon, 3);
  ASSERT_FALSE(c.epsilon_at.empty());
  for (const artifact::EpsilonAt& at : c.epsilon_at) {
    EXPECT_DOUBLE_EQ(*at.epsilon, account::drawn_epsilon(c.plan.ledger(), at.delta)) << at.delta;
  }
  // A run that spent less is priced by that.
  const Prepared prepared = prepare(*experiment, bound::Relation::Node, kFacts);
  EXPECT_LT(*certify(prepared, {prepared.plan.lines()[0]}, false, {}).epsilon, *c.epsilon);
}

TEST(Certify, AKnownSeedIsValidButNeverReleasable) {
  const artifact::Certificate c = certified(*quick("mlp-dp"), bound::Relation::Node, true);
  EXPECT_TRUE(c.valid());
  EXPECT_FALSE(c.releasable());
  EXPECT_TRUE(says(c.not_releasable, "seed"));
}

TEST(Certify, ALargeDeltaIsValidButNotReleasable) {
  // One in 1000 nodes, of which 750 train: the others are people too.
  for (const auto& [method, relation, people] :
       {std::tuple{"mlp-dp", bound::Relation::Node, 1000}, {"gap-edp", bound::Relation::UndirectedEdge, 1000}}) {
    const artifact::Certificate small =
        certified(*quick(method, {{"delta", fmt::format("{}", 0.999 / people)}}), relation);
    EXPECT_TRUE(small.releasable()) << method;
    const artifact::Certificate large =
        certified(*quick(method, {{"delta", fmt::format("{}", 1.001 / people)}}), relation);
    EXPECT_TRUE(large.valid()) << method;
    EXPECT_FALSE(large.releasable()) << method;
    EXPECT_TRUE(says(large.not_releasable, "delta")) << method;
  }
}

// Records take part with a chance of delta: (0, delta) holds with next to no noise, and whoever is drawn is exposed.
TEST(Certify, AChanceOfDeltaToBeDrawnIsNotReleasable) {
  const artifact::Certificate c = train_quick("dpar-gm", {{"node-rate", "0.001"}, {"delta", "0.0011"}}).certificate;
  EXPECT_TRUE(c.valid());
  EXPECT_LT(*c.epsilon, 1.01);
  EXPECT_FALSE(c.releasable());
  EXPECT_TRUE(says(c.not_releasable, "drawn"));
  EXPECT_TRUE(train_quick("dpar-gm", {{"node-rate", "0.5"}, {"delta", "0.001"}}).certificate.releasable());
}

TEST(Certify, AMethodWithoutNoiseHasNoEpsilonAtAll) {
  const artifact::Certificate c = certified(*quick("gap-inf"), bound::Relation::Edge);
  EXPECT_FALSE(c.valid());
  EXPECT_FALSE(c.releasable());
  EXPECT_FALSE(c.epsilon.has_value());
  EXPECT_FALSE(c.reasons.empty());
  EXPECT_TRUE(c.statements.empty());
  EXPECT_TRUE(to_json(c)["epsilon"].is_null());
}

TEST(Certify, NothingReleasedCostsNothing) {
  const artifact::Certificate c = certified(*quick("mlp"), bound::Relation::Edge);
  EXPECT_EQ(c.epsilon, 0);
  EXPECT_EQ(c.delta, 0);
  EXPECT_TRUE(c.valid());
}

TEST(Certify, ThePapersArithmeticIsNeverValid) {
  const artifact::Certificate c =
      certified(*quick("gap-edp", {{"accounting", "published"}, {"epsilon", "4"}}), bound::Relation::UndirectedEdge);
  EXPECT_FALSE(c.valid());
  EXPECT_FALSE(c.releasable());
  EXPECT_EQ(c.published_epsilon, 4);
  EXPECT_GT(*c.epsilon, 4);  // an undirected edge moves two rows, the paper counts one
  EXPECT_TRUE(c.statements.empty());
}

// Where records send messages to everybody no run of these methods has a certificate that says anything.
TEST(Certify, AWholeGraphIsNeverValid) {
  for (const char* name : {"dp-gpl", "dp-gpl-w", "prompt-dpsgd"}) {
    EXPECT_THROW(prepare(*quick(name, {{"messages", "whole"}}), bound::Relation::Record, kFacts), Error) << name;
    const artifact::Certificate c = certified(
        *quick(name, {{"messages", "whole"}, {"accounting", "published"}, {"delta", "1e-4"}}), bound::Relation::Record);
    EXPECT_FALSE(c.valid()) << name;
    EXPECT_FALSE(c.releasable()) << name;
    EXPECT_TRUE(c.statements.empty()) << name;
    EXPECT_TRUE(says(c.reasons, "all edges are kept")) << name;
  }
}

TEST(Certify, ListsWhatWasTakenForGranted) {
  const artifact::Certificate plain = certified(*quick("mlp-dp"), bound::Relation::Node);
  EXPECT_TRUE(says(plain.assumptions, "feature columns"));
  EXPECT_FALSE(says(plain.assumptions, "validation"));
  EXPECT_TRUE(says(certified(*quick("mlp-dp", {{"public-labels", "val"}}), bound::Relation::Node).assumptions,
                   "--public-labels val"));
  EXPECT_TRUE(says(certified(*quick("oneshot"), bound::Relation::Node).assumptions, "public graph"));
  EXPECT_TRUE(says(certified(*quick("lap"), bound::Relation::Record).assumptions, "edges that other nodes list"));
  const artifact::Certificate found =
      certified(*quick("mlp-dp"), bound::Relation::Node, false, {"which values each column takes"});
  EXPECT_TRUE(says(found.assumptions, "which values each column takes was read off the data"));
  EXPECT_EQ(found.found_in_data.size(), 1u);
  EXPECT_EQ(found.assumptions.size(), plain.assumptions.size() + 1);
}

}  // namespace
}  // namespace graphveil::run::certify_test
