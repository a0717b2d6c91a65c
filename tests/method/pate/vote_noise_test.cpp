#include "graphveil/method/pate/vote_noise.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"

namespace graphveil::method::vote_noise_test {
namespace {

TEST(VoteNoise, FewQueriesWantPureNoiseManyWantGaussian) {
  // Laplace noise of scale 2 |Q| / epsilon against Gaussian noise of deviation sqrt(2 |Q|) times the multiplier.
  EXPECT_EQ(best_vote_noise(1, 10, 100, 4, 1e-5), VoteNoise::DiscreteLaplace);
  EXPECT_EQ(best_vote_noise(3000, 10, 100, 4, 1e-5), VoteNoise::Gaussian);
  // One teacher has one vote: randomized response is the best there is.
  EXPECT_EQ(best_vote_noise(1, 10, 1, 4, 1e-5), VoteNoise::RandomizedResponse);
  // Without delta no Gaussian noise is enough.
  EXPECT_NE(best_vote_noise(3000, 10, 100, 4, 0), VoteNoise::Gaussian);
}

// The choice, checked against the noises themselves: where Laplace noise is chosen over Gaussian it is the smaller.
TEST(VoteNoise, TheChosenOneIsTheSmaller) {
  for (const double epsilon : {0.5, 2.0, 8.0}) {
    for (const int64_t queries : {1, 4, 20, 200}) {
      const auto deviation = [&](VoteNoise kind) {
        const auto ledger = [&](double noise) {
          return account::Ledger{
              vote_line(kind, noise, "votes", queries, 5, bound::source::TeacherReads::OwnRecords).event};
        };
        const double noise = account::calibrate(ledger, epsilon, 1e-5).noise;
        const double scale = mechanism::noise_scale(
            vote_line(kind, noise, "votes", queries, 5, bound::source::TeacherReads::OwnRecords));
        return kind == VoteNoise::Gaussian ? scale : std::sqrt(2.0) * scale;
      };
      const double laplace = deviation(VoteNoise::DiscreteLaplace), gaussian = deviation(VoteNoise::Gaussian);
      const VoteNoise best = best_vote_noise(queries, 5, 1000, epsilon, 1e-5);
      if (laplace < 0.8 * gaussian) {
        EXPECT_NE(best, VoteNoise::Gaussian) << queries << " " << epsilon;
      }
      if (gaussian < 0.8 * laplace) {
        EXPECT_EQ(best, VoteNoise::Gaussian) << queries << " " << epsilon;
      }
    }
  }
}

TEST(VoteNoise, ALineKnowsItsQueries) {
  for (const VoteNoise kind : {VoteNoise::Gaussian, VoteNoise::DiscreteLaplace, VoteNoise::RandomizedResponse}) {
    for (const int64_t queries : {1, 7, 1'000'003}) {
      EXPECT_EQ(queries_of(vote_line(kind, 2, "votes", queries, 5, bound::source::TeacherReads::OwnPart)), queries);
    }
  }
  const mechanism::PlanLine other{account::Event("sums", account::Gaussian{2}), bound::class_sums_bound(3)};
  EXPECT_THROW(queries_of(other), Error);
}

}  // namespace
}  // namespace graphveil::method::vote_noise_test
