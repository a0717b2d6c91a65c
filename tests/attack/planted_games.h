// Mechanisms with one mistake each, which an audit must find.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "graphveil/attack/game.h"
#include "graphveil/mechanism/release.h"
#include "tests/mechanism/access.h"

namespace graphveil::attack {

enum class Mistake { None, HalfTheNoise, ForgottenClip, InDegreeSampling, ReusedNoise };

// A Gaussian sum of two rounds, of stated sensitivity 1 and noise multiplier s.
class PlantedGame final : public Game {
 public:
  PlantedGame(Mistake mistake, double noise_multiplier) : mistake_(mistake), noise_(noise_multiplier) {}
  double cost() const override { return 4; }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    for (int64_t round = 0; round < kRounds; ++round) {
      const double sign = round % 2 == 0 ? 1 : -1;
      std::vector<double> values;
      for (size_t i = 0; i < there.size(); ++i) append(there[i] != 0, sign, i, seed, values);
      const Seed own = mistake_ == Mistake::ReusedNoise ? seed : seed.derived(std::to_string(round));
      const std::vector<double> seen = released(std::move(values), own);
      const size_t width = seen.size() / there.size();
      for (size_t i = 0; i < there.size(); ++i) {
        for (size_t k = 0; k < width; ++k) scores[i] += sign * seen[i * width + k] / (noise_ * noise_);
      }
    }
  }

 private:
  static constexpr int64_t kRounds = 2;

  // What goes in for one trial: rows of neighbors, of which the record moves one by 1.
  void append(bool there, double sign, size_t trial, const Seed& seed, std::vector<double>& values) const {
    if (mistake_ == Mistake::ForgottenClip) {
      values.push_back(there ? 3 * sign : 0);  // its row has length 3
    } else if (mistake_ == Mistake::InDegreeSampling) {
      // Three nodes keep at most one incoming edge each. All hear the record, which sends 1, and somebody else, who
      // sends -1: without the record they keep the other's. No bound on what one node sends out, and nobody's list is
      // his own.
      RandomStream random(seed, "kept edges", trial);
      for (int node = 0; node < 3; ++node) values.push_back(there && random.bernoulli(0.5) ? sign : -sign);
    } else {
      values.push_back(there ? sign : 0);
    }
  }

  std::vector<double> released(std::vector<double> values, const Seed& seed) const {
    const double stddev = mistake_ == Mistake::HalfTheNoise ? noise_ / 2 : noise_;
    const mechanism::PlanLine line{account::Event("sum", account::Gaussian{stddev}), bound::TestVoucher::bound(1)};
    mechanism::Release release = mechanism::Release::open(bound::Relation::Node, mechanism::Plan{line},
                                                          {std::numeric_limits<double>::infinity(), 0}, seed);
    return release
        .gaussian("sum", bound::TestVoucher::bounded(
                             bound::GradientSum{std::move(values), 0x1p-20},
                             bound::Sensitivity{1, bound::Norm::L2, bound::Relation::Node, account::NoSampling{}}))
        .value();
  }

  Mistake mistake_;
  double noise_;
};

}  // namespace graphveil::attack
