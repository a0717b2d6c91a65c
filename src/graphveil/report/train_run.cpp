#include "graphveil/report/train_run.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/base/resources.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/graph/split.h"

namespace graphveil::report {
namespace {

graph::SplitRatio parse_ratio(const std::string& text) {
  std::array<double, 3> parts{};
  const char* at = text.data();
  const char* end = at + text.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    const bool last = i + 1 == parts.size();
    if (error != std::errc() || !(parts[i] >= 0 && parts[i] <= 100) ||
        (last ? next != end : next == end || *next != '/')) {
      fail(ErrorKind::InvalidArgument, "--split is '{}', want percentages such as 75/10/15, or file", text);
    }
    at = next + 1;
  }
  require(parts[0] > 0 && std::abs(parts[0] + parts[1] + parts[2] - 100) < 1e-9,
          "--split is '{}', want three percentages that add up to 100, the first above 0", text);
  return {parts[0] / 100, parts[1] / 100, parts[2] / 100};
}

graph::Split make_split(const graph::Dataset& data, const TrainSettings& settings, const Seed& seed) {
  if (settings.split == "file") return graph::stored_split(data);
  return graph::random_split(data, parse_ratio(settings.split), seed);
}

int64_t required_size(const std::optional<int64_t>& size, const char* option) {
  require(
      size.has_value(),
      "--{} is missing: one graph is split by --private-nodes, --public-nodes and --public-test; or give two graphs "
      "with --private and --public",
      option);
  return *size;
}

// The private and the public graph of one repeat, for methods that want both.
graph::PublicPrivate make_parts(const graph::Dataset& data, const graph::Dataset* public_data,
                                const TrainSettings& settings, const Seed& seed) {
  if (public_data == nullptr) {
    return graph::split_public_private(data,
                                       {.private_nodes = required_size(settings.private_nodes, "private-nodes"),
                                        .public_nodes = required_size(settings.public_nodes, "public-nodes"),
                                        .public_test = required_size(settings.public_test, "public-test")},
                                       seed);
  }
  require(!settings.private_nodes && !settings.public_nodes,
          "--private-nodes and --public-nodes split one graph; leave them out when two graphs are given");
  return graph::pair_public_private(data, *public_data, settings.public_test.value_or(0), seed);
}

// What one repeat trains on and is evaluated on.
struct RepeatData {
  graph::Dataset data;  // the private records
  graph::Split split;
  std::optional<graph::Dataset> public_graph;  // without labels
  graph::Dataset evaluated;
  graph::Split evaluated_split;
  std::vector<int32_t> evaluated_ids;  // its nodes' ids in the graph that was split; empty: the same
};

RepeatData make_repeat(const method::Method& method, const graph::Dataset& data, const graph::Dataset* public_data,
                       const TrainSettings& settings, const Seed& seed) {
  if (!method.wants_public_graph()) {
    const graph::Split split = make_split(data, settings, seed);
    require(!split.train.empty(), "the split leaves no training nodes");
    return {data, split, std::nullopt, data, split, {}};
  }
  graph::PublicPrivate parts = make_parts(data, public_data, settings, seed);
  // The method never sees a public label, so that it cannot learn from one.
  graph::Dataset unlabeled = graph::without_labels(parts.public_data);
  return {std::move(parts.private_data), std::move(parts.private_split), std::move(unlabeled),
          std::move(parts.public_data),  std::move(parts.public_split),  std::move(parts.public_ids)};
}

bool edge_level(bound::Relation relation) { return relation != bound::Relation::Node; }

// Why validation labels may pick the epoch, if they may.
std::optional<std::string> public_validation(const method::Method& method, bound::Relation relation,
                                             const TrainSettings& settings) {
  if (settings.public_data == "val") return "the validation nodes' labels and features are public (--public val)";
  if (method.relations().empty()) return "the method promises nothing";
  if (edge_level(relation)) return "features and labels are public under this relation";
  return std::nullopt;
}

Repeat evaluate(const graph::Dataset& data, const graph::Split& split, const Matrix& probabilities) {
  const std::vector<int32_t> predicted = nn::predictions(probabilities);
  const auto accuracy_of = [&](const std::vector<int32_t>& nodes, double* f1) {
    std::vector<int32_t> p, y;
    for (int32_t v : nodes) {
      p.push_back(predicted[v]);
      y.push_back(data.labels[v]);
    }
    if (f1 != nullptr) *f1 = nn::macro_f1(p, y, data.classes);
    return nn::accuracy(p, y);
  };
  Repeat repeat;
  repeat.test_accuracy = accuracy_of(split.test, &repeat.macro_f1);
  repeat.val_accuracy = accuracy_of(split.val, nullptr);
  repeat.train_accuracy = accuracy_of(split.train, nullptr);
  return repeat;
}

// How much noise, what a run will spend, and the epsilon that may cost.
struct NoiseChoice {
  double noise = 0;
  account::Ledger plan;
  double cap = 0;
  std::vector<std::string> reasons;  // why it proves nothing, in published mode
};

NoiseChoice choose_noise(const method::Method& method, bound::Relation relation, double delta,
                         const method::PublicFacts& facts, const TrainSettings& settings) {
  const auto plan = [&](double noise) { return method.plan(noise, relation, facts); };
  if (settings.accounting == Accounting::Tight) {
    const double noise = plan(1).empty() ? 0 : account::calibrate(plan, settings.epsilon, delta).noise;
    return {noise, plan(noise), settings.epsilon, {}};
  }
  std::optional<method::Published> published = method.published(settings.epsilon, delta, relation, facts);
  if (!published) {
    fail(ErrorKind::Unsupported,
         "{} with these options has no published accounting; leave --accounting at tight, or use --preset paper",
         method.describe().name);
  }
  published->reasons.insert(published->reasons.begin(), "the noise was chosen by the paper's arithmetic");
  // The paper's noise may cost more than the paper says: the certificate will tell.
  return {published->noise, published->plan ? *published->plan : plan(published->noise),
          std::numeric_limits<double>::infinity(), std::move(published->reasons)};
}

Certificate make_certificate(const method::Method& method, bound::Relation relation, double delta,
                             const mechanism::Release* release, const TrainSettings& settings,
                             const std::vector<std::string>& reasons) {
  Certificate c;
  c.method = method.describe().name;
  c.relation = relation;
  // Propagation reads other nodes' raw rows.
  c.covers = settings.propagate > 0 ? Covers::Parameters : method.covers();
  c.accounting = settings.accounting;
  c.delta = delta;
  c.reproducible_seed = settings.seed.has_value();
  c.reasons = reasons;
  if (settings.accounting == Accounting::Published) c.published_epsilon = settings.epsilon;
  if (settings.public_data == "val") c.assumptions.push_back(*public_validation(method, relation, settings));
  if (edge_level(relation) && !settings.delta) {
    c.assumptions.push_back("the number of digits of the edge count is public: delta was chosen from it");
  }
  c.remarks = method.remarks(relation);
  // One labeled node more or less would deal all the others anew.
  const bool random_split = method.wants_public_graph() ? settings.private_nodes.has_value() : settings.split != "file";
  if (relation == bound::Relation::Node && random_split && !method.relations().empty()) {
    c.assumptions.push_back(
        "the random split is taken as given: whether a record is in training is part of that record, and its absence "
        "moves no other");
  }
  if (method.wants_public_graph()) {
    c.assumptions.push_back("the public graph is public, and no private record entered it");
  }
  if (method.relations().empty()) {
    c.reasons.push_back("the method adds no noise and promises nothing");
    c.epsilon.reset();
  } else if (release != nullptr) {
    c.lines = release->spent_lines();
  }
  price(c);
  if (method.relations().empty()) c.epsilon.reset();
  return c;
}

}  // namespace

void TrainSettings::declare(method::Options& options, bool wants_public_graph) {
  options.real("epsilon", epsilon, 1e-6, 1e6, "Privacy budget");
  options.alias("e");
  options.real_or("delta", delta, "auto", 0, 0.999999, "Failure probability; auto is 1/10^digits(private entities)");
  options.alias("d");
  options.choice<std::optional<bound::Relation>>("relation", relation,
                                                 {{"auto", std::nullopt},
                                                  {"edge", bound::Relation::Edge},
                                                  {"undirected-edge", bound::Relation::UndirectedEdge},
                                                  {"node", bound::Relation::Node}},
                                                 "What is protected; auto: the method's default for this graph");
  options.choice("accounting", accounting, {{"tight", Accounting::Tight}, {"published", Accounting::Published}},
                 "tight: proved. published: the paper's arithmetic (for dpgnn its mechanism too), never valid");
  options.integer(
      "propagate", propagate, 0, 1000,
      "Personalized-PageRank steps over the scores at prediction; the guarantee then covers parameters only");
  options.real("alpha", alpha, 0, 1, "How much of a node's own scores each step of --propagate keeps");
  options.choice("propagate-on", propagated,
                 {{"logits", method::Propagated::Logits}, {"probabilities", method::Propagated::Probabilities}},
                 "What --propagate averages over neighbors");
  if (wants_public_graph) {
    options.integer_or("private-nodes", private_nodes, "none", 1, INT32_MAX,
                       "Of one graph: labeled nodes to protect, chosen at random");
    options.integer_or("public-nodes", public_nodes, "none", 1, INT32_MAX, "Of one graph: public nodes, test included");
    options.integer_or("public-test", public_test, "none", 0, INT32_MAX,
                       "Labeled public nodes kept to evaluate on, chosen at random");
  } else {
    options.text("split", split, "Percentages train/val/test, or file for the masks in the data");
    options.choice<std::string>("public", public_data, {{"none", ""}, {"val", "val"}},
                                "What you declare public: val lets validation labels pick the epoch");
  }
  options.integer("repeats", repeats, 1, 100000, "Trainings, each with its own split and seed");
  options.alias("r");
  options.integer_or("seed", seed, "random", 0, INT64_MAX, "A number makes the run reproducible, noise included");
  options.alias("s");
}

double automatic_delta(int64_t private_entities) {
  double delta = 1;
  for (int64_t left = std::max<int64_t>(private_entities, 1); left > 0; left /= 10) delta /= 10;
  // 1/10/10/... drifts; the literal power does not.
  return std::pow(10.0, std::round(std::log10(delta)));
}

bound::Relation chosen_relation(const method::Method& method, const graph::Graph& graph,
                                const TrainSettings& settings) {
  std::vector<bound::Relation> allowed = method.relations();
  if (allowed.empty()) {
    require(!settings.relation, "{} promises nothing, so it has no relation", method.describe().name);
    return bound::Relation::Node;
  }
  // A directed graph has no undirected edges to protect.
  if (!graph.symmetric()) std::erase(allowed, bound::Relation::UndirectedEdge);
  require(!allowed.empty(), "{} wants a symmetric graph", method.describe().name);
  if (!settings.relation) return allowed.front();
  if (std::find(allowed.begin(), allowed.end(), *settings.relation) == allowed.end()) {
    std::vector<std::string_view> names;
    for (bound::Relation relation : allowed) names.push_back(bound::name(relation));
    fail(ErrorKind::InvalidArgument, "--relation is '{}'; {} on this graph can protect {}",
         bound::name(*settings.relation), method.describe().name, fmt::join(names, ", "));
  }
  return *settings.relation;
}

double chosen_delta(bound::Relation relation, const graph::Dataset& data, const TrainSettings& settings) {
  if (settings.delta) return *settings.delta;
  // Of a graph that is split, only the private part counts.
  return automatic_delta(edge_level(relation) ? data.graph.edges() : settings.private_nodes.value_or(data.nodes()));
}

method::PublicFacts public_facts(const graph::Dataset& data, const graph::Split& split) {
  return {data.nodes(), static_cast<int64_t>(split.train.size()), data.features.cols(), data.classes};
}

method::PublicFacts planned_facts(const graph::Dataset& data, const TrainSettings& settings) {
  return public_facts(data, make_split(data, settings, Seed::from_number(0)));  // every seed gives as many nodes
}

TrainOutcome train(const method::Method& method, const graph::Dataset& stored_data, const TrainSettings& settings,
                   const graph::Dataset* public_data) {
  const Seed seed = settings.seed ? Seed::from_number(static_cast<uint64_t>(*settings.seed)) : Seed::from_system();
  require(public_data == nullptr || method.wants_public_graph(), "{} takes no public graph", method.describe().name);
  const graph::Dataset data = method.prepare(stored_data);
  const bool is_private = !method.relations().empty();
  require(is_private || settings.accounting == Accounting::Tight, "{} promises nothing, so there is nothing to account",
          method.describe().name);
  const bound::Relation relation = chosen_relation(method, data.graph, settings);
  const double delta = chosen_delta(relation, data, settings);
  TrainOutcome outcome;
  NoiseChoice choice;

  std::optional<Progress> progress;
  if (settings.repeats > 1) progress.emplace("repeats", settings.repeats);
  std::vector<double> accuracies;
  for (int64_t r = 0; r < settings.repeats; ++r) {
    const Seed repeat_seed = seed.derived(fmt::format("repeat {}", r));
    RepeatData on = make_repeat(method, data, public_data, settings, repeat_seed.derived("split"));
    method::Task task{on.data, on.split, relation, repeat_seed.derived("training"),
                      public_validation(method, relation, settings)};
    task.as_published = settings.accounting == Accounting::Published;
    if (on.public_graph) {
      task.public_data = &*on.public_graph;
      task.public_split = &on.evaluated_split;
    }
    method::PublicFacts facts = public_facts(on.data, on.split);
    facts.features = stored_data.features.cols();  // before anything was done to them
    std::optional<mechanism::Release> release;
    if (is_private) {
      if (r == 0) {
        const Timer timer;
        choice = choose_noise(method, relation, delta, facts, settings);
        outcome.calibration_seconds = timer.seconds();
        outcome.noise = choice.noise;
      }
      release.emplace(relation, choice.plan, mechanism::Budget{choice.cap, delta}, repeat_seed.derived("noise"));
    }
    Timer timer;
    method::Released released = method.run(task, outcome.noise, release ? &*release : nullptr);
    if (settings.propagate > 0) {
      released.probabilities = method::propagate(on.evaluated.graph, released.probabilities, settings.propagate,
                                                 settings.alpha, settings.propagated);
    }
    if (release && !release->complete()) fail(ErrorKind::Internal, "the run spent less than its plan");
    Repeat repeat = evaluate(on.evaluated, on.evaluated_split, released.probabilities);
    repeat.seconds = timer.seconds();
    accuracies.push_back(repeat.test_accuracy);
    outcome.repeats.push_back(repeat);
    if (r == 0) {
      outcome.certificate =
          make_certificate(method, relation, delta, release ? &*release : nullptr, settings, choice.reasons);
      outcome.certificate.noise = outcome.noise;
      outcome.certificate.facts = facts;
      outcome.released = std::move(released);
      outcome.test_nodes = static_cast<int64_t>(on.evaluated_split.test.size());
      outcome.predicted_ids = std::move(on.evaluated_ids);
    }
    if (progress) progress->advance();
  }
  outcome.test_accuracy = nn::mean_interval(accuracies, Seed::from_number(0));
  return outcome;
}

}  // namespace graphveil::report
