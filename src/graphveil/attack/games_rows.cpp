// Rows of PageRank: with Gaussian noise, as noisy picks, and as values with Laplace noise.
#include <cmath>
#include <numeric>
#include <utility>

#include "graphveil/attack/games.h"
#include "graphveil/bound/pagerank_rows.h"

namespace graphveil::attack {
namespace {

using mechanism::PlanLine;
using mechanism::Release;

// Source 0 has two neighbors. One is asked about: a walk that gets there stays for long among its own leaves, so that
// the source's row is nearly all its; without it the row is all the other one's.
constexpr int32_t kSource = 0, kRecord = 1, kOther = 2, kFirstLeaf = 3;

// With many leaves the two rows are nearly at right angles: they move by sqrt(2) limits, but for 5%.
constexpr int32_t kLeavesOfRows = 12;
constexpr double kLimitOfRows = 0.05;
// Every leaf may be picked too, and says little. With one the record's entry is a third, and the other's falls from a
// half to a sixth; clipped to a third, one entry moves by the whole limit and one, the other way, by half of it.
constexpr int32_t kLeavesOfEntries = 1;
constexpr double kLimitOfEntries = 1.0 / 3;

graph::Graph graph_with(bool record, int32_t leaves) {
  std::vector<int32_t> a{kSource}, b{kOther};
  if (record) {
    a.push_back(kSource);
    b.push_back(kRecord);
    for (int32_t leaf = kFirstLeaf; leaf < kFirstLeaf + leaves; ++leaf) {
      a.push_back(kRecord);
      b.push_back(leaf);
    }
  }
  return graph::Graph::from_undirected_edges(kFirstLeaf + leaves, a, b);
}

class RowsGame final : public Game {
 public:
  RowsGame(const account::Mechanism& noise, int64_t rounds, bound::Relation relation)
      : noise_(noise), rounds_(rounds), relation_(relation) {
    const bool by_norm = std::holds_alternative<account::Gaussian>(noise);
    const int32_t leaves = by_norm ? kLeavesOfRows : kLeavesOfEntries;
    nodes_ = kFirstLeaf + leaves;
    options_.pagerank.teleport = 0.005;
    options_.clip = by_norm ? bound::RowClip::Norm : bound::RowClip::Entries;
    options_.limit = by_norm ? kLimitOfRows : kLimitOfEntries;
    options_.relation = relation;
    const std::vector<int32_t> sources{kSource};
    there_ = std::make_unique<bound::PageRankRows>(graph_with(true, leaves), sources, options_);
    blank_ = std::make_unique<bound::PageRankRows>(graph_with(false, leaves), sources, options_);
    row_there_ = known_row(*there_);
    row_blank_ = known_row(*blank_);
  }
  double cost() const override { return 150 * static_cast<double>(rounds_); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    const PlanLine line = this->line(rounds_ * std::ssize(there));
    Release release = open_for_game(relation_, line, seed);
    const double scale = mechanism::noise_scale(line), grid = release.grid(kGameLine);
    for (size_t i = 0; i < there.size(); ++i) {
      const bound::PageRankRows& rows = there[i] != 0 ? *there_ : *blank_;
      for (int64_t round = 0; round < rounds_; ++round) scores[i] += score(rows, release, scale, grid);
    }
  }

 private:
  PlanLine line(int64_t count) const {
    return {account::Event(kGameLine, noise_, account::NoSampling{}, count),
            std::holds_alternative<account::Gaussian>(noise_)      ? bound::pagerank_rows_bound(options_.limit, 1)
            : std::holds_alternative<account::Exponential>(noise_) ? bound::pagerank_picks_bound(options_.limit)
                                                                   : bound::pagerank_values_bound(options_.limit)};
  }

  // The adversary knows both graphs, and so both rows.
  std::vector<double> known_row(const bound::PageRankRows& rows) const {
    PlanLine known = line(nodes_ - 1);
    std::vector<double> out(static_cast<size_t>(nodes_), 0);
    if (known.norm() == bound::Norm::L2) {
      Release release = Release::clear(relation_, mechanism::Plan{known});
      const auto all = release.gaussian_top_k(kGameLine, rows.rows(release.grid(kGameLine)), nodes_ - 1);
      for (size_t j = 0; j < all.value().columns.size(); ++j) {
        out[static_cast<size_t>(all.value().columns[j])] = all.value().values[j];
      }
      return out;
    }
    known.event = account::Event(kGameLine, account::Laplace{1}, account::NoSampling{}, nodes_ - 1);
    Release release = Release::clear(relation_, mechanism::Plan{known});
    std::vector<int32_t> columns(static_cast<size_t>(nodes_) - 1);
    std::iota(columns.begin(), columns.end(), 1);
    const auto all = release.laplace(kGameLine, rows.entries(columns, release.grid(kGameLine)));
    for (int32_t c = 1; c < nodes_; ++c) out[static_cast<size_t>(c)] = all.value()(0, c - 1);
    return out;
  }

  double score(const bound::PageRankRows& rows, Release& release, double scale, double grid) const {
    if (std::holds_alternative<account::Exponential>(noise_)) {
      const int32_t pick = release.top_k(kGameLine, rows.rows(grid), 1).value().front();
      return log_chance(row_there_, pick, scale) - log_chance(row_blank_, pick, scale);
    }
    if (std::holds_alternative<account::Laplace>(noise_)) {
      const std::vector<int32_t> column{kRecord};
      const double x = release.laplace(kGameLine, rows.entries(column, grid)).value()(0, 0);
      return (std::abs(x - row_blank_[kRecord]) - std::abs(x - row_there_[kRecord])) / scale;
    }
    const auto all = release.gaussian_top_k(kGameLine, rows.rows(grid), nodes_ - 1);
    double loss = 0;
    for (size_t j = 0; j < all.value().columns.size(); ++j) {
      const auto c = static_cast<size_t>(all.value().columns[j]);
      const double a = row_there_[c], b = row_blank_[c];
      loss += (a - b) * (all.value().values[j] - (a + b) / 2) / (scale * scale);
    }
    return loss;
  }

  // Of a pick by Gumbel noise of this scale.
  static double log_chance(const std::vector<double>& row, int32_t pick, double scale) {
    double sum = 0;
    for (size_t c = 1; c < row.size(); ++c) sum += std::exp(row[c] / scale);
    return row[static_cast<size_t>(pick)] / scale - std::log(sum);
  }

  account::Mechanism noise_;
  int64_t rounds_;
  bound::Relation relation_;
  bound::PageRankRowsOptions options_;
  int32_t nodes_ = 0;
  std::unique_ptr<bound::PageRankRows> there_, blank_;
  std::vector<double> row_there_, row_blank_;
};

}  // namespace

std::unique_ptr<Game> pagerank_gaussian_game(double noise_multiplier, int64_t rounds, const method::Setting& setting) {
  return std::make_unique<RowsGame>(account::Gaussian{noise_multiplier}, rounds, setting.relation);
}

std::unique_ptr<Game> pagerank_laplace_game(double noise_multiplier, int64_t rounds, const method::Setting& setting) {
  return std::make_unique<RowsGame>(account::Laplace{noise_multiplier}, rounds, setting.relation);
}

std::unique_ptr<Game> picks_game(double range, int64_t rounds, const method::Setting& setting) {
  return std::make_unique<RowsGame>(account::Exponential{range}, rounds, setting.relation);
}

}  // namespace graphveil::attack
