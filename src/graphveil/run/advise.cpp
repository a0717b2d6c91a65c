#include "graphveil/run/advise.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/method/registry.h"

namespace graphveil::run {
namespace {

struct NoiseMultiplier {
  double operator()(const account::Gaussian& m) const { return m.noise_multiplier; }
  double operator()(const account::Laplace& m) const { return m.noise_multiplier; }
  double operator()(const account::DiscreteLaplace& m) const { return m.noise_multiplier; }
  double operator()(const account::DiscreteGaussian& m) const { return m.noise_multiplier; }
  double operator()(const account::Exponential& m) const { return m.range > 0 ? 2 / m.range : 0; }
  double operator()(const account::RandomizedResponse& m) const { return m.log_odds > 0 ? 1 / m.log_odds : 0; }
};

// Declared, or else assumed, as `auto` does.
double degree_of(const KnownFacts& known) {
  const int64_t most = std::max<int64_t>(1, known.max_degree.value_or(Settings().protect_degree));
  return known.mean_degree.value_or(assumed_degree(known.relation, most));
}

void set_facts(Experiment& experiment, const KnownFacts& known) {
  experiment.set("epsilon", known.epsilon);
  if (known.max_degree) experiment.set("protect-degree", std::max<int64_t>(1, *known.max_degree));
  if (experiment.options().find("mean-degree") != nullptr) experiment.set("mean-degree", degree_of(known));
}

Advised advised(const std::string& name, const KnownFacts& known) {
  Advised row;
  row.method = name;
  try {
    Experiment experiment(name);
    set_facts(experiment, known);
    row.predictions = experiment.method().predictions(known.relation);
    row.every_degree = experiment.method().every_degree();
    if (experiment.method().wants_public_graph() && known.facts.public_pool == 0) {
      row.refused = "it wants a public graph beside the private one";
      return row;
    }
    const Prepared prepared = prepare(experiment, known.relation, known.facts);
    for (const mechanism::PlanLine& line : prepared.plan.lines()) {
      row.noise = std::max(row.noise, std::visit(NoiseMultiplier{}, mechanism::mechanism_of(line.event).mechanism));
    }
    row.signals = signals_of(prepared, degree_of(known));
  } catch (const Error& error) {
    row.refused = error.what();
  }
  return row;
}

// The noise on the sums over neighbors of lap, in their own units, when the most that anybody has is this.
double sum_noise(const KnownFacts& known, int64_t degree) {
  KnownFacts with = known;
  with.max_degree = degree;
  Experiment experiment("lap");
  set_facts(experiment, with);
  const Prepared prepared = prepare(experiment, with.relation, with.facts);
  double noise = 0;
  for (const mechanism::PlanLine& line : prepared.plan.lines()) {
    if (std::holds_alternative<bound::source::NeighborSum>(line.source())) noise = mechanism::noise_scale(line);
  }
  return noise;
}

std::vector<Worth> worth_declaring(const KnownFacts& known) {
  const Worth mean{"--mean-degree", "how many contacts a person has on average, known from elsewhere",
                   bound::edge_level(known.relation)
                       ? "with many contacts the counts say more, and are made twice"
                       : "it decides how much of the budget goes to the contacts and how much to the features"};
  if (known.relation != bound::Relation::Node) {
    return {mean,
            {"--split", "who has a label and who is to be tested, as percentages or as masks in the data",
             "the more people train, the less the noise on each step counts"}};
  }
  const int64_t now = known.max_degree.value_or(Settings().protect_degree);
  const int64_t lower = std::max<int64_t>(1, now / 5);
  const double ratio = sum_noise(known, lower) / sum_noise(known, now);
  return {{"--protect-degree", "the most contacts that a rule of your system allows, or for which you give your word",
           fmt::format("{} in place of {} brings the noise on sums over contacts down to {:.0f}%", lower, now,
                       100 * ratio)},
          mean};
}

}  // namespace

Advice advise(const KnownFacts& known) {
  require(known.facts.nodes >= 2 && known.facts.train_nodes >= 1 && known.facts.train_nodes <= known.facts.nodes,
          "--nodes is {} and {} of them train, want at least 2, and at least one that trains", known.facts.nodes,
          known.facts.train_nodes);
  require(known.facts.classes >= 2, "--classes is {}, want at least 2", known.facts.classes);
  require(known.facts.features >= 1, "--features is {}, want at least 1", known.facts.features);
  Advice advice;
  const std::vector<std::string> names = method::method_names();
  Progress progress("pricing methods", static_cast<int64_t>(names.size()));
  for (const std::string& name : names) {
    const std::vector<bound::Relation> relations = method::make_method(name)->relations();
    if (method::role_of(name) == method::Role::Yours &&
        std::find(relations.begin(), relations.end(), known.relation) != relations.end()) {
      advice.methods.push_back(advised(name, known));
    }
    progress.advance();
  }
  const auto strength = [](const Advised& row) {
    if (!row.refused.empty()) return -2.0;
    return std::max(row.signals.features.value_or(-1), row.signals.contacts.value_or(-1));
  };
  std::stable_sort(advice.methods.begin(), advice.methods.end(),
                   [&](const Advised& a, const Advised& b) { return strength(a) > strength(b); });
  Experiment lap("lap");
  set_facts(lap, known);
  advice.choice =
      choose_method({.predictions = true, .mean_degree = known.mean_degree}, lap, known.relation, known.facts);
  advice.mean_degree = degree_of(known);
  advice.worth = worth_declaring(known);
  return advice;
}

}  // namespace graphveil::run
