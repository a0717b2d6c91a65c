#include "graphveil/report/words.h"

#include <string>

#include <gtest/gtest.h>

namespace graphveil::report::words_test {
namespace {

using bound::Relation;

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(Words, PredictionsSayWhoseTheyAre) {
  run::Prediction p;
  p.kind = run::PredictionKind::Released;
  p.audience = mechanism::Audience::Owner;
  p.epsilon = 1.5;
  p.epsilon_total = 2.75;
  p.assumptions = {"nobody is in both"};
  for (const char* part : {"1.5", "2.75", "for nobody else", "Assumed: nobody is in both"}) {
    EXPECT_TRUE(says(in_words(p), part)) << part;
  }
  EXPECT_TRUE(says(in_words(p), "costs epsilon 1.5 at"));
  p.epsilon = 1.3e-14;
  EXPECT_TRUE(says(in_words(p), "has no further cost (epsilon below 1e-9)"));
  p.audience = mechanism::Audience::Holder;
  EXPECT_TRUE(says(in_words(p), "must not leave"));
  p.audience = mechanism::Audience::Public;
  EXPECT_TRUE(says(in_words(p), "may be published"));
  // Nothing of a run that is not releasable is handed out, to its owner neither.
  p.not_releasable = {"the run had a seed"};
  for (const mechanism::Audience audience : {mechanism::Audience::Public, mechanism::Audience::Owner}) {
    p.audience = audience;
    EXPECT_TRUE(says(in_words(p), "not releasable"));
    EXPECT_TRUE(says(in_words(p), "the run had a seed"));
    EXPECT_FALSE(says(in_words(p), "may be published"));
    EXPECT_FALSE(says(in_words(p), "is for the node"));
  }
}

}  // namespace
}  // namespace graphveil::report::words_test
