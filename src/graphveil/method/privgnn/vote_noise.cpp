#include "graphveil/method/privgnn/vote_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/noisy_argmax.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/votes.h"

namespace graphveil::method {
namespace {

// ln(P(the class of all votes comes out) / P(another one)) under the noise of a line.
double log_odds(VoteNoise kind, const mechanism::PlanLine& line, int64_t classes, int64_t teachers) {
  const double noise = mechanism::noise_scale(line);
  if (kind == VoteNoise::RandomizedResponse) return noise;  // that is what its scale is
  const double scale =
      std::clamp(noise / static_cast<double>(teachers), account::kSmallestArgmaxScale, account::kLargestArgmaxScale);
  return account::noisy_argmax_log_odds(
      kind == VoteNoise::Gaussian ? account::ArgmaxNoise::Gaussian : account::ArgmaxNoise::Laplace, scale, classes);
}

}  // namespace

mechanism::PlanLine vote_line(VoteNoise kind, double noise, const char* label, int64_t queries, int64_t classes,
                              mechanism::Reads reads) {
  switch (kind) {
    case VoteNoise::Gaussian:
      return {account::Event(label, account::Gaussian{noise}),
              bound::vote_counts_sensitivity(queries, bound::Norm::L2), bound::Norm::L2, reads};
    case VoteNoise::DiscreteLaplace:
      return {account::Event(label, account::DiscreteLaplace{noise}),
              bound::vote_counts_sensitivity(queries, bound::Norm::L1), bound::Norm::L1, reads};
    case VoteNoise::RandomizedResponse: {
      const account::RandomizedResponse response{noise > 0 ? 1 / noise : 0, classes};
      return {account::Event(label, response, account::NoSampling{}, queries), 1, bound::Norm::Hamming, reads};
    }
  }
  fail(ErrorKind::Internal, "unknown noise");
}

VoteNoise best_vote_noise(int64_t queries, int64_t classes, int64_t teachers, double epsilon, double delta) {
  VoteNoise best = VoteNoise::Gaussian;
  double most = -std::numeric_limits<double>::infinity();
  for (const VoteNoise kind : {VoteNoise::Gaussian, VoteNoise::DiscreteLaplace, VoteNoise::RandomizedResponse}) {
    if (kind == VoteNoise::Gaussian && delta == 0) continue;  // no noise is enough
    const auto line = [&](double noise) {
      return vote_line(kind, noise, "votes", queries, classes, mechanism::Reads::OwnRecords);
    };
    const auto ledger = [&](double noise) { return account::Ledger{line(noise).event}; };
    const double odds =
        log_odds(kind, line(account::calibrate(ledger, epsilon, delta).noise), classes, teachers);
    if (odds > most) {
      most = odds;
      best = kind;
    }
  }
  return best;
}

}  // namespace graphveil::method
