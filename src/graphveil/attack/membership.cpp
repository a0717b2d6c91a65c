#include "graphveil/attack/membership.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/attack/member_model.h"
#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/train.h"

namespace graphveil::attack {
namespace {

// What the adversary knows about nodes: a row of numbers each, and for his own who is a member.
struct Knowledge {
  std::vector<std::vector<double>> rows;
  std::vector<uint8_t> member;
};

// The posterior from the largest entry down, and how sure the model is of the node's own label.
void add(const Matrix& posteriors, int32_t node, int32_t label, bool member, Knowledge& out) {
  std::vector<double> row;
  for (const Real p : posteriors.row(node)) row.push_back(p);
  const double own = std::clamp<double>(posteriors(node, label), 1e-7, 1 - 1e-7);
  const double largest = *std::ranges::max_element(row);
  std::sort(row.begin(), row.end(), std::greater<>());
  row.push_back(own);
  row.push_back((std::log(own) - std::log1p(-own)) / 4);
  row.push_back(own >= largest ? 1 : 0);
  out.rows.push_back(std::move(row));
  out.member.push_back(member ? 1 : 0);
}

graph::Dataset as_dataset(const Knowledge& knowledge) {
  const auto nodes = static_cast<int64_t>(knowledge.rows.size());
  Matrix features(nodes, static_cast<int64_t>(knowledge.rows.front().size()));
  for (int64_t v = 0; v < nodes; ++v) {
    std::ranges::transform(knowledge.rows[static_cast<size_t>(v)], features.row(v).begin(),
                           [](double x) { return static_cast<Real>(x); });
  }
  graph::Dataset out;
  out.graph = graph::Graph::from_edges(nodes, {}, {});
  out.features = graph::Features(std::move(features));
  out.labels = SharedArray<int32_t>(std::vector<int32_t>(knowledge.member.begin(), knowledge.member.end()));
  out.classes = 2;
  return out;
}

// An MLP learns on the first `learned` rows of the shadow what a member looks like, picks its epoch by the others where
// there are some, and scores the target's nodes.
Roc attack_mlp(const Knowledge& shadow, int64_t learned, const Knowledge& target, const Seed& seed) {
  run::Experiment mlp("mlp");
  for (const auto& [name, value] : {std::pair{"layers", "3"},
                                    {"hidden-dim", "64"},
                                    {"dropout", "0"},
                                    {"epochs", "100"},
                                    {"learning-rate", "0.01"}}) {
    mlp.set(name, value);
  }
  run::Parts parts;
  parts.data = as_dataset(shadow);
  for (int32_t v = 0; v < parts.data.nodes(); ++v) (v < learned ? parts.split.train : parts.split.val).push_back(v);
  parts.evaluated = parts.data;
  const method::PublicFacts facts{parts.data.nodes(), parts.data.nodes(), parts.data.features.cols(), 2, 0};
  const run::Prepared prepared = run::prepare(mlp, bound::Relation::Edge, facts);
  const run::Trained trained = run::train_once(prepared, parts, seed);
  const graph::Dataset asked = as_dataset(target);
  mechanism::Release door = run::clear_door(prepared);
  const method::Predictions made = run::ask(prepared, trained.output.model.value(), {asked, parts.split}, door, seed);
  std::vector<double> scores;
  for (int64_t v = 0; v < asked.nodes(); ++v) scores.push_back(method::values(made)(v, 1));
  return roc(scores, target.member);
}

// One model with half of the candidates as members: what it says about all of them.
struct Observed {
  Knowledge people, labeled;
  double member_accuracy = 0, other_accuracy = 0;
};

Observed observe(const run::Experiment& experiment, const Candidates& candidates, const Seed& seed) {
  const std::vector<int32_t> all = candidates_of(candidates.people, std::nullopt);
  const std::vector<int32_t> members = random_members(candidates.people, all, std::nullopt, seed);
  const MemberModels models(experiment, candidates, static_cast<int64_t>(members.size()));
  const MemberModel model = models.train(members, seed);
  Observed out;
  double right[2] = {0, 0}, count[2] = {0, 0};
  for (const int32_t v : all) {
    const bool member = std::binary_search(members.begin(), members.end(), v);
    add(model.people, v, candidates.people.labels[v], member, out.people);
    right[member] += out.people.rows.back().back();
    count[member] += 1;
  }
  out.member_accuracy = right[1] / count[1];
  out.other_accuracy = right[0] / count[0];
  if (candidates.public_data) {
    for (int32_t v = 0; v < candidates.public_data->nodes(); ++v) {
      const int32_t label = candidates.public_data->labels[v];
      if (label == graph::kUnlabeled) continue;
      add(model.public_nodes, v, label, std::ranges::binary_search(model.pool, v), out.labeled);
    }
  }
  return out;
}

// Rows first .. last - 1.
Knowledge some_rows(const Knowledge& all, int64_t first, int64_t last) {
  return {{all.rows.begin() + first, all.rows.begin() + last}, {all.member.begin() + first, all.member.begin() + last}};
}

struct OneModel {
  Roc roc;
  double member_accuracy = 0, other_accuracy = 0;
  int64_t judged = 0, known = 0;
};

// See MembershipOptions::one_model.
OneModel attack_one_model(const run::Experiment& experiment, const graph::Dataset& data, int64_t per_class,
                          const Seed& seed) {
  std::vector<int32_t> order = candidates_of(data, std::nullopt), members, asked;
  RandomStream random(seed, "members and others");
  random.shuffle(std::span(order));
  const std::vector<int64_t> sizes = graph::class_sizes(data);
  const int64_t fifths = 2 * per_class / 5;
  std::vector<int64_t> taken(sizes.size(), 0);
  for (const int32_t v : order) {
    const auto y = static_cast<size_t>(data.labels[v]);
    if (sizes[y] < per_class || taken[y] >= 2 * fifths) continue;
    if (taken[y]++ < fifths) members.push_back(v);
    asked.push_back(v);
  }
  std::sort(members.begin(), members.end());
  require(std::ssize(asked) >= 20, "{} nodes are in classes of at least {}, want at least 20: see --shadow-per-class",
          asked.size(), per_class);
  run::Parts parts;
  parts.data = experiment.method().prepare(data);
  parts.split.train = members;
  parts.evaluated = parts.data;
  const auto count = static_cast<int64_t>(members.size());
  const run::Prepared prepared = run::prepare(experiment, run::chosen_relation(experiment, data.graph.symmetric()),
                                              {data.nodes(), count, data.features.cols(), data.classes, 0});
  const run::Trained trained = run::train_once(prepared, parts, seed);
  const Matrix& posteriors = method::values(trained.output.predictions);

  // Rows as the authors have them: the posterior, and the label as a row of zeros and a one.
  Knowledge seen;
  double right[2] = {0, 0}, all[2] = {0, 0};
  for (const int32_t v : asked) {
    const bool member = std::binary_search(members.begin(), members.end(), v);
    const auto posterior = posteriors.row(v);
    std::vector<double> row(posterior.begin(), posterior.end());
    right[member] += std::ranges::max_element(row) - row.begin() == data.labels[v] ? 1 : 0;
    all[member] += 1;
    row.resize(2 * row.size(), 0);
    row[static_cast<size_t>(posterior.size()) + static_cast<size_t>(data.labels[v])] = 1;
    seen.rows.push_back(std::move(row));
    seen.member.push_back(member ? 1 : 0);
  }
  // Members were drawn first in each class: shuffle again.
  std::vector<size_t> places(seen.rows.size());
  std::iota(places.begin(), places.end(), size_t{0});
  random.shuffle(std::span(places));
  Knowledge mixed;
  for (const size_t i : places) {
    mixed.rows.push_back(std::move(seen.rows[i]));
    mixed.member.push_back(seen.member[i]);
  }
  const auto rows = static_cast<int64_t>(mixed.rows.size());
  const int64_t learned = 6 * rows / 10, judged = 3 * rows / 10;
  return {attack_mlp(some_rows(mixed, 0, rows - judged), learned, some_rows(mixed, rows - judged, rows),
                     seed.derived("attack")),
          right[1] / all[1], right[0] / all[0], judged, rows - judged};
}

// Nodes of the adversary's graph, so many of every class, and the rest.
std::pair<std::vector<int32_t>, std::vector<int32_t>> divide(const graph::Dataset& data, int64_t per_class,
                                                             const Seed& seed) {
  const std::vector<int64_t> sizes = graph::class_sizes(data);
  std::vector<int32_t> order = candidates_of(data, std::nullopt), shadow, target;
  RandomStream random(seed, "shadow graph");
  random.shuffle(std::span(order));
  std::vector<int64_t> taken(sizes.size(), 0);
  for (const int32_t v : order) {
    const auto y = static_cast<size_t>(data.labels[v]);
    (taken[y]++ < std::min(per_class, sizes[y] / 2) ? shadow : target).push_back(v);
  }
  std::sort(shadow.begin(), shadow.end());
  std::sort(target.begin(), target.end());
  return {shadow, target};
}

// Where a method wants a public graph, half of the nodes are it.
Candidates candidates_from(const run::Experiment& experiment, const graph::Dataset& data, const Seed& seed) {
  if (!experiment.method().wants_public_graph()) return {data, std::nullopt};
  std::vector<int32_t> order(static_cast<size_t>(data.nodes()));
  for (int32_t v = 0; v < data.nodes(); ++v) order[static_cast<size_t>(v)] = v;
  RandomStream random(seed, "public part");
  random.shuffle(std::span(order));
  const auto half = std::ssize(order) / 2;
  std::vector<int32_t> a(order.begin(), order.begin() + half), b(order.begin() + half, order.end());
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return {graph::induced_subgraph(data, a), graph::induced_subgraph(data, b)};
}

}  // namespace

MembershipResult membership_attack(const run::Experiment& experiment, const graph::Dataset& data,
                                   const MembershipOptions& options) {
  require(options.repeats >= 1 && options.shadow_per_class >= 2, "{} repeats, {} shadow nodes of a class",
          options.repeats, options.shadow_per_class);
  std::vector<Roc> members, labeled;
  std::vector<double> member_accuracy, other_accuracy;
  MembershipResult out;
  require(!options.one_model || !experiment.method().wants_public_graph(),
          "an attack with one model is for methods that train and predict on one graph; {} wants a public one",
          experiment.method().describe().name);
  Progress progress("membership attacks", 2 * options.repeats);
  for (int64_t r = 0; r < options.repeats; ++r) {
    const Seed seed = options.seed.derived(fmt::format("repeat {}", r));
    if (options.one_model) {
      OneModel one = attack_one_model(experiment, data, options.shadow_per_class, seed);
      members.push_back(std::move(one.roc));
      member_accuracy.push_back(one.member_accuracy);
      other_accuracy.push_back(one.other_accuracy);
      out.target_nodes = one.judged;
      out.shadow_nodes = one.known;
      progress.advance(2);
      continue;
    }
    const auto [shadow_nodes, target_nodes] = divide(data, options.shadow_per_class, seed);
    require(shadow_nodes.size() >= 8 && target_nodes.size() >= 8, "the graph has too few labeled nodes to attack");
    out.shadow_nodes = static_cast<int64_t>(shadow_nodes.size());
    out.target_nodes = static_cast<int64_t>(target_nodes.size());
    std::vector<Observed> seen;
    for (const auto& [name, nodes] : {std::pair{"shadow", &shadow_nodes}, {"target", &target_nodes}}) {
      const Seed own = seed.derived(name);
      const Candidates candidates = candidates_from(experiment, graph::induced_subgraph(data, *nodes), own);
      seen.push_back(observe(experiment, candidates, own));
      progress.advance();
    }
    members.push_back(
        attack_mlp(seen[0].people, std::ssize(seen[0].people.rows), seen[1].people, seed.derived("attack")));
    if (!seen[0].labeled.rows.empty()) {
      labeled.push_back(attack_mlp(seen[0].labeled, std::ssize(seen[0].labeled.rows), seen[1].labeled,
                                   seed.derived("attack by proxy")));
    }
    member_accuracy.push_back(seen[1].member_accuracy);
    other_accuracy.push_back(seen[1].other_accuracy);
  }
  out.members = summarize(std::move(members));
  if (!labeled.empty()) out.labeled = summarize(std::move(labeled));
  out.member_accuracy = nn::mean_interval(member_accuracy);
  out.other_accuracy = nn::mean_interval(other_accuracy);
  return out;
}

}  // namespace graphveil::attack
