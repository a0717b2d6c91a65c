// Checks that a game's scores are what they say.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/attack/game.h"

namespace graphveil::attack {

// The mean of e^-score where the record is there is 1, and of e^score where it is not: scores are log-likelihood ratios
// of what is really drawn.
inline void expect_likelihood_ratios(const Game& game, const std::string& what) {
  constexpr size_t kTrials = 4096;
  constexpr uint64_t kParts = 8;
  for (const int side : {1, 0}) {
    double sum = 0, squares = 0;
    for (uint64_t part = 0; part < kParts; ++part) {
      const std::vector<uint8_t> there(kTrials, static_cast<uint8_t>(side));
      std::vector<double> scores(kTrials, 0);
      game.play(there, Seed::from_number(part), scores);
      for (const double score : scores) {
        const double ratio = std::exp(side == 1 ? -score : score);
        sum += ratio;
        squares += ratio * ratio;
      }
    }
    const double n = kParts * kTrials, mean = sum / n;
    const double error = std::sqrt(std::max(squares / n - mean * mean, 1e-12) / n);
    EXPECT_NEAR(mean, 1, 5 * error + 0.002) << what << (side == 1 ? ", there" : ", blank");
  }
}

// The setting of these tests.
inline method::Setting small_setting(bound::Relation relation) {
  return {.relation = relation,
          .protect_degree = 3,
          .facts = {.nodes = 40, .train_nodes = 30, .features = 5, .classes = 3, .public_pool = 10}};
}

struct LineOf {
  account::Mechanism mechanism;
  bound::Bound bound;
  account::Sampling sampling = account::NoSampling{};
  int64_t count = 1;
};

inline void expect_likelihood_ratios(const LineOf& l, bound::Relation relation) {
  const mechanism::PlanLine line{account::Event("line", l.mechanism, l.sampling, l.count), l.bound};
  expect_likelihood_ratios(*make_game(line, small_setting(relation)), std::string(bound::name(l.bound.source())));
}

}  // namespace graphveil::attack
