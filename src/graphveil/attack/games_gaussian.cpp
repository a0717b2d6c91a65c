// Sums with Gaussian noise: over neighbors, of clipped gradients, of records by class.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graphveil/account/group_mixture.h"
#include "graphveil/account/normal.h"
#include "graphveil/attack/games.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/neighbor_sum.h"

namespace graphveil::attack {
namespace {

using mechanism::PlanLine;
using mechanism::Reads;
using mechanism::Release;

constexpr double kTail = 1e-14;  // of the samples that one record touches, left out of a score

// How many samples of the record are in a batch: those of one that is there count up, changed ones in its place down.
double drawn(const account::Sampling& sampling, bool there, RandomStream& random) {
  struct Draw {
    bool there;
    RandomStream& random;
    double operator()(const account::NoSampling&) const { return there ? 1 : 0; }
    double operator()(const account::Poisson& s) const { return there && random.bernoulli(s.rate) ? 1 : 0; }
    double operator()(const account::PoissonGroup& s) const {
      double count = 0;
      for (int64_t i = 0; i < (there ? s.deletions : s.insertions); ++i) count += random.bernoulli(s.rate);
      return there ? count : -count;
    }
  };
  return std::visit(Draw{there, random}, sampling);
}

// ln P(x | there) / P(x | blank) for the dominating pairs of docs/guarantees.md.
class LossOf {
 public:
  LossOf(const account::Sampling& sampling, double stddev) : sampling_(sampling), variance_(stddev * stddev) {
    if (const auto* group = std::get_if<account::PoissonGroup>(&sampling)) {
      there_ = std::make_unique<account::Binomial>(group->deletions, group->rate, kTail);
      blank_ = std::make_unique<account::Binomial>(group->insertions, group->rate, kTail);
    }
  }
  double operator()(double x) const {
    if (there_) return mixture(*there_, x) - mixture(*blank_, -x);
    const double whole = shift(1, x);
    const auto* poisson = std::get_if<account::Poisson>(&sampling_);
    return poisson == nullptr ? whole : account::log_add(std::log1p(-poisson->rate), std::log(poisson->rate) + whole);
  }

 private:
  // ln N(x; i) / N(x; 0).
  double shift(double i, double x) const { return i * (x - i / 2) / variance_; }
  double mixture(const account::Binomial& samples, double x) const {
    double sum = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < samples.weight.size(); ++i) {
      if (!(samples.weight[i] > 0)) continue;
      sum = account::log_add(
          sum, std::log(samples.weight[i]) + shift(static_cast<double>(samples.first) + static_cast<double>(i), x));
    }
    return sum;
  }
  account::Sampling sampling_;
  double variance_;
  std::unique_ptr<account::Binomial> there_, blank_;
};

class GaussianGame final : public Game {
 public:
  explicit GaussianGame(GaussianRounds rounds)
      : rounds_(std::move(rounds)), loss_(rounds_.sampling, rounds_.noise_multiplier) {}
  double cost() const override { return rounds_.cost * static_cast<double>(rounds_.rounds); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    PlanLine line = rounds_.line(static_cast<int64_t>(there.size()));
    line.event = mechanism::with_count(line.event, rounds_.rounds * line.event.count());
    Release release = open_for_game(rounds_.relation, line, seed);
    RandomStream random(seed, "samples of the record");
    std::vector<double> shifts(there.size());
    for (int64_t round = 0; round < rounds_.rounds; ++round) {
      for (size_t i = 0; i < there.size(); ++i) shifts[i] = drawn(rounds_.sampling, there[i] != 0, random);
      const std::vector<double> seen = rounds_.measure(shifts, round % 2 == 0 ? 1 : -1, release);
      for (size_t i = 0; i < there.size(); ++i) scores[i] += loss_(seen[i]);
    }
  }

 private:
  GaussianRounds rounds_;
  LossOf loss_;
};

// The edges of a game of neighbor sums: in every trial nodes [i width, (i + 1) width), the record's node first.
struct Star {
  int64_t width = 2;
  std::vector<std::pair<int32_t, int32_t>> edges;  // within a trial
  std::vector<double> moved;                       // how far each node's row moves, in R
};

// The node that is asked about has `degree` outgoing edges.
Star star(bound::Relation relation, int64_t degree, double weight) {
  if (relation == bound::Relation::Edge) return {2, {{0, 1}}, {0, 1}};
  if (relation == bound::Relation::UndirectedEdge) return {2, {{0, 1}, {1, 0}}, {1, 1}};
  Star out{degree + 1, {}, {0}};
  for (int32_t v = 1; v <= degree; ++v) {
    out.edges.emplace_back(0, v);
    out.moved.push_back(weight);
  }
  return out;
}

PlanLine gaussian_line(double noise_multiplier, double sensitivity) {
  return {account::Event(kGameLine, account::Gaussian{noise_multiplier}), sensitivity, bound::Norm::L2};
}

}  // namespace

Release open_for_game(bound::Relation relation, const PlanLine& line, const Seed& seed) {
  return Release::open(relation, mechanism::Plan{line}, {std::numeric_limits<double>::infinity(), 0}, seed);
}

std::unique_ptr<Game> gaussian_rounds_game(GaussianRounds rounds) {
  return std::make_unique<GaussianGame>(std::move(rounds));
}

std::unique_ptr<Game> neighbor_sum_game(double noise_multiplier, int64_t rounds, const method::Setting& setting) {
  bound::NeighborSumOptions options{.relation = setting.relation, .protect_degree = setting.protect_degree};
  // Under record weights make any degree the same; take a few receivers.
  const int64_t degree = setting.relation == bound::Relation::Node ? setting.protect_degree : 4;
  const Star one = star(setting.relation, degree, bound::degree_weight(options, degree));
  double length = 0;  // of the shift, squared
  for (const double m : one.moved) length += m * m;
  const double sensitivity = bound::neighbor_sum_sensitivity(options);
  const auto measure = [options, one, length](std::span<const double> shifts, double sign, Release& release) {
    const auto nodes = static_cast<int64_t>(shifts.size()) * one.width;
    std::vector<int32_t> from, to;
    for (size_t i = 0; i < shifts.size(); ++i) {
      if (shifts[i] == 0) continue;
      const auto first = static_cast<int32_t>(static_cast<int64_t>(i) * one.width);
      for (const auto& [u, v] : one.edges) {
        from.push_back(first + u);
        to.push_back(first + v);
      }
    }
    // Longer than allowed: the bound clips it.
    Matrix rows(nodes, 1);
    for (Real& x : rows.values()) x = static_cast<Real>(3 * sign);
    const Matrix sums = release
                            .gaussian(kGameLine, bound::neighbor_sum(graph::Graph::from_edges(nodes, from, to), rows,
                                                                     options, release.grid(kGameLine)))
                            .value()
                            .clone();
    std::vector<double> seen(shifts.size(), 0);
    for (size_t i = 0; i < shifts.size(); ++i) {
      for (int64_t v = 0; v < one.width; ++v) {
        seen[i] += sign * one.moved[static_cast<size_t>(v)] * sums(static_cast<int64_t>(i) * one.width + v, 0) / length;
      }
    }
    return seen;
  };
  return gaussian_rounds_game({.noise_multiplier = noise_multiplier,
                               .rounds = rounds,
                               .relation = setting.relation,
                               .cost = static_cast<double>(one.width),
                               .line = [=](int64_t) { return gaussian_line(noise_multiplier, sensitivity); },
                               .measure = measure});
}

std::unique_ptr<Game> gradient_game(double noise_multiplier, const account::Sampling& sampling, int64_t rounds,
                                    const method::Setting& setting) {
  // A gradient a thousand times too long, clipped; every trial is one entry of the sum.
  const bound::Clipping clipping;
  bound::SampleDraw draw;
  if (const auto* poisson = std::get_if<account::Poisson>(&sampling)) draw.rate = poisson->rate;
  if (const auto* group = std::get_if<account::PoissonGroup>(&sampling)) {
    draw = {group->rate, group->deletions, group->insertions};
  }
  const double sensitivity = bound::clipped_sum_sensitivity(clipping, draw);
  const bound::Relation relation = setting.relation;
  const auto measure = [=](std::span<const double> shifts, double sign, Release& release) {
    constexpr double kLong = 1000;
    const double square = kLong * kLong;
    Matrix factor(1, 1);
    bound::clip_factors(clipping, BasicMatrixView<const double>(&square, 1, 1), factor);
    const double step = bound::sum_grid(clipping, 0), clipped = kLong * static_cast<double>(factor(0, 0));
    std::vector<double> sums(shifts.size());
    for (size_t i = 0; i < sums.size(); ++i) sums[i] = std::nearbyint(sign * shifts[i] * clipped / step) * step;
    std::vector<double> seen =
        release.gaussian(kGameLine, bound::clipped_sum(std::move(sums), clipping, draw, relation)).value();
    for (double& x : seen) x *= sign / sensitivity;
    return seen;
  };
  return gaussian_rounds_game({.noise_multiplier = noise_multiplier,
                               .sampling = sampling,
                               .rounds = rounds,
                               .relation = relation,
                               .line =
                                   [=](int64_t) {
                                     return PlanLine{
                                         account::Event(kGameLine, account::Gaussian{noise_multiplier}, sampling),
                                         sensitivity, bound::Norm::L2};
                                   },
                               .measure = measure});
}

std::unique_ptr<Game> class_sums_game(double noise_multiplier, int64_t rounds, const method::Setting& setting) {
  const int32_t classes = setting.facts.classes;
  const double sensitivity = bound::class_sums_sensitivity(classes);
  constexpr int64_t kAtOnce = 64;  // trials of one call, a row of the sums each
  const auto measure = [=, relation = setting.relation](std::span<const double> shifts, double sign, Release& release) {
    std::vector<double> seen(shifts.size());
    for (size_t begin = 0; begin < shifts.size(); begin += kAtOnce) {
      const auto size = static_cast<int64_t>(std::min<size_t>(kAtOnce, shifts.size() - begin));
      Matrix rows(size, size);
      std::vector<int32_t> labels(static_cast<size_t>(size), graph::kUnlabeled);
      for (int64_t i = 0; i < size; ++i) {
        rows(i, i) = static_cast<Real>(3 * sign);
        if (shifts[begin + static_cast<size_t>(i)] != 0) labels[static_cast<size_t>(i)] = 0;
      }
      const Matrix sums =
          release.gaussian(kGameLine, bound::class_sums(rows, labels, classes, relation, release.grid(kGameLine)))
              .value()
              .clone();
      for (int64_t i = 0; i < size; ++i) {
        double along = 0;
        for (int32_t k = 0; k < classes; ++k) along += ((k == 0 ? 1.0 : 0.0) - 1.0 / classes) * sums(i, k);
        seen[begin + static_cast<size_t>(i)] = sign * along / (sensitivity * sensitivity);
      }
    }
    return seen;
  };
  return gaussian_rounds_game({.noise_multiplier = noise_multiplier,
                               .rounds = rounds,
                               .relation = setting.relation,
                               .cost = static_cast<double>(classes) + kAtOnce,
                               .line =
                                   [=](int64_t trials) {
                                     PlanLine line = gaussian_line(noise_multiplier, sensitivity);
                                     line.event = mechanism::with_count(line.event, (trials + kAtOnce - 1) / kAtOnce);
                                     return line;
                                   },
                               .measure = measure});
}

}  // namespace graphveil::attack
