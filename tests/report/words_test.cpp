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
  p.audience = mechanism::Audience::Holder;
  EXPECT_TRUE(says(in_words(p), "must not leave"));
  p.audience = mechanism::Audience::Public;
  EXPECT_TRUE(says(in_words(p), "may be published"));
}

}  // namespace
}  // namespace graphveil::report::words_test
