#include "graphveil/attack/game.h"

#include <variant>

#include "graphveil/attack/games.h"
#include "graphveil/base/error.h"

namespace graphveil::attack {
namespace {

namespace source = bound::source;

// The game of every kind of source; within it, of the mechanisms that release such a source.
struct Choose {
  const mechanism::PlanLine& line;
  const method::Setting& setting;
  account::Single single;

  std::unique_ptr<Game> operator()(const source::NeighborSum& s) const {
    return neighbor_sum_game(gaussian(), rounds(), s.messages, setting);
  }
  std::unique_ptr<Game> operator()(const source::NeighborCounts&) const {
    if (std::holds_alternative<account::DiscreteGaussian>(single.mechanism))
      whole<account::DiscreteGaussian>();
    else
      whole<account::DiscreteLaplace>();
    return counts_game(single.mechanism, rounds(), setting);
  }
  std::unique_ptr<Game> operator()(const source::ClassSums& s) const {
    return class_sums_game(gaussian(), rounds(), static_cast<int32_t>(s.classes), setting);
  }
  std::unique_ptr<Game> operator()(const source::Gradients&) const {
    return gradient_game(noise<account::Gaussian>().noise_multiplier, single.sampling, rounds(), setting);
  }
  std::unique_ptr<Game> operator()(const source::Votes& s) const {
    if (std::holds_alternative<account::DiscreteLaplace>(single.mechanism))
      whole<account::DiscreteLaplace>();
    else
      whole<account::Gaussian>();
    return votes_game(single.mechanism, rounds(), s, setting);
  }
  std::unique_ptr<Game> operator()(const source::VoteMaxima& s) const {
    return vote_maxima_game(gaussian(), rounds(), s, setting);
  }
  std::unique_ptr<Game> operator()(const source::Labels&) const {
    return label_game(noise<account::RandomizedResponse>(), single.sampling, rounds(), setting);
  }
  std::unique_ptr<Game> operator()(const source::PageRankRows&) const {
    return pagerank_gaussian_game(gaussian(), rounds(), setting);
  }
  std::unique_ptr<Game> operator()(const source::PageRankPicks&) const {
    return picks_game(whole<account::Exponential>().range, rounds(), setting);
  }
  std::unique_ptr<Game> operator()(const source::PageRankValues&) const {
    return pagerank_laplace_game(whole<account::Laplace>().noise_multiplier, rounds(), setting);
  }
  std::unique_ptr<Game> operator()(const source::EdgeCount&) const {
    return edge_count_game(whole<account::DiscreteLaplace>().noise_multiplier, rounds(), setting);
  }
  std::unique_ptr<Game> operator()(const source::EdgeCells&) const {
    return edges_game(whole<account::RandomizedResponse>().log_odds, setting);
  }
  std::unique_ptr<Game> operator()(const source::Score&) const { return score_game(gaussian(), rounds(), setting); }

 private:
  int64_t rounds() const { return line.event.count(); }
  double gaussian() const { return whole<account::Gaussian>().noise_multiplier; }

  template <typename Mechanism>
  const Mechanism& noise() const {
    const auto* found = std::get_if<Mechanism>(&single.mechanism);
    if (found == nullptr) refuse(account::kind(single.mechanism));
    return *found;
  }
  // Without sampling.
  template <typename Mechanism>
  const Mechanism& whole() const {
    if (!std::holds_alternative<account::NoSampling>(single.sampling)) refuse(account::kind(single.sampling));
    return noise<Mechanism>();
  }
  [[noreturn]] void refuse(const char* by) const {
    fail(ErrorKind::Unsupported, "'{}' releases {} by {}: no game is known for that", line.event.label(),
         bound::name(line.source()), by);
  }
};

}  // namespace

std::unique_ptr<Game> make_game(const mechanism::PlanLine& line, const method::Setting& setting) {
  return std::visit(Choose{line, setting, mechanism::mechanism_of(line.event)}, line.source());
}

}  // namespace graphveil::attack
