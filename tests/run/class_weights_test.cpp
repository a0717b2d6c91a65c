#include "graphveil/run/class_weights.h"

#include "graphveil/run/search.h"
#include "tests/run/small_run.h"

namespace graphveil::run::class_weights_test {
namespace {

const std::vector<std::string> kNames{"alive", "left", "died=early"};

std::vector<Real> given(const std::string& text) {
  return given_weights(text, 3, graph::Names(std::span<const std::string>(kNames)));
}

std::string refused(const std::string& method, const OptionList& options) {
  try {
    train_quick(method, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument);
    return error.what();
  }
  return "";
}

TEST(ClassWeights, AreGivenByName) {
  EXPECT_EQ(given("left=2"), (std::vector<Real>{1, 2, 1}));
  EXPECT_EQ(given("died=early=5,alive=0.5"), (std::vector<Real>{Real(0.5), 1, 5}));
  EXPECT_EQ(given_weights("1=4", 2, {}), (std::vector<Real>{1, 4}));
  EXPECT_EQ(given("#1=2,alive=3"), (std::vector<Real>{3, 2, 1})) << "by number, whatever the name";
  EXPECT_EQ(weights_by_number("left=2,alive=0.1", 3, graph::Names(std::vector<std::string>{"alive", "left", "x"})),
            "#1=2,#0=0.1");
  EXPECT_THROW(given_weights("#1=2", 2, graph::Names(std::vector<std::string>{"#1", "#0"})), Error)
      << "a name and a number";
  for (const char* bad : {"#3=1", "#=1", "#1=2,left=2", "", "left", "left=", "left=0", "left=-1", "left=nan",
                          "left=1e9", "right=2", "left=1,left=2", "left=2x", "1=2"}) {
    EXPECT_THROW(given(bad), Error) << bad;
  }
}

// n / (classes * count), as scikit-learn.
TEST(ClassWeights, BalancedOnesAreOneOverTheShare) {
  EXPECT_EQ(balanced_weights(std::vector<double>{6, 3, 1}, 1),
            (std::vector<Real>{Real(10.0 / 18), Real(10.0 / 9), Real(10.0 / 3)}));
  // What noise made of a rare class counts as the least.
  EXPECT_EQ(balanced_weights(std::vector<double>{8, -5}, 2), (std::vector<Real>{Real(10.0 / 16), Real(10.0 / 4)}));
}

TEST(ClassWeights, CountsOfPrivateLabelsAreALineAndCostEpsilon) {
  const Ready with = ready("mlp-dp", {{"class-weights", "balanced"}, {"epsilon", "2"}, {"noise-multiplier", "3"}});
  const Ready without = ready("mlp-dp", {{"noise-multiplier", "3"}});
  EXPECT_EQ(with.prepared.plan.lines().size(), 2u);
  EXPECT_EQ(with.prepared.plan.line("class counts").sensitivity(),
            std::sqrt(1 - 1.0 / with.prepared.setting.facts.classes));
  EXPECT_EQ(without.prepared.plan.lines().size(), 1u);
  const TrainOutcome outcome = train_quick("mlp-dp", {{"class-weights", "balanced"}, {"epsilon", "2"}});
  EXPECT_LE(*outcome.certificate.epsilon, 2);
  EXPECT_TRUE(outcome.certificate.valid());
}

TEST(ClassWeights, OfPublicLabelsOrGivenOnesReleaseNothing) {
  EXPECT_EQ(ready("mlp-dp", {{"class-weights", "0=3"}}).prepared.plan.lines().size(), 1u);
  const Ready edges = ready("gap-edp", {{"class-weights", "balanced"}});
  EXPECT_EQ(edges.prepared.plan, ready("gap-edp", {}).prepared.plan);
  train_quick("gap-edp", {{"class-weights", "balanced"}});
  train_quick("gnn-inf", {{"class-weights", "balanced"}});
}

TEST(ClassWeights, AreRefusedWhereTheyHaveNoUseOrNoProof) {
  EXPECT_NE(refused("oneshot", {{"class-weights", "balanced"}}).find("mlp-dp"), std::string::npos);
  EXPECT_NE(refused("lap", {{"class-weights", "balanced"}, {"relation", "undirected-edge"}}).find("gap-edp"),
            std::string::npos);
  EXPECT_NE(refused("mlp-dp", {{"class-weights", "nobody=3"}}).find("nobody"), std::string::npos);
  EXPECT_NE(refused("mlp-dp", {{"class-weights", "0=3"}, {"accounting", "published"}}), "");
  EXPECT_NE(refused("dpar-gm", {{"class-weights", "balanced"}, {"node-rate", "0.5"}}).find("--node-rate"),
            std::string::npos);
}

// Each trial of a charged search counts anew, within its own price.
TEST(ClassWeights, GoWithASearch) {
  const TrainOutcome outcome = train_quick("mlp-dp", {{"class-weights", "balanced"}, {"tune", "2"}, {"epsilon", "4"}});
  EXPECT_TRUE(outcome.certificate.valid());
  EXPECT_LE(*outcome.certificate.epsilon, 4);
}

}  // namespace
}  // namespace graphveil::run::class_weights_test
