#include "graphveil/artifact/plain_words.h"

#include <regex>

#include "graphveil/method/registry.h"
#include "tests/run/small_run.h"

namespace graphveil::artifact::plain_words_test {
namespace {

using bound::Relation;

Certificate certified(const std::string& method, Relation relation, const run::OptionList& options = {},
                      bool seeded = false) {
  const auto experiment = run::quick(method, options);
  const run::Prepared prepared = run::prepare(*experiment, relation, {1000, 750, 20, 4, 50});
  Certificate c = run::certify(prepared, prepared.plan, seeded, {{}, std::string(64, 'a'), {}, {}});
  c.created = "2026-11-16T12:00:00Z";
  c.model_sha256 = c.config_sha256 = c.data_fingerprint = std::string(64, 'b');
  return c;
}

std::string all_of(const PlainWords& words) {
  std::string text = words.status;
  for (const auto& [what, value] : words.about) text += "\n" + what + " " + value;
  for (const auto& [question, answer] : words.points) text += "\n" + question + " " + answer;
  for (const std::string& item : words.assumed) text += "\n" + item;
  return text;
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// A page for somebody who knows neither.
TEST(PlainWords, NameNoMethodAndNoHash) {
  for (const std::string& name : method::method_names()) {
    for (const Relation relation : method::make_method(name)->relations()) {
      const std::string text = all_of(plain_words(certified(name, relation)));
      EXPECT_FALSE(std::regex_search(text, std::regex("[0-9a-f]{32}"))) << text;
      EXPECT_FALSE(std::regex_search(text, std::regex("\\b" + name + "\\b"))) << name << "\n" << text;
      EXPECT_FALSE(says(text, "differentially private")) << text;
    }
  }
}

// Each relation in its own words, none of which promises what another one does.
TEST(PlainWords, PromiseNoMoreThanTheRelation) {
  const std::string node = all_of(plain_words(certified("lap", Relation::Node)));
  EXPECT_TRUE(says(node, "Each single person"));
  EXPECT_TRUE(says(node, "on the list of people is taken to be public, and not hidden"));
  EXPECT_TRUE(says(node, "People with more than 100 contacts"));
  const std::string record = all_of(plain_words(certified("lap", Relation::Record)));
  EXPECT_TRUE(says(record, "What other people's lists say about them is not hidden"));
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    const std::string edge = all_of(plain_words(certified("gap-edp", relation)));
    EXPECT_FALSE(says(edge, "Each single person"));
    EXPECT_TRUE(says(edge, "counts as public: none of that is protected"));
  }
}

// Predictions are shared with whom the statements say.
TEST(PlainWords, ShareWhatTheStatementsLet) {
  for (const std::string& name : method::method_names()) {
    for (const Relation relation : method::make_method(name)->relations()) {
      const Certificate c = certified(name, relation);
      const std::string text = all_of(plain_words(c));
      const mechanism::Audience audience = prediction_audience(c);
      EXPECT_EQ(says(text, "and the predictions"), audience == mechanism::Audience::Public) << name << text;
      EXPECT_EQ(says(text, "the prediction about that person"), audience == mechanism::Audience::Owner) << name;
      EXPECT_EQ(says(text, "With nobody: predictions"), audience == mechanism::Audience::Holder) << name;
    }
  }
}

TEST(PlainWords, TheSurenessIsThatOfEpsilonAndLargerForMoreContacts) {
  const Certificate c = certified("lap", Relation::Node, {{"epsilon", "1"}});
  const std::string text = all_of(plain_words(c));
  EXPECT_TRUE(says(text, "at most 73.11%")) << text;  // e / (1 + e), and delta on top, rounded up
  EXPECT_TRUE(std::regex_search(text, std::regex("with 400 at most 8[0-9]"))) << text;
}

TEST(PlainWords, SayWhatWasSpentWhereABookKnows) {
  Certificate c = certified("lap", Relation::Node);
  EXPECT_TRUE(says(all_of(plain_words(c)), "no budget book was kept"));
  c.budget = BookMark{"id", 3, "hash", 2.5, 1e-5};
  EXPECT_TRUE(says(all_of(plain_words(c)), "epsilon 2.5 at delta 1e-05"));
}

TEST(PlainWords, WithoutAGuaranteeNothingIsClaimed) {
  const PlainWords none = plain_words(certified("gap-inf", Relation::Edge));
  EXPECT_TRUE(none.points.empty());
  EXPECT_TRUE(says(none.status, "no guarantee"));
  const std::string draft = all_of(plain_words(certified("lap", Relation::Node, {}, true)));
  EXPECT_TRUE(says(draft, "Nothing, with nobody"));
  EXPECT_FALSE(says(draft, "With everybody"));
  EXPECT_FALSE(says(draft, "guesses right"));
}

TEST(PlainWords, WhatIsDeclaredStandsThere) {
  const PlainWords words = plain_words(
      certified("lap", Relation::Node,
                {{"data-name", "a town"}, {"controller", "its mayor"}, {"purpose", "beds"}, {"people", "20000"}}));
  EXPECT_EQ(words.about, (std::vector<std::pair<std::string, std::string>>{{"Data", "a town"},
                                                                           {"Answers for it", "its mayor"},
                                                                           {"Purpose", "beds"},
                                                                           {"People in it, as declared", "20000"},
                                                                           {"Written", "2026-11-16"}}));
}

}  // namespace
}  // namespace graphveil::artifact::plain_words_test
