#include "graphveil/nn/schedule.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::nn {
namespace {

TEST(Schedule, Rates) {
  EXPECT_EQ(learning_rate({.learning_rate = 0.5}, 1000), 0.5);
  const Schedule step{.learning_rate = 1, .decay = Decay::Step, .factor = 0.1, .every = 10};
  EXPECT_EQ(learning_rate(step, 9), 1);
  EXPECT_NEAR(learning_rate(step, 25), 0.01, 1e-12);
  const Schedule cosine{.learning_rate = 1, .decay = Decay::Cosine, .factor = 0, .total = 100};
  EXPECT_NEAR(learning_rate(cosine, 50), 0.5, 1e-12);
  EXPECT_NEAR(learning_rate(cosine, 500), 0, 1e-12);
  const Schedule linear{.learning_rate = 2, .decay = Decay::Linear, .factor = 0.5, .total = 10};
  EXPECT_NEAR(learning_rate(linear, 5), 1.5, 1e-12);
  const Schedule warm{.learning_rate = 1, .warmup = 4};
  EXPECT_EQ(learning_rate(warm, 0), 0.25);
  EXPECT_EQ(learning_rate(warm, 4), 1);
  EXPECT_THROW(learning_rate({.learning_rate = -1}, 0), Error);
  EXPECT_THROW(learning_rate({.every = 0}, 0), Error);
}

TEST(EarlyStopping, KeepsTheBestAndStopsAfterPatience) {
  Parameters p;
  p.add("w", 1, 1);
  EarlyStopping stopping(PublicData("validation labels, by --public val"), 2);
  const double scores[] = {0.5, 0.7, 0.6, 0.7, 0.9};
  int seen = 0;
  for (const double score : scores) {
    p.values()(0, 0) = static_cast<Real>(seen);
    ++seen;
    if (stopping.observe(score, p)) break;
  }
  EXPECT_EQ(seen, 4) << "0.6 and the second 0.7 are no better than 0.7";
  stopping.restore(p);
  EXPECT_EQ(p.values()(0, 0), 1);
  EXPECT_EQ(stopping.best_score(), 0.7);
}

TEST(EarlyStopping, NeedsADeclarationOfWhatIsPublic) {
  static_assert(!std::is_constructible_v<EarlyStopping, int64_t>);
  static_assert(!std::is_constructible_v<EarlyStopping, std::string, int64_t>, "a string alone is no declaration");
  EXPECT_THROW(PublicData(""), Error);
  EXPECT_THROW(EarlyStopping(PublicData("x"), 0), Error);
}

}  // namespace
}  // namespace graphveil::nn
