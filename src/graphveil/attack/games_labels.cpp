// Labels and cells by randomized response.
#include <cmath>
#include <utility>

#include "graphveil/account/normal.h"
#include "graphveil/attack/games.h"
#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/label.h"

namespace graphveil::attack {
namespace {

using mechanism::PlanLine;
using mechanism::Release;

// A teacher says class 0 where the record is there (and drawn), else class 1; the other way round in every other
// round.
class LabelGame final : public Game {
 public:
  LabelGame(const account::RandomizedResponse& response, const account::Sampling& sampling, int64_t rounds,
            bound::Relation relation)
      : response_(response), sampling_(sampling), rounds_(rounds), relation_(relation) {}
  double cost() const override { return 100 * static_cast<double>(rounds_); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    const auto* poisson = std::get_if<account::Poisson>(&sampling_);
    const double rate = poisson == nullptr ? 1 : poisson->rate;
    const PlanLine line{account::Event(kGameLine, response_, sampling_, rounds_ * std::ssize(there)), 1,
                        bound::Norm::Hamming};
    Release release = open_for_game(relation_, line, seed);
    RandomStream random(seed, "samples of the record");
    for (size_t i = 0; i < there.size(); ++i) {
      for (int64_t round = 0; round < rounds_; ++round) {
        const int32_t own = static_cast<int32_t>(round % 2), other = 1 - own;
        const bool says_own = there[i] != 0 && (rate >= 1 || random.bernoulli(rate));
        const int32_t label =
            release
                .label(kGameLine, bound::teacher_label(says_own ? own : other, static_cast<int32_t>(response_.classes),
                                                       relation_, sampling_))
                .value();
        // ln a/b for the own label, ln b/a for the other, 0 for a third; mixed with the rate.
        const double whole = label == own ? response_.log_odds : label == other ? -response_.log_odds : 0;
        scores[i] += rate >= 1 ? whole : account::log_add(std::log1p(-rate), std::log(rate) + whole);
      }
    }
  }

 private:
  account::RandomizedResponse response_;
  account::Sampling sampling_;
  int64_t rounds_;
  bound::Relation relation_;
};

// Every pair of a few nodes is a trial: a cell that holds an edge, or not.
class EdgesGame final : public Game {
 public:
  EdgesGame(double log_odds, bound::Relation relation) : log_odds_(log_odds), relation_(relation) {}
  double cost() const override { return 20; }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    int32_t nodes = 2;
    while (int64_t{nodes} * (nodes - 1) / 2 < std::ssize(there)) ++nodes;
    std::vector<int32_t> from, to;
    std::vector<int64_t> trial_of(static_cast<size_t>(nodes) * static_cast<size_t>(nodes), -1);
    int64_t i = 0;
    for (int32_t u = 0; u < nodes; ++u) {
      for (int32_t v = u + 1; v < nodes && i < std::ssize(there); ++v, ++i) {
        trial_of[static_cast<size_t>(u) * static_cast<size_t>(nodes) + static_cast<size_t>(v)] = i;
        if (there[static_cast<size_t>(i)] == 0) continue;
        from.push_back(u);
        to.push_back(v);
      }
    }
    const bool both = relation_ == bound::Relation::UndirectedEdge;
    const graph::Graph graph =
        both ? graph::Graph::from_undirected_edges(nodes, from, to) : graph::Graph::from_edges(nodes, from, to);
    const PlanLine line{account::Event(kGameLine, account::RandomizedResponse{log_odds_, 2}), 1, bound::Norm::Hamming};
    Release release = open_for_game(relation_, line, seed);
    const auto reported =
        release.randomized_set(kGameLine, bound::edge_cells(graph, relation_), bound::pair_cells(nodes), 1);
    for (double& score : scores) score -= log_odds_;
    for (const int64_t cell : reported.value()) {
      const int64_t trial = trial_of[static_cast<size_t>(cell)];
      if (trial >= 0) scores[static_cast<size_t>(trial)] += 2 * log_odds_;
    }
  }

 private:
  double log_odds_;
  bound::Relation relation_;
};

}  // namespace

std::unique_ptr<Game> label_game(const account::RandomizedResponse& response, const account::Sampling& sampling,
                                 int64_t rounds, const method::Setting& setting) {
  return std::make_unique<LabelGame>(response, sampling, rounds, setting.relation);
}

std::unique_ptr<Game> edges_game(double log_odds, const method::Setting& setting) {
  return std::make_unique<EdgesGame>(log_odds, setting.relation);
}

}  // namespace graphveil::attack
