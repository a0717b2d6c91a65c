#include "graphveil/attack/published_claims.h"

#include <cmath>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/account/normal.h"
#include "graphveil/account/published.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/votes.h"

namespace graphveil::attack {
namespace {

using mechanism::PlanLine;

// As the paper has it: floats with noise in floats. Nothing in graphveil releases this.
class NoisyPosteriorGame final : public Game {
 public:
  NoisyPosteriorGame(double inverse_scale, double rate, int64_t queries)
      : inverse_scale_(inverse_scale), rate_(rate), queries_(queries) {}
  double cost() const override { return 4 * static_cast<double>(queries_); }
  void play(std::span<const uint8_t> there, const Seed& seed, std::span<double> scores) const override {
    RandomStream random(seed, "noisy posteriors");
    for (size_t i = 0; i < there.size(); ++i) {
      for (int64_t q = 0; q < queries_; ++q) {
        const bool own = there[i] != 0 && random.bernoulli(rate_);
        const double x = (own ? 1 : 0) + random.laplace() / inverse_scale_;
        const double y = (own ? 0 : 1) + random.laplace() / inverse_scale_;
        const double whole = inverse_scale_ * (std::abs(x) - std::abs(x - 1) + std::abs(y - 1) - std::abs(y));
        scores[i] += rate_ >= 1 ? whole : account::log_add(std::log1p(-rate_), std::log(rate_) + whole);
      }
    }
  }

 private:
  double inverse_scale_, rate_;
  int64_t queries_;
};

}  // namespace

std::unique_ptr<Game> noisy_posterior_game(double inverse_scale, double rate, int64_t queries) {
  return std::make_unique<NoisyPosteriorGame>(inverse_scale, rate, queries);
}

std::vector<AuditRow> audit_published_claims(double epsilon, double delta, const AuditOptions& options) {
  method::Setting setting{.facts = {.nodes = 1000, .train_nodes = 750, .features = 8, .classes = 2}};
  std::vector<AuditRow> rows;
  const auto add = [&](const char* what, const PlanLine& line, bound::Relation relation, double record_rate) {
    setting.relation = relation;
    const std::unique_ptr<Game> game = make_game(line, setting);
    rows.push_back(audit({what, {game.get()}, record_rate, epsilon, delta}, options));
  };
  {
    constexpr int64_t kHops = 2;
    const double stddev = account::published_gap_edge_noise(kHops, epsilon, delta);
    add("GAP: an undirected edge at sensitivity 1",
        {account::Event("sum", account::Gaussian{stddev / std::sqrt(2.0)}, {}, kHops),
         bound::neighbor_sum_bound({.relation = bound::Relation::UndirectedEdge})},
        bound::Relation::UndirectedEdge, 1);
  }
  {
    constexpr double kRate = 0.3;
    constexpr int64_t kQueries = 4;
    const auto game = noisy_posterior_game(account::published_privgnn_inverse_scale(kQueries, kRate, epsilon, delta),
                                           kRate, kQueries);
    rows.push_back(audit({"PrivGNN: a posterior at L1 sensitivity 1", {game.get()}, 1, epsilon, delta}, options));
  }
  {
    constexpr int64_t kQueries = 2;
    const auto cost = [&](double stddev) { return account::published_dpgpl_epsilon(kQueries, stddev, 1, delta); };
    const double stddev = account::smallest_noise(cost, epsilon, delta).noise;
    const bound::Bound votes =
        bound::vote_counts_bound(kQueries, bound::Norm::L2, bound::source::TeacherReads::OwnPart);
    add("DP-GPL: votes at sensitivity 1",
        {account::Event("votes", account::Gaussian{stddev / votes.sensitivity()}), votes}, bound::Relation::Node, 1);
  }
  {
    constexpr double kRate = 0.09;
    const double inner = epsilon / kRate, inner_delta = delta / kRate;
    const auto ledger = [](double noise) { return account::Ledger{account::Event("sum", account::Gaussian{noise})}; };
    const double noise = account::calibrate(ledger, inner, inner_delta).noise;
    add("DPAR: epsilon times the rate of nodes",
        {account::Event("sum", account::Gaussian{noise}),
         bound::clipped_sum_bound({}, {}, bound::source::Reach::OwnSample)},
        bound::Relation::Node, kRate);
  }
  return rows;
}

std::vector<AuditRow> audit_as_argued(const run::Prepared& prepared, const AuditOptions& options) {
  if (prepared.experiment->method().describe().name != "privgnn") return {};
  const account::Event& labels = prepared.plan.lines().front().event;
  const account::Sampling sampling = mechanism::mechanism_of(labels).sampling;
  const auto* poisson = std::get_if<account::Poisson>(&sampling);
  const auto game = noisy_posterior_game(1 / prepared.noise, poisson == nullptr ? 1 : poisson->rate, labels.count());
  return {
      audit({"the noisy posteriors of the paper's proof", {game.get()}, 1, prepared.published_epsilon, prepared.delta},
            options)};
}

}  // namespace graphveil::attack
