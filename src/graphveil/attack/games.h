// The games of make_game, one for each way in which private values are bounded.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "graphveil/attack/game.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::attack {

// The label of the line that a game releases through.
inline constexpr const char* kGameLine = "game";

// A release of one line without a cap, for games.
mechanism::Release open_for_game(bound::Relation relation, const mechanism::PlanLine& line, const Seed& seed);

// Rounds of Gaussian noise. measure(shifts, sign, release) releases for every trial a value that the record moves by
// sign * shifts[i], and returns it along that shift: in units of the sensitivity, sign taken out, so that it is
// shifts[i] plus noise of standard deviation `noise_multiplier` where the bound is sharp.
using Measure = std::function<std::vector<double>(std::span<const double> shifts, double sign, mechanism::Release&)>;
struct GaussianRounds {
  double noise_multiplier = 1;
  account::Sampling sampling = account::NoSampling{};
  int64_t rounds = 1;
  bound::Relation relation = bound::Relation::Node;
  double cost = 1;  // numbers a trial and round
  // The line to release through; its count is how often `measure` releases for so many trials.
  std::function<mechanism::PlanLine(int64_t trials)> line;
  Measure measure;
};
std::unique_ptr<Game> gaussian_rounds_game(GaussianRounds rounds);

// What one record, or edge, sends is worth `messages` whole ones.
std::unique_ptr<Game> neighbor_sum_game(double noise_multiplier, int64_t rounds, int64_t messages,
                                        const method::Setting& setting);
std::unique_ptr<Game> gradient_game(double noise_multiplier, const account::Sampling& sampling, int64_t rounds,
                                    const method::Setting& setting);
std::unique_ptr<Game> class_sums_game(double noise_multiplier, int64_t rounds, int32_t classes,
                                      const method::Setting& setting);
std::unique_ptr<Game> score_game(double noise_multiplier, int64_t rounds, const method::Setting& setting);

std::unique_ptr<Game> counts_game(const account::Mechanism& noise, int64_t rounds, const method::Setting& setting);
std::unique_ptr<Game> edge_count_game(double noise_multiplier, int64_t rounds, const method::Setting& setting);

std::unique_ptr<Game> votes_game(const account::Mechanism& noise, int64_t rounds, const bound::source::Votes& votes,
                                 const method::Setting& setting);
std::unique_ptr<Game> vote_maxima_game(double noise_multiplier, int64_t rounds, const bound::source::VoteMaxima& maxima,
                                       const method::Setting& setting);

std::unique_ptr<Game> label_game(const account::RandomizedResponse& response, const account::Sampling& sampling,
                                 int64_t rounds, const method::Setting& setting);
std::unique_ptr<Game> edges_game(double log_odds, const method::Setting& setting);

std::unique_ptr<Game> pagerank_gaussian_game(double noise_multiplier, int64_t rounds, const method::Setting& setting);
std::unique_ptr<Game> pagerank_laplace_game(double noise_multiplier, int64_t rounds, const method::Setting& setting);
std::unique_ptr<Game> picks_game(double range, int64_t rounds, const method::Setting& setting);

}  // namespace graphveil::attack
