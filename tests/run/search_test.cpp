#include "graphveil/run/search.h"

#include <algorithm>

#include "graphveil/account/accountant.h"
#include "graphveil/account/tuned.h"
#include "tests/run/small_run.h"

namespace graphveil::run::search_test {
namespace {

using bound::Relation;

const method::PublicFacts kFacts{1000, 700, 50, 4, 0};

Prepared prepared(const Experiment& experiment, Relation relation) { return prepare(experiment, relation, kFacts); }

std::string refusal(const std::string& method, const OptionList& options, Relation relation) {
  try {
    prepared(*quick(method, options), relation);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument) << error.what();
    return error.what();
  }
  return "";
}

TEST(Search, AtNodeLevelEveryTrialIsCharged) {
  const auto plain = quick("lap", {{"epsilon", "2"}}), tuned = quick("lap", {{"epsilon", "2"}, {"tune", "5"}});
  const Prepared without = prepared(*plain, Relation::Node), with = prepared(*tuned, Relation::Node);
  EXPECT_EQ(with.plan.lines().size(), without.plan.lines().size() + 1);
  EXPECT_TRUE(has_score(with.plan));
  EXPECT_EQ(with.plan.trials(), account::trials_of_mean(5));
  ASSERT_EQ(with.plan.ledger().events().size(), 1u);  // one line for all of it
  EXPECT_STREQ(account::kind(with.plan.ledger().events()[0].body()), "tuned");
  EXPECT_GT(with.noise, without.noise);
  const double epsilon = account::spent_epsilon(with.plan.ledger(), with.delta);
  EXPECT_LE(epsilon, 2);
  EXPECT_GT(epsilon, 1.99);
  // The score takes a tenth of a trial's budget: 1/s^2 of the lines add up.
  double all = 0, score = 0;
  for (const mechanism::PlanLine& line : with.plan.lines()) {
    const double s = std::get<account::Gaussian>(line.event.mechanism()).noise_multiplier;
    const double part = static_cast<double>(line.event.count()) / (s * s);
    all += part;
    if (line.event.label() == "score") score = part;
  }
  EXPECT_NEAR(score / all, 0.1, 1e-9);
}

TEST(Search, AtEdgeLevelTheLedgerDoesNotChange) {
  for (const auto& [name, relation] : {std::pair{"lap", Relation::Edge},
                                       {"gap-edp", Relation::UndirectedEdge},
                                       {"sage-edp", Relation::Edge},
                                       {"mlp", Relation::Edge}}) {
    const auto plain = quick(name), tuned = quick(name, {{"tune", "30"}});
    const Prepared a = prepared(*plain, relation), b = prepared(*tuned, relation);
    EXPECT_EQ(a.plan, b.plan) << name;
    EXPECT_EQ(a.noise, b.noise) << name;
    EXPECT_FALSE(charged(b)) << name;
  }
}

TEST(Search, PublicValidationMakesTheScoreFreeWhereNoEdgeIsRead) {
  const auto mlp = quick("mlp-dp", {{"tune", "5"}, {"public", "val"}, {"split", "file"}});
  EXPECT_FALSE(has_score(prepared(*mlp, Relation::Node).plan));
  EXPECT_TRUE(prepared(*mlp, Relation::Node).plan.trials().has_value());
  const auto lap = quick("lap", {{"tune", "5"}, {"public", "val"}, {"split", "file"}});
  EXPECT_TRUE(has_score(prepared(*lap, Relation::Node).plan));
}

TEST(Search, OptionsThatAreSetAreLeftAlone) {
  EXPECT_EQ(searched_names(*quick("mlp-dp"), Relation::Node), "learning-rate,max-grad-norm");
  EXPECT_EQ(searched_names(*quick("mlp-dp", {{"lr", "0.2"}}), Relation::Node), "max-grad-norm");
  EXPECT_EQ(searched_names(*quick("mlp-dp", {{"lr", "0.2"}, {"tune-over", "learning-rate"}}), Relation::Node),
            "learning-rate");
}

TEST(Search, RefusesWhatHasNoProofOrNothingToChoose) {
  const auto mentions = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  const OptionList tune{{"tune", "3"}};
  EXPECT_TRUE(mentions(refusal("dpgnn", tune, Relation::Record), "own record"));
  EXPECT_TRUE(mentions(refusal("dpar-gm", tune, Relation::Node), "own record"));
  EXPECT_TRUE(mentions(refusal("privgnn", tune, Relation::Node), "public graph"));
  EXPECT_TRUE(mentions(refusal("diffusion-edp", tune, Relation::Edge), "nothing to tune"));
  EXPECT_TRUE(mentions(refusal("lap", {{"tune", "3"}, {"own-edges", "predict"}}, Relation::Node), "own record"));
  EXPECT_TRUE(mentions(refusal("gap-edp", {{"tune", "3"}, {"tune-over", "hops"}}, Relation::Edge), "published"));
  EXPECT_TRUE(mentions(refusal("gap-ndp", {{"tune", "3"}, {"tune-over", "hops,max-degree"}}, Relation::Record),
                       "releases something else"));
  EXPECT_TRUE(mentions(refusal("mlp-dp", {{"tune", "3"}, {"tune-over", "steps"}}, Relation::Node), "offers"));
  EXPECT_TRUE(mentions(refusal("mlp-dp", {{"tune", "3"}, {"lr", "1"}, {"max-grad-norm", "1"}}, Relation::Node), "set"));
  for (const char* bad : {"0", "1", "-2", "2.5", "many", "10001"}) {
    EXPECT_THROW(quick("mlp-dp", {{"tune", bad}}), Error) << bad;
  }
}

// The papers choose hops and degrees by validation labels, unpaid; so does a run as published, which proves nothing.
TEST(Search, AsPublishedNothingIsChargedAndMoreIsOffered) {
  const auto edge = quick("gap-edp", {{"tune", "5"}, {"tune-over", "hops"}, {"accounting", "published"}});
  const Prepared made = prepared(*edge, Relation::Edge);
  EXPECT_FALSE(charged(made));
  EXPECT_FALSE(made.plan.trials().has_value());
  EXPECT_TRUE(std::ranges::any_of(made.reasons,
                                  [](const std::string& r) { return r.find("only the one that was kept") != r.npos; }));
  EXPECT_EQ(searched(*edge, Relation::Edge)[0].values.size(), 5u);
  const auto node = quick(
      "gap-ndp", {{"weights", "drop"}, {"tune", "5"}, {"tune-over", "hops,max-degree"}, {"accounting", "published"}});
  EXPECT_FALSE(charged(prepared(*node, Relation::Record)));
  EXPECT_EQ(searched_names(*quick("gap-inf", {{"tune-over", "hops"}}), Relation::Edge), "hops");
}

TEST(Search, TheCertificateSaysWhatWasSearched) {
  const auto node = quick("mlp-dp", {{"tune", "5"}}), edge = quick("lap", {{"tune", "5"}});
  const std::string charged_words = search_remark(prepared(*node, Relation::Node));
  EXPECT_NE(charged_words.find("5 on average"), std::string::npos);
  EXPECT_NE(charged_words.find("max-grad-norm"), std::string::npos);
  EXPECT_NE(search_remark(prepared(*edge, Relation::Edge)).find("costs nothing"), std::string::npos);
}

}  // namespace
}  // namespace graphveil::run::search_test
