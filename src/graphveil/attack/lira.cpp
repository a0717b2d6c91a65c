#include "graphveil/attack/lira.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"

namespace graphveil::attack {
namespace {

constexpr int64_t kEnough = 64;  // models that had a candidate, from which on it has variances of its own

struct Normal {
  double sum = 0, squares = 0;
  int64_t count = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++count;
  }
  double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
  double variance() const {
    return count > 1 ? std::max((squares - sum * mean()) / static_cast<double>(count - 1), 1e-6) : 1e-6;
  }
};

// Confidence of every candidate in every model, and who was a member.
struct Table {
  std::vector<std::vector<double>> confidence;  // [model][candidate]
  std::vector<std::vector<uint8_t>> member;
};

Roc attack(const Table& table, size_t target) {
  const size_t candidates = table.confidence[target].size();
  std::vector<Normal> in(candidates), out(candidates);
  for (size_t m = 0; m < table.confidence.size(); ++m) {
    if (m == target) continue;
    for (size_t c = 0; c < candidates; ++c) (table.member[m][c] != 0 ? in : out)[c].add(table.confidence[m][c]);
  }
  double pooled[2] = {0, 0}, weight[2] = {0, 0};
  for (size_t c = 0; c < candidates; ++c) {
    for (const auto& [side, normal] : {std::pair{0, &out[c]}, {1, &in[c]}}) {
      if (normal->count < 2) continue;
      pooled[side] += static_cast<double>(normal->count - 1) * normal->variance();
      weight[side] += static_cast<double>(normal->count - 1);
    }
  }
  const auto log_density = [&](const Normal& normal, int side, double x) {
    const double shared = weight[side] > 0 ? std::max(pooled[side] / weight[side], 1e-6) : 1;
    const double variance = normal.count >= kEnough ? normal.variance() : shared;
    return -(x - normal.mean()) * (x - normal.mean()) / (2 * variance) - std::log(variance) / 2;
  };
  std::vector<double> scores;
  std::vector<uint8_t> member;
  for (size_t c = 0; c < candidates; ++c) {
    if (in[c].count == 0 || out[c].count == 0) continue;
    const double x = table.confidence[target][c];
    scores.push_back(log_density(in[c], 1, x) - log_density(out[c], 0, x));
    member.push_back(table.member[target][c]);
  }
  return roc(scores, member);
}

}  // namespace

double scaled_confidence(std::span<const Real> posterior, int32_t label) {
  double others = 0;
  for (size_t k = 0; k < posterior.size(); ++k) {
    if (static_cast<int32_t>(k) != label) others += posterior[k];
  }
  constexpr double kLeast = 1e-12;
  return std::log(std::max<double>(posterior[static_cast<size_t>(label)], kLeast)) - std::log(std::max(others, kLeast));
}

LiraResult lira_attack(const run::Experiment& experiment, const Candidates& candidates, const LiraOptions& options) {
  require(options.models >= 8, "{} models, want at least 8", options.models);
  require(options.others >= 1, "{} others for each member, want at least 1", options.others);
  const graph::Dataset& people = candidates.people;
  const std::vector<int32_t> all = candidates_of(people, options.shots, options.others);
  const auto members_of = [&](int64_t m) {
    return random_members(people, all, options.shots, options.seed.derived(fmt::format("model {}", m)));
  };
  const MemberModels models(experiment, candidates, static_cast<int64_t>(members_of(0).size()));
  const auto count = static_cast<size_t>(options.models);
  Table table{std::vector<std::vector<double>>(count), std::vector<std::vector<uint8_t>>(count)};
  Progress progress("shadow models", options.models);
  const int64_t at_once = std::max(1, thread_count());
  for (int64_t first = 0; first < options.models; first += at_once) {
    const int64_t some = std::min(at_once, options.models - first);
    parallel_for(some, 1, [&](int64_t begin, int64_t end) {
      for (int64_t m = first + begin; m < first + end; ++m) {
        const std::vector<int32_t> members = members_of(m);
        const MemberModel model = models.train(members, options.seed.derived(fmt::format("training {}", m)));
        for (const int32_t v : all) {
          table.confidence[static_cast<size_t>(m)].push_back(scaled_confidence(model.people.row(v), people.labels[v]));
          table.member[static_cast<size_t>(m)].push_back(std::ranges::binary_search(members, v) ? 1 : 0);
        }
      }
    });
    progress.advance(some);
  }
  std::vector<Roc> repeats;
  for (size_t m = 0; m < count; ++m) repeats.push_back(attack(table, m));
  return {summarize(std::move(repeats)), static_cast<int64_t>(all.size())};
}

}  // namespace graphveil::attack
