#include "graphveil/attack/game.h"

#include <cmath>
#include <variant>

#include "graphveil/attack/games.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"

namespace graphveil::attack {

using mechanism::Reads;

std::unique_ptr<Game> make_game(const mechanism::PlanLine& line, const method::Setting& setting) {
  const account::Single single = mechanism::mechanism_of(line.event);
  const bool whole = std::holds_alternative<account::NoSampling>(single.sampling);
  struct Choose {
    const mechanism::PlanLine& line;
    const method::Setting& setting;
    const account::Single& single;
    bool whole;

    std::unique_ptr<Game> operator()(const account::Gaussian& m) const {
      const int64_t rounds = line.event.count();
      if (line.reads == Reads::NeighborSum && whole) return neighbor_sum_game(m.noise_multiplier, rounds, setting);
      if (line.reads == Reads::ClippedRows && whole) return pagerank_gaussian_game(m.noise_multiplier, rounds, setting);
      if (whole && line.sensitivity == bound::class_sums_sensitivity(setting.facts.classes)) {
        return class_sums_game(m.noise_multiplier, rounds, setting);
      }
      // Votes are released at once for all queries, and say so by their label.
      if (line.event.label() == "votes") {
        return votes_game(m, std::llround(line.sensitivity * line.sensitivity / 2), setting);
      }
      return gradient_game(m.noise_multiplier, single.sampling, rounds, setting);
    }
    std::unique_ptr<Game> operator()(const account::DiscreteLaplace& m) const {
      if (line.reads == Reads::Edges) return edge_count_game(m.noise_multiplier, line.event.count(), setting);
      if (line.reads == Reads::NeighborSum) return counts_game(m, line.event.count(), setting);
      return votes_game(m, std::llround(line.sensitivity / 2), setting);
    }
    std::unique_ptr<Game> operator()(const account::DiscreteGaussian& m) const {
      return counts_game(m, line.event.count(), setting);
    }
    std::unique_ptr<Game> operator()(const account::RandomizedResponse& m) const {
      if (line.reads == Reads::Edges) return edges_game(m.log_odds, setting);
      return label_game(m, single.sampling, line.event.count(), setting);
    }
    std::unique_ptr<Game> operator()(const account::Exponential& m) const {
      return picks_game(m.range, line.event.count(), setting);
    }
    std::unique_ptr<Game> operator()(const account::Laplace& m) const {
      return pagerank_laplace_game(m.noise_multiplier, line.event.count(), setting);
    }
  };
  return std::visit(Choose{line, setting, single, whole}, single.mechanism);
}

}  // namespace graphveil::attack
