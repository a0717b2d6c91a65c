// Whole numbers with discrete noise: neighbors by group, the number of edges, and votes, which may have Gaussian noise.
#include <cmath>
#include <utility>

#include "graphveil/attack/games.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/bound/votes.h"

namespace graphveil::attack {
namespace {

using mechanism::PlanLine;
using mechanism::Release;

// ln P(x | value 1) / P(x | value 0) of a whole number with noise of this kind and size.
double count_loss(const account::Mechanism& noise, double scale, double x) {
  if (std::holds_alternative<account::DiscreteLaplace>(noise)) return (std::abs(x) - std::abs(x - 1)) / scale;
  return (x - 0.5) / (scale * scale);
}

bound::Norm norm_of(const account::Mechanism& noise) {
  return std::holds_alternative<account::DiscreteLaplace>(noise) ? bound::Norm::L1 : bound::Norm::L2;
}

// An edge, or both its directions, counted in one cell each. Two groups take turns, so that the rounds differ.
class CountsGame final : public Game {
 public:
  CountsGame(const account::Mechanism& noise, int64_t rounds, bound::Relation relation)
      : noise_(noise), rounds_(rounds), relation_(relation) {}
  double cost() const override { return 4 * static_cast<double>(rounds_); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    const auto nodes = 2 * static_cast<int64_t>(there.size());
    std::vector<int32_t> from, to;
    for (int32_t i = 0; i < static_cast<int32_t>(there.size()); ++i) {
      if (there[static_cast<size_t>(i)] == 0) continue;
      from.push_back(2 * i);
      to.push_back(2 * i + 1);
    }
    const bool both = relation_ == bound::Relation::UndirectedEdge;
    const graph::Graph graph =
        both ? graph::Graph::from_undirected_edges(nodes, from, to) : graph::Graph::from_edges(nodes, from, to);
    const PlanLine line{account::Event(kGameLine, noise_, account::NoSampling{}, rounds_),
                        bound::neighbor_counts_sensitivity(relation_, norm_of(noise_)), norm_of(noise_)};
    const double scale = mechanism::noise_scale(line);
    Release release = open_for_game(relation_, line, seed);
    for (int64_t round = 0; round < rounds_; ++round) {
      const int32_t group = static_cast<int32_t>(round % 2);
      const std::vector<int32_t> groups(static_cast<size_t>(nodes), group);
      bound::Bounded<IntegerMatrix<int64_t>> counts =
          bound::neighbor_counts(graph, groups, 2, relation_, norm_of(noise_));
      const auto noisy = norm_of(noise_) == bound::Norm::L1 ? release.discrete_laplace(kGameLine, std::move(counts))
                                                            : release.discrete_gaussian(kGameLine, std::move(counts));
      for (size_t i = 0; i < there.size(); ++i) {
        const auto row = static_cast<int64_t>(2 * i);
        scores[i] += count_loss(noise_, scale, static_cast<double>(noisy.value()(row + 1, group)));
        if (both) scores[i] += count_loss(noise_, scale, static_cast<double>(noisy.value()(row, group)));
      }
    }
  }

 private:
  account::Mechanism noise_;
  int64_t rounds_;
  bound::Relation relation_;
};

class EdgeCountGame final : public Game {
 public:
  EdgeCountGame(double noise_multiplier, int64_t rounds, bound::Relation relation)
      : noise_{noise_multiplier}, rounds_(rounds), relation_(relation) {
    const std::vector<int32_t> a{0}, b{1};
    const bool both = relation == bound::Relation::UndirectedEdge;
    there_ = both ? graph::Graph::from_undirected_edges(2, a, b) : graph::Graph::from_edges(2, a, b);
    blank_ = graph::Graph::from_edges(2, {}, {});
  }
  double cost() const override { return 100 * static_cast<double>(rounds_); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    const PlanLine line{account::Event(kGameLine, noise_, account::NoSampling{}, rounds_ * std::ssize(there)), 1,
                        bound::Norm::L1};
    Release release = open_for_game(relation_, line, seed);
    for (size_t i = 0; i < there.size(); ++i) {
      for (int64_t round = 0; round < rounds_; ++round) {
        const auto noisy =
            release.discrete_laplace(kGameLine, bound::edge_count(there[i] != 0 ? there_ : blank_, relation_));
        scores[i] += count_loss(noise_, mechanism::noise_scale(line), static_cast<double>(noisy.value()));
      }
    }
  }

 private:
  account::DiscreteLaplace noise_;
  int64_t rounds_;
  bound::Relation relation_;
  graph::Graph there_, blank_;
};

// One teacher's vote in each query: for class 0 where the record is there, else for class 1; the other way round in
// every other query.
class VotesGame final : public Game {
 public:
  VotesGame(const account::Mechanism& noise, int64_t queries, const method::Setting& setting)
      : noise_(noise), queries_(queries), classes_(setting.facts.classes), relation_(setting.relation) {}
  double cost() const override { return static_cast<double>(queries_ * classes_); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    const bool gaussian = std::holds_alternative<account::Gaussian>(noise_);
    const bound::Norm norm = gaussian ? bound::Norm::L2 : bound::Norm::L1;
    // The noise of a count is that of `queries_` queries; this release has as many for each trial.
    const auto trials = static_cast<int64_t>(there.size());
    const double amount = bound::vote_counts_sensitivity(queries_ * trials, norm);
    const double scale = mechanism::noise_scale(
        {account::Event(kGameLine, noise_), bound::vote_counts_sensitivity(queries_, norm), norm});
    const account::Mechanism spread = gaussian ? account::Mechanism(account::Gaussian{scale / amount})
                                               : account::Mechanism(account::DiscreteLaplace{scale / amount});
    Release release = open_for_game(relation_, {account::Event(kGameLine, spread), amount, norm}, seed);
    bound::Votes votes(1, std::vector<int32_t>(static_cast<size_t>(queries_ * trials)));
    for (int64_t i = 0; i < trials; ++i) {
      for (int64_t q = 0; q < queries_; ++q) {
        votes[0][static_cast<size_t>(i * queries_ + q)] = (there[static_cast<size_t>(i)] != 0) == (q % 2 == 0) ? 0 : 1;
      }
    }
    const auto score = [&](int64_t row, double zero, double one) {
      const double sign = row % queries_ % 2 == 0 ? 1 : -1;
      const double loss =
          gaussian ? (zero - one) / (scale * scale) : count_loss(noise_, scale, zero) - count_loss(noise_, scale, one);
      scores[static_cast<size_t>(row / queries_)] += sign * loss;
    };
    if (gaussian) {
      const auto noisy =
          release.gaussian(kGameLine, bound::vote_counts(votes, classes_, relation_, release.grid(kGameLine)));
      for (int64_t r = 0; r < noisy.value().rows(); ++r) score(r, noisy.value()(r, 0), noisy.value()(r, 1));
    } else {
      const auto noisy = release.discrete_laplace(kGameLine, bound::vote_counts(votes, classes_, relation_));
      for (int64_t r = 0; r < noisy.value().rows(); ++r) {
        score(r, static_cast<double>(noisy.value()(r, 0)), static_cast<double>(noisy.value()(r, 1)));
      }
    }
  }

 private:
  account::Mechanism noise_;
  int64_t queries_;
  int32_t classes_;
  bound::Relation relation_;
};

}  // namespace

std::unique_ptr<Game> counts_game(const account::Mechanism& noise, int64_t rounds, const method::Setting& setting) {
  return std::make_unique<CountsGame>(noise, rounds, setting.relation);
}

std::unique_ptr<Game> edge_count_game(double noise_multiplier, int64_t rounds, const method::Setting& setting) {
  return std::make_unique<EdgeCountGame>(noise_multiplier, rounds, setting.relation);
}

std::unique_ptr<Game> votes_game(const account::Mechanism& noise, int64_t queries, const method::Setting& setting) {
  return std::make_unique<VotesGame>(noise, queries, setting);
}

}  // namespace graphveil::attack
