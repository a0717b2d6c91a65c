#include "graphveil/attack/mechanism_audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/account/normal.h"
#include "graphveil/attack/published_claims.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/correct_count.h"
#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/label.h"
#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/pagerank_rows.h"
#include "graphveil/bound/votes.h"

namespace graphveil::attack {
namespace {

constexpr int64_t kFewest = 2000;  // trials of a game however long

int64_t trials_of(const Claim& claim, const AuditOptions& options) {
  if (options.trials) return *options.trials;
  double cost = 0;
  for (const Game* game : claim.games) cost += game->cost();
  return std::clamp(static_cast<int64_t>(options.draws / cost), kFewest, options.most_trials);
}

// Scores of one side.
std::vector<float> scores(const Claim& claim, bool there, int64_t trials, const Seed& seed, Progress& progress) {
  std::vector<float> out(static_cast<size_t>(trials));
  constexpr int64_t kBetweenSigns = 64 * kTrialsAtOnce;
  for (int64_t first = 0; first < trials; first += kBetweenSigns) {
    const int64_t some = std::min(kBetweenSigns, trials - first);
    // Few long trials are spread over the threads as well.
    const int64_t at_once = std::clamp<int64_t>(some / 16, 16, kTrialsAtOnce);
    parallel_for(some, at_once, [&](int64_t begin, int64_t end) {
      const Seed own = seed.derived(fmt::format("trials {}", first + begin));
      const auto size = static_cast<size_t>(end - begin);
      std::vector<uint8_t> flags(size, there ? 1 : 0);
      RandomStream random(own, "sample of the records");
      if (there && claim.record_rate < 1) {
        for (uint8_t& flag : flags) flag = random.bernoulli(claim.record_rate) ? 1 : 0;
      }
      std::vector<double> sums(size, 0);
      for (size_t g = 0; g < claim.games.size(); ++g) {
        claim.games[g]->play(flags, own.derived(fmt::format("game {}", g)), sums);
      }
      for (size_t i = 0; i < size; ++i) {
        const double q = claim.record_rate;
        const double score = q < 1 ? account::log_add(std::log1p(-q), std::log(q) + sums[i]) : sums[i];
        out[static_cast<size_t>(first + begin) + i] = static_cast<float>(score);
      }
    });
    progress.advance(some);
  }
  return out;
}

// One mechanism by itself, as a line at a value of its knob.
struct Known {
  const char* what;
  std::function<mechanism::PlanLine(double noise)> line;
  bound::Relation relation = bound::Relation::Node;
  bool pure = false;
};

std::vector<Known> known_mechanisms(const method::Setting& setting) {
  using bound::Norm, bound::Relation;
  using bound::source::Reach, bound::source::TeacherReads;
  using mechanism::PlanLine;
  const auto gaussian = [](double noise, int64_t count, bound::Bound bound, account::Sampling sampling = {}) {
    return PlanLine{account::Event("line", account::Gaussian{noise}, std::move(sampling), count), std::move(bound)};
  };
  const auto sums = [=](Relation relation) {
    return bound::neighbor_sum_bound({.relation = relation, .protect_degree = setting.protect_degree});
  };
  const auto gradients = [](const bound::SampleDraw& draw, Reach reach) {
    return bound::clipped_sum_bound({}, draw, reach);
  };
  const int64_t classes = setting.facts.classes;
  constexpr auto kOwn = TeacherReads::OwnRecords;
  return {
      {"neighbor sum, node", [=](double s) { return gaussian(s, 1, sums(Relation::Node)); }},
      {"neighbor sums of 2 hops, undirected edge",
       [=](double s) { return gaussian(s, 2, sums(Relation::UndirectedEdge)); }, Relation::UndirectedEdge},
      {"neighbor sum, record", [=](double s) { return gaussian(s, 1, sums(Relation::Record)); }, Relation::Record},
      {"class sums", [=](double s) { return gaussian(s, 1, bound::class_sums_bound(static_cast<int32_t>(classes))); }},
      {"DP-SGD, 2 full batches", [=](double s) { return gaussian(s, 2, gradients({}, Reach::OwnSample)); }},
      {"DP-SGD, 4 Poisson batches of a half",
       [=](double s) { return gaussian(s, 4, gradients({.rate = 0.5}, Reach::OwnSample), account::Poisson{0.5}); }},
      {"DP-SGD, a record in 3 samples",
       [=](double s) {
         return gaussian(s, 2, gradients({0.5, 3, 2}, Reach::OneHop), account::PoissonGroup{0.5, 3, 2});
       }},
      {"GNMax votes of 2 queries",
       [=](double s) { return gaussian(s, 1, bound::vote_counts_bound(2, Norm::L2, kOwn)); }},
      {"weighted votes of 2 queries",
       [=](double s) { return gaussian(s, 1, bound::weighted_vote_counts_bound(2, 1.5, kOwn)); }},
      {"checks of 2 queries, the largest count",
       [=](double s) { return gaussian(s, 1, bound::vote_maxima_bound(2, 1, kOwn)); }},
      {"votes, discrete Laplace",
       [=](double s) {
         return PlanLine{account::Event("line", account::DiscreteLaplace{s}),
                         bound::vote_counts_bound(1, Norm::L1, kOwn)};
       },
       Relation::Node, true},
      {"right predictions", [=](double s) { return gaussian(s, 1, bound::correct_count_bound()); }},
      {"neighbor counts, discrete Laplace",
       [=](double s) {
         return PlanLine{account::Event("line", account::DiscreteLaplace{s}),
                         bound::neighbor_counts_bound(Relation::Edge)};
       },
       Relation::Edge, true},
      {"edges counted, discrete Laplace",
       [=](double s) {
         return PlanLine{account::Event("line", account::DiscreteLaplace{s}), bound::edge_count_bound()};
       },
       Relation::UndirectedEdge, true},
      {"PageRank values, Laplace",
       [=](double s) {
         return PlanLine{account::Event("line", account::Laplace{s}), bound::pagerank_values_bound(1)};
       },
       Relation::Node, true},
      {"PageRank rows, Gaussian", [=](double s) { return gaussian(s, 1, bound::pagerank_rows_bound(1, 1)); }},
      {"noisy top-K, 4 picks",
       [=](double s) {
         return PlanLine{account::Event("line", account::Exponential{1 / s}, {}, 4), bound::pagerank_picks_bound(1)};
       }},
      {"label, randomized response",
       [=](double s) {
         return PlanLine{account::Event("line", account::RandomizedResponse{1 / s, classes}),
                         bound::teacher_labels_bound(kOwn)};
       },
       Relation::Node, true},
      {"PrivGNN labels, 4 sampled queries",
       [=](double s) {
         return PlanLine{account::Event("line", account::RandomizedResponse{1 / s, classes}, account::Poisson{0.5}, 4),
                         bound::teacher_labels_bound(kOwn)};
       }},
      {"edges, randomized response",
       [=](double s) {
         return PlanLine{account::Event("line", account::RandomizedResponse{1 / s, 2}), bound::edge_cells_bound()};
       },
       Relation::UndirectedEdge, true},
  };
}

}  // namespace

AuditRow audit(const Claim& claim, const AuditOptions& options) {
  const int64_t trials = trials_of(claim, options);
  Progress progress(claim.what, 2 * trials);
  const std::vector<float> there = scores(claim, true, trials, options.seed.derived(claim.what + ", there"), progress);
  const std::vector<float> blank = scores(claim, false, trials, options.seed.derived(claim.what + ", blank"), progress);
  return {claim.what, claim.epsilon, claim.delta, options.confidence,
          epsilon_bound(there, blank, claim.delta, options.confidence)};
}

std::vector<AuditRow> audit_plan(const run::Prepared& prepared, const AuditOptions& options) {
  const mechanism::Plan& plan = prepared.plan;
  if (!prepared.is_private()) return {};
  if (plan.empty()) return {{"nothing that is protected is read", 0, prepared.delta, options.confidence, {}}};
  const double claimed =
      prepared.as_published() ? prepared.published_epsilon : account::spent_epsilon(plan.ledger(), prepared.delta);
  std::vector<std::unique_ptr<Game>> games;
  std::vector<AuditRow> rows;
  Claim whole{fmt::format("the plan of {}", prepared.experiment->method().describe().name),
              {},
              plan.record_rate(),
              claimed,
              prepared.delta};
  for (const mechanism::PlanLine& line : plan.lines()) {
    games.push_back(make_game(line, prepared.setting));
    whole.games.push_back(games.back().get());
    if (plan.lines().size() == 1) continue;
    const double price = account::spent_epsilon(plan.as_run(account::Ledger{line.event}), prepared.delta);
    rows.push_back(
        audit({line.event.label(), {games.back().get()}, plan.record_rate(), price, prepared.delta}, options));
  }
  rows.push_back(audit(whole, options));
  if (prepared.as_published()) {
    for (AuditRow& row : audit_as_argued(prepared, options)) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<AuditRow> audit_mechanisms(double epsilon, double delta, const AuditOptions& options) {
  method::Setting setting{.protect_degree = 4,
                          .facts = {.nodes = 1000, .train_nodes = 750, .features = 8, .classes = 4}};
  std::vector<AuditRow> rows;
  for (const Known& known : known_mechanisms(setting)) {
    setting.relation = known.relation;
    const double own_delta = known.pure ? 0 : delta;
    const auto ledger = [&](double noise) { return account::Ledger{known.line(noise).event}; };
    const account::Calibration found = account::calibrate(ledger, epsilon, own_delta);
    const std::unique_ptr<Game> game = make_game(known.line(found.noise), setting);
    rows.push_back(audit({known.what, {game.get()}, 1, found.epsilon, own_delta}, options));
  }
  return rows;
}

}  // namespace graphveil::attack
