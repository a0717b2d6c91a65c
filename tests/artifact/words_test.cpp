#include "graphveil/artifact/words.h"

#include "graphveil/method/registry.h"
#include "tests/run/small_run.h"

namespace graphveil::artifact::words_test {
namespace {

using bound::Relation;
using run::OptionList;

constexpr method::PublicFacts kFacts{1000, 750, 20, 4, 100};

Certificate certified(const std::string& method, Relation relation, const OptionList& options = {},
                      bool seeded = false) {
  const auto experiment = run::quick(method, options);
  const run::Prepared prepared = run::prepare(*experiment, relation, kFacts);
  return run::certify(prepared, prepared.plan, seeded, {});
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// What was not kept cannot be published.
TEST(Words, OfARunThatWasNotKeptNothingMayBePublished) {
  const Certificate c = certified("lap", Relation::Node);
  EXPECT_TRUE(says(in_words(c), "May be published"));
  EXPECT_FALSE(says(in_words(c, false), "May be published"));
  EXPECT_TRUE(says(in_words(c, false), "differentially private"));
}

// Whatever is said about predictions at node level names their owner: never everybody.
TEST(Words, AtNodeLevelNobodyElseMayReadAPrediction) {
  for (const std::string& name : method::method_names()) {
    const auto method = method::make_method(name);
    for (const Relation relation : method->relations()) {
      const Certificate c = certified(name, relation);
      const std::string words = in_words(c);
      EXPECT_TRUE(says(words, "May be published: the parameters")) << words;
      if (bound::edge_level(relation) || method->wants_public_graph()) continue;
      EXPECT_FALSE(says(words, "anybody")) << words;
      EXPECT_FALSE(says(words, "parameters and predictions")) << words;
      EXPECT_FALSE(says(words, "and the predictions")) << words;
      const bool owners = says(words, "A prediction is for the node it is about");
      const bool holders = says(words, "they are the data holder's and must not leave");
      EXPECT_TRUE(owners != holders) << name << "\n" << words;
    }
  }
}

TEST(Words, AtEdgeLevelPredictionsMayBePublished) {
  EXPECT_TRUE(says(in_words(certified("gap-edp", Relation::UndirectedEdge)), "and the predictions"));
  const std::string propagated = in_words(certified("gap-edp", Relation::UndirectedEdge, {{"propagate", "2"}}));
  EXPECT_FALSE(says(propagated, "and the predictions"));
  EXPECT_TRUE(says(propagated, "must not leave"));
}

TEST(Words, SayWhoIsProtectedByDegreeAndByFriendship) {
  const std::string node = in_words(certified("lap", Relation::Node, {{"protect-degree", "40"}}));
  for (const char* part : {"relation node", "every edge at it", "at most 40 outgoing edges", "160 outgoing edges",
                           "One friendship alone"}) {
    EXPECT_TRUE(says(node, part)) << part << "\n" << node;
  }
  const std::string record = in_words(certified("lap", Relation::Record));
  EXPECT_TRUE(says(record, "one node's own record")) << record;
  EXPECT_TRUE(says(record, "Assumed: edges that other nodes list are theirs")) << record;
  EXPECT_FALSE(says(record, "friendship alone")) << record;
}

TEST(Words, PredictionsThatReadTheNodesOwnListSayWhichRelationHolds) {
  const std::string words = in_words(certified("lap", Relation::Node, {{"own-edges", "predict"}}));
  EXPECT_TRUE(says(words, "Predictions are protected under relation record only")) << words;
}

TEST(Words, OfAnInvalidCertificateClaimNothing) {
  const std::string published =
      in_words(certified("gap-edp", Relation::UndirectedEdge, {{"accounting", "published"}, {"epsilon", "3.25"}}));
  EXPECT_FALSE(says(published, "-differentially private"));
  EXPECT_FALSE(says(published, "May be published"));
  EXPECT_TRUE(says(published, "NOT VALID"));
  EXPECT_TRUE(says(published, "3.25"));
  const std::string none = in_words(certified("gap-inf", Relation::Edge));
  EXPECT_FALSE(says(none, "-differentially private"));
  EXPECT_TRUE(says(none, "no differential-privacy guarantee"));
}

TEST(Words, ASeededRunIsNotToBeReleased) {
  EXPECT_TRUE(says(in_words(certified("mlp-dp", Relation::Node, {}, true)), "NOT TO BE RELEASED"));
  EXPECT_FALSE(says(in_words(certified("mlp-dp", Relation::Node)), "NOT TO BE RELEASED"));
}

TEST(Words, TheCaveatOfRecordOnASymmetricGraph) {
  EXPECT_TRUE(says(caveat(Relation::Record, true), "half of each friendship"));
  EXPECT_TRUE(says(caveat(Relation::Edge, true), "one of a friendship's two directions"));
  for (const Relation relation : bound::all_relations()) {
    EXPECT_EQ(caveat(relation, false), "");
    if (relation != Relation::Record && relation != Relation::Edge) {
      EXPECT_EQ(caveat(relation, true), "");
    }
  }
}

TEST(Words, Numbers) {
  EXPECT_EQ(epsilon_text(1.23456), "1.235");
  EXPECT_EQ(epsilon_text(std::nullopt), "no finite number");
}

}  // namespace
}  // namespace graphveil::artifact::words_test
