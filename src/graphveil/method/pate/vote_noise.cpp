#include "graphveil/method/pate/vote_noise.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/noisy_argmax.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/label.h"
#include "graphveil/bound/votes.h"

namespace graphveil::method {
mechanism::PlanLine vote_line(VoteNoise kind, double noise, const char* label, int64_t queries, int64_t classes,
                              bound::source::TeacherReads teachers) {
  switch (kind) {
    case VoteNoise::Gaussian:
      return {account::Event(label, account::Gaussian{noise}),
              bound::vote_counts_bound(queries, bound::Norm::L2, teachers)};
    case VoteNoise::DiscreteLaplace:
      // Many pure releases cost less together than the sum of their bounds, where there is a delta.
      return {account::Event(label, account::DiscreteLaplace{noise}, account::NoSampling{}, queries),
              bound::vote_counts_bound(1, bound::Norm::L1, teachers)};
    case VoteNoise::RandomizedResponse: {
      const account::RandomizedResponse response{noise > 0 ? 1 / noise : kUnchanged, classes};
      return {account::Event(label, response, account::NoSampling{}, queries), bound::teacher_labels_bound(teachers)};
    }
  }
  fail(ErrorKind::Internal, "unknown noise");
}

int64_t queries_of(const mechanism::PlanLine& line) {
  if (const auto* votes = std::get_if<bound::source::Votes>(&line.source())) return votes->queries * line.event.count();
  if (const auto* maxima = std::get_if<bound::source::VoteMaxima>(&line.source())) return maxima->queries;
  if (std::holds_alternative<bound::source::Labels>(line.source())) return line.event.count();
  fail(ErrorKind::Internal, "'{}' releases {}, which answers no queries", line.event.label(),
       bound::name(line.source()));
}

double vote_noise_stddev(const mechanism::PlanLine& line) {
  switch (line.norm()) {
    case bound::Norm::L2: return mechanism::noise_scale(line);
    case bound::Norm::L1: return std::sqrt(2.0) * mechanism::noise_scale(line);
    default: return 0;
  }
}

namespace {

VoteNoise calibrated_best(int64_t queries, int64_t classes, int64_t teachers, double epsilon, double delta) {
  const auto calibrated = [&](VoteNoise kind) {
    const auto line = [&](double noise) {
      return vote_line(kind, noise, "votes", queries, classes, bound::source::TeacherReads::OwnRecords);
    };
    const auto ledger = [&](double noise) { return account::Ledger{line(noise).event}; };
    return line(account::calibrate(ledger, epsilon, delta).noise);
  };
  // On counts the noise of least variance; without delta no Gaussian noise is enough.
  mechanism::PlanLine line = calibrated(VoteNoise::DiscreteLaplace);
  VoteNoise best = VoteNoise::DiscreteLaplace;
  account::ArgmaxNoise shape = account::ArgmaxNoise::Laplace;
  if (delta > 0) {
    mechanism::PlanLine gaussian = calibrated(VoteNoise::Gaussian);
    if (vote_noise_stddev(gaussian) < vote_noise_stddev(line)) {
      line = std::move(gaussian);
      best = VoteNoise::Gaussian;
      shape = account::ArgmaxNoise::Gaussian;
    }
  }
  // ln(P(the class of all votes comes out) / P(another one)), with noise on counts and by randomized response.
  const double scale = mechanism::noise_scale(line) / static_cast<double>(teachers);
  const double odds = account::noisy_argmax_log_odds(
      shape, std::clamp(scale, account::kSmallestArgmaxScale, account::kLargestArgmaxScale), classes);
  const double response = mechanism::noise_scale(calibrated(VoteNoise::RandomizedResponse));
  return response > odds ? VoteNoise::RandomizedResponse : best;
}

}  // namespace

VoteNoise best_vote_noise(int64_t queries, int64_t classes, int64_t teachers, double epsilon, double delta) {
  // A calibration asks for many plans of one setting: it is chosen once.
  const std::tuple asked(queries, classes, teachers, epsilon, delta);
  thread_local std::optional<std::pair<std::tuple<int64_t, int64_t, int64_t, double, double>, VoteNoise>> last;
  if (!last || last->first != asked) last.emplace(asked, std::apply(calibrated_best, asked));
  return last->second;
}

}  // namespace graphveil::method
