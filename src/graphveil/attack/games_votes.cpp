// Teachers' votes: the counts of every class, and the largest of them.
#include <cmath>
#include <utility>

#include "graphveil/attack/games.h"
#include "graphveil/bound/votes.h"

namespace graphveil::attack {
namespace {

using mechanism::PlanLine;
using mechanism::Release;

// The queries of many trials, one after the other; in every other one of a trial the two sides change places, so that
// noise that is used twice shows.
struct Queries {
  int64_t of_trial;

  double sign(int64_t row) const { return row % of_trial % 2 == 0 ? 1 : -1; }
  size_t trial(int64_t row) const { return static_cast<size_t>(row / of_trial); }
  // One teacher's votes: `there` or `blank` in the first query, and so on.
  bound::Votes votes(std::span<const uint8_t> there_flags, int32_t there, int32_t blank) const {
    bound::Votes out(1);
    for (int64_t row = 0; row < of_trial * std::ssize(there_flags); ++row) {
      out[0].push_back((there_flags[trial(row)] != 0) == (sign(row) > 0) ? there : blank);
    }
    return out;
  }
};

// ln P(x | value 1) / P(x | value 0) of a whole number with discrete Laplace noise.
double laplace_loss(double scale, double x) { return (std::abs(x) - std::abs(x - 1)) / scale; }

// One teacher's vote in each query: for class 0 where the record is there, else for class 1.
class VotesGame final : public Game {
 public:
  VotesGame(const account::Mechanism& noise, int64_t rounds, const bound::source::Votes& votes,
            const method::Setting& setting)
      : noise_(noise),
        queries_{votes.queries * rounds},
        votes_(votes),
        classes_(setting.facts.classes),
        relation_(setting.relation) {}
  double cost() const override { return static_cast<double>(queries_.of_trial * classes_); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    // The noise of a count is that of a line for `votes_.queries` queries; this release has as many for each trial.
    const double scale = mechanism::noise_scale({account::Event(kGameLine, noise_), bound_for(votes_.queries)});
    const bound::Bound bound = bound_for(queries_.of_trial * std::ssize(there));
    const double multiplier = scale / bound.sensitivity();
    const account::Mechanism spread = gaussian() ? account::Mechanism(account::Gaussian{multiplier})
                                                 : account::Mechanism(account::DiscreteLaplace{multiplier});
    Release release = open_for_game(relation_, {account::Event(kGameLine, spread), bound}, seed);
    const bound::Votes votes = queries_.votes(there, 0, 1);
    if (!gaussian()) {
      const auto noisy = release.discrete_laplace(kGameLine, bound::vote_counts(votes, classes_, relation_));
      for (int64_t r = 0; r < noisy.value().rows(); ++r) {
        const auto zero = static_cast<double>(noisy.value()(r, 0)), one = static_cast<double>(noisy.value()(r, 1));
        scores[queries_.trial(r)] += queries_.sign(r) * (laplace_loss(scale, zero) - laplace_loss(scale, one));
      }
      return;
    }
    const double grid = release.grid(kGameLine);
    const std::vector<double> weights{votes_.weight};
    const auto noisy = release.gaussian(
        kGameLine, votes_.weight == 1
                       ? bound::vote_counts(votes, classes_, relation_, grid)
                       : bound::weighted_vote_counts(votes, weights, votes_.weight, classes_, relation_, grid));
    for (int64_t r = 0; r < noisy.value().rows(); ++r) {
      const double apart = noisy.value()(r, 0) - noisy.value()(r, 1);
      scores[queries_.trial(r)] += queries_.sign(r) * votes_.weight * apart / (scale * scale);
    }
  }

 private:
  bool gaussian() const { return std::holds_alternative<account::Gaussian>(noise_); }
  bound::Bound bound_for(int64_t queries) const {
    if (votes_.weight != 1) return bound::weighted_vote_counts_bound(queries, votes_.weight, votes_.teachers);
    return bound::vote_counts_bound(queries, gaussian() ? bound::Norm::L2 : bound::Norm::L1, votes_.teachers);
  }

  account::Mechanism noise_;
  Queries queries_;
  bound::source::Votes votes_;
  int32_t classes_;
  bound::Relation relation_;
};

// One teacher votes where the record is there, and not where it is blank: the largest count is its vote, or nothing.
class VoteMaximaGame final : public Game {
 public:
  VoteMaximaGame(double noise_multiplier, int64_t rounds, const bound::source::VoteMaxima& maxima,
                 const method::Setting& setting)
      : noise_{noise_multiplier},
        queries_{maxima.queries * rounds},
        maxima_(maxima),
        classes_(setting.facts.classes),
        relation_(setting.relation) {}
  double cost() const override { return static_cast<double>(queries_.of_trial); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    const double weight = maxima_.weight;
    const double scale = mechanism::noise_scale(
        {account::Event(kGameLine, noise_), bound::vote_maxima_bound(maxima_.queries, weight, maxima_.teachers)});
    const bound::Bound bound =
        bound::vote_maxima_bound(queries_.of_trial * std::ssize(there), weight, maxima_.teachers);
    const PlanLine line{account::Event(kGameLine, account::Gaussian{scale / bound.sensitivity()}), bound};
    Release release = open_for_game(relation_, line, seed);
    const std::vector<double> weights{weight};
    const auto noisy =
        release.gaussian(kGameLine, bound::vote_maxima(queries_.votes(there, 0, bound::kNoVote), weights, weight,
                                                       classes_, relation_, release.grid(kGameLine)));
    for (int64_t r = 0; r < noisy.value().rows(); ++r) {
      scores[queries_.trial(r)] += queries_.sign(r) * weight * (noisy.value()(r, 0) - weight / 2) / (scale * scale);
    }
  }

 private:
  account::Gaussian noise_;
  Queries queries_;
  bound::source::VoteMaxima maxima_;
  int32_t classes_;
  bound::Relation relation_;
};

}  // namespace

std::unique_ptr<Game> votes_game(const account::Mechanism& noise, int64_t rounds, const bound::source::Votes& votes,
                                 const method::Setting& setting) {
  return std::make_unique<VotesGame>(noise, rounds, votes, setting);
}

std::unique_ptr<Game> vote_maxima_game(double noise_multiplier, int64_t rounds, const bound::source::VoteMaxima& maxima,
                                       const method::Setting& setting) {
  return std::make_unique<VoteMaximaGame>(noise_multiplier, rounds, maxima, setting);
}

}  // namespace graphveil::attack
