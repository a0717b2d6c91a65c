// Whole numbers with discrete noise: neighbors by group, and the number of edges.
#include <cmath>
#include <utility>

#include "graphveil/attack/games.h"
#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/neighbor_counts.h"

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
                        bound::neighbor_counts_bound(relation_, norm_of(noise_))};
    const double scale = mechanism::noise_scale(line);
    Release release = open_for_game(relation_, line, seed);
    for (int64_t round = 0; round < rounds_; ++round) {
      const int32_t group = static_cast<int32_t>(round % 2);
      const std::vector<int32_t> groups(static_cast<size_t>(nodes), group);
      bound::Bounded<bound::CountMatrix> counts = bound::neighbor_counts(graph, groups, 2, relation_, norm_of(noise_));
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
    const PlanLine line{account::Event(kGameLine, noise_, account::NoSampling{}, rounds_ * std::ssize(there)),
                        bound::edge_count_bound()};
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

}  // namespace

std::unique_ptr<Game> counts_game(const account::Mechanism& noise, int64_t rounds, const method::Setting& setting) {
  return std::make_unique<CountsGame>(noise, rounds, setting.relation);
}

std::unique_ptr<Game> edge_count_game(double noise_multiplier, int64_t rounds, const method::Setting& setting) {
  return std::make_unique<EdgeCountGame>(noise_multiplier, rounds, setting.relation);
}

}  // namespace graphveil::attack
