#include "tests/contract/harness.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "graphveil/graph/generate.h"
#include "graphveil/graph/public_private.h"
#include "graphveil/mechanism/release.h"
#include "tests/mechanism/access.h"
#include "tests/method/vouched.h"

namespace graphveil::contract {
namespace {

using mechanism::Recording;
using mechanism::Release;
using mechanism::Seen;
using mechanism::Watcher;

constexpr int64_t kNodes = 9;
constexpr int64_t kFeatures = 5;
constexpr int32_t kClasses = 3;
constexpr double kSlack = 1e-9;  // of sums in double, compared outside of the program

mechanism::Budget any_budget() { return {std::numeric_limits<double>::infinity(), 1e-5}; }

// How far two values of one release lie apart in the norm of its sensitivity.
// Where every node has a row, `own_row` does not count; -1: all do.
double distance(const Seen& a, const Seen& b, int64_t own_row) {
  if (a.sensitivity.norm == bound::Norm::Hamming) {
    // Labels, or probabilities of labels, in rows: how many of them changed.
    if (a.rows == b.rows && a.values.size() == b.values.size() && (a.label == "labels" || a.label == "votes")) {
      const size_t width = a.values.size() / static_cast<size_t>(std::max<int64_t>(a.rows, 1));
      double changed = 0;
      for (size_t i = 0; i < a.values.size(); i += width) {
        changed += !std::equal(a.values.begin() + i, a.values.begin() + i + width, b.values.begin() + i);
      }
      return changed;
    }
    const std::set<double> x(a.values.begin(), a.values.end()), y(b.values.begin(), b.values.end());
    std::vector<double> differ;
    std::set_symmetric_difference(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(differ));
    return static_cast<double>(differ.size());
  }
  if (a.values.size() != b.values.size()) return std::numeric_limits<double>::infinity();
  const size_t cols = a.rows > 0 ? a.values.size() / static_cast<size_t>(a.rows) : 0;
  const int64_t left_out = a.rows == kNodes ? own_row : -1;
  double sum = 0, squares = 0, largest = 0;
  for (size_t i = 0; i < a.values.size(); ++i) {
    if (static_cast<int64_t>(i / cols) == left_out) continue;
    const double gap = std::abs(a.values[i] - b.values[i]);
    sum += gap;
    squares += gap * gap;
    largest = std::max(largest, gap);
  }
  switch (a.sensitivity.norm) {
    case bound::Norm::L1: return sum;
    case bound::Norm::L2: return std::sqrt(squares);
    case bound::Norm::LInf: return largest;
    case bound::Norm::Hamming: break;
  }
  return largest;
}

// In clipped samples, how many may change.
double touched(const account::Sampling& sampling) {
  struct Visitor {
    double operator()(const account::NoSampling&) const { return 1; }
    double operator()(const account::Poisson&) const { return 1; }
    double operator()(const account::PoissonGroup& s) const { return static_cast<double>(s.deletions + s.insertions); }
  };
  return std::visit(Visitor{}, sampling);
}

bool same_bits(const nn::State& a, const nn::State& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
           return x.first == y.first && x.second.shape == y.second.shape && x.second.bytes == y.second.bytes;
         });
}

void compare_values(const Watcher& a, const Watcher& b, bound::Relation relation, const Neighbors& neighbors,
                    std::vector<std::string>& out) {
  if (a.seen.size() != b.seen.size()) {
    out.push_back(
        fmt::format("{}: {} releases on one graph, {} on the other", neighbors.what, a.seen.size(), b.seen.size()));
    return;
  }
  const int64_t own_row = relation == bound::Relation::Node && neighbors.node ? *neighbors.node : -1;
  for (size_t i = 0; i < a.seen.size(); ++i) {
    const double bound = a.seen[i].sensitivity.amount * touched(a.seen[i].sensitivity.sampling);
    const double gap = distance(a.seen[i], b.seen[i], own_row);
    if (!(gap <= bound * (1 + kSlack))) {
      out.push_back(fmt::format("{}: release {} '{}' moves by {} in {}, its stated sensitivity is {}", neighbors.what,
                                i, a.seen[i].label, gap, bound::name(a.seen[i].sensitivity.norm), bound));
    }
  }
}

void compare_predictions(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                         const method::Predictions& a, const method::Predictions& b, const char* when,
                         std::vector<std::string>& out) {
  const mechanism::Audience audience = method::audience(a);
  if (audience != method::audience(b)) {
    out.push_back(fmt::format("{}: predictions {} have two audiences", neighbors.what, when));
    return;
  }
  if (audience == mechanism::Audience::Holder) return;
  // What is covered under record only is not promised here.
  if (method.predictions(relation).relation != relation) return;
  const Matrix &x = method::values(a), &y = method::values(b);
  for (int64_t v = 0; v < x.rows(); ++v) {
    if (audience == mechanism::Audience::Owner && neighbors.node && v == *neighbors.node) continue;
    if (std::memcmp(x.row(v).data(), y.row(v).data(), x.row(v).size_bytes()) != 0) {
      out.push_back(fmt::format("{}: the {} prediction {} about node {} differs", neighbors.what,
                                mechanism::name(audience), when, v));
      return;
    }
  }
}

void check_spent(const Release& release, const Neighbors& neighbors, const char* when, std::vector<std::string>& out) {
  if (!release.complete()) out.push_back(fmt::format("{}: {} spent less than its plan", neighbors.what, when));
  if (!(release.spent() == release.plan())) {
    out.push_back(fmt::format("{}: {} spent something else than its plan", neighbors.what, when));
  }
}

// What was released as one number for each that went in; else empty.
std::vector<double> numbers_of(const mechanism::Output& output) {
  if (const auto* matrix = std::get_if<Matrix>(&output)) return {matrix->data(), matrix->data() + matrix->size()};
  if (const auto* counts = std::get_if<IntegerMatrix<int64_t>>(&output)) {
    return {counts->values().begin(), counts->values().end()};
  }
  if (const auto* vector = std::get_if<std::vector<double>>(&output)) return *vector;
  return {};
}

// Noise = what came out less what went in, where that makes sense.
std::vector<Noise> noise_of(const Watcher& watcher, const Recording& recording) {
  std::vector<Noise> out;
  for (size_t i = 0; i < watcher.seen.size() && i < recording.size(); ++i) {
    const std::vector<double> output = numbers_of(recording[i].output);
    if (output.empty() || output.size() != watcher.seen[i].values.size()) continue;
    Noise noise{recording[i].label, {}};
    for (size_t k = 0; k < output.size(); ++k) noise.values.push_back(output[k] - watcher.seen[i].values[k]);
    out.push_back(std::move(noise));
  }
  return out;
}

method::Task task_of(const graph::Dataset& data, const graph::Split& split, bound::Relation relation,
                     const HarnessOptions& options) {
  return {.data = data,
          .split = split,
          .relation = relation,
          .protect_degree = options.protect_degree,
          .seed = Seed::from_number(options.seed).derived("training"),
          .public_graph = method::vouched_graph(public_data(), public_split())};
}

method::Setting setting_of(const Neighbors& neighbors, bound::Relation relation, const HarnessOptions& options) {
  return {
      relation,
      options.protect_degree,
      {neighbors.present.nodes(), static_cast<int64_t>(neighbors.split.train.size()), neighbors.present.features.cols(),
       neighbors.present.classes, static_cast<int64_t>(public_split().train.size())}};
}

graph::Dataset with_edges(const graph::Dataset& data, const std::vector<std::pair<int32_t, int32_t>>& edges) {
  std::vector<int32_t> from, to;
  for (const auto& [u, v] : edges) {
    from.push_back(u);
    to.push_back(v);
  }
  graph::Dataset out = data;
  out.graph = graph::Graph::from_edges(data.nodes(), from, to);
  return out;
}

std::vector<std::pair<int32_t, int32_t>> edges_of(const graph::Graph& graph) {
  std::vector<std::pair<int32_t, int32_t>> edges;
  for (int32_t u = 0; u < graph.nodes(); ++u) {
    for (const int32_t v : graph.out(u)) edges.emplace_back(u, v);
  }
  return edges;
}

graph::Dataset blank(const graph::Dataset& data, int32_t w, bound::Relation relation) {
  std::vector<std::pair<int32_t, int32_t>> edges;
  for (const auto& [u, v] : edges_of(data.graph)) {
    if (u == w || (relation == bound::Relation::Node && v == w)) continue;
    edges.emplace_back(u, v);
  }
  graph::Dataset out = with_edges(data, edges);
  Matrix features(data.nodes(), data.features.cols());
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  for (int64_t v = 0; v < data.nodes(); ++v) {
    if (v != w) std::ranges::copy(data.features.dense().row(v), features.row(v).begin());
  }
  labels[static_cast<size_t>(w)] = graph::kUnlabeled;
  out.features = graph::Features(std::move(features));
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

}  // namespace

const graph::Dataset& public_data() {
  static const graph::Dataset data = [] {
    SmallGraph graph = small_graph(12345, true);
    return graph::without_labels(graph.data);
  }();
  return data;
}

const graph::Split& public_split() {
  static const graph::Split split{{0, 2, 4, 6, 8}, {}, {1, 3, 5, 7}};
  return split;
}

SmallGraph small_graph(uint64_t seed, bool symmetric) {
  RandomStream random(Seed::from_number(seed), "small graph");
  std::vector<int32_t> from, to, labels;
  const double density = 0.15 + 0.3 * random.uniform();
  for (int32_t u = 0; u < kNodes; ++u) {
    for (int32_t v = symmetric ? u + 1 : 0; v < kNodes; ++v) {
      if (u == v || !random.bernoulli(density)) continue;
      from.push_back(u);
      to.push_back(v);
    }
    labels.push_back(random.bernoulli(0.1) ? graph::kUnlabeled : static_cast<int32_t>(random.below(kClasses)));
  }
  Matrix features(kNodes, kFeatures);
  // Some rows are long, so that a clip that is missing shows.
  for (int64_t v = 0; v < kNodes; ++v) {
    const double size = random.bernoulli(0.3) ? 50 : 1;
    for (Real& x : features.row(v)) x = static_cast<Real>(size * random.gaussian());
  }
  SmallGraph out;
  out.data.name = fmt::format("small graph {}", seed);
  out.data.graph =
      symmetric ? graph::Graph::from_undirected_edges(kNodes, from, to) : graph::Graph::from_edges(kNodes, from, to);
  out.data.features = graph::Features(std::move(features));
  out.data.labels = SharedArray<int32_t>(std::move(labels));
  out.data.classes = kClasses;
  // Public lists: a node without a label may be in them.
  for (int32_t v = 0; v < kNodes; ++v)
    (v % 4 == 3 ? out.split.val : v % 4 == 2 ? out.split.test : out.split.train).push_back(v);
  return out;
}

std::vector<Neighbors> all_neighbors(const SmallGraph& graph, bound::Relation relation) {
  std::vector<Neighbors> out;
  const graph::Dataset& data = graph.data;
  if (!bound::edge_level(relation)) {
    for (int32_t w = 0; w < data.nodes(); ++w) {
      out.push_back({data, blank(data, w, relation), graph.split, w,
                     fmt::format("{}, {}: node {} blank", data.name, bound::name(relation), w)});
    }
    return out;
  }
  const bool undirected = relation == bound::Relation::UndirectedEdge;
  const std::vector<std::pair<int32_t, int32_t>> edges = edges_of(data.graph);
  for (int32_t u = 0; u < data.nodes(); ++u) {
    for (int32_t v = undirected ? u + 1 : 0; v < data.nodes(); ++v) {
      if (u == v) continue;
      std::vector<std::pair<int32_t, int32_t>> changed;
      const auto is_it = [&](const std::pair<int32_t, int32_t>& e) {
        return e == std::pair(u, v) || (undirected && e == std::pair(v, u));
      };
      std::copy_if(edges.begin(), edges.end(), std::back_inserter(changed), [&](const auto& e) { return !is_it(e); });
      const bool there = changed.size() != edges.size();
      if (!there) {
        changed.emplace_back(u, v);
        if (undirected) changed.emplace_back(v, u);
      }
      out.push_back({data, with_edges(data, changed), graph.split, std::nullopt,
                     fmt::format("{}, {}: edge {} - {} {}", data.name, bound::name(relation), u, v,
                                 there ? "removed" : "added")});
    }
  }
  return out;
}

std::vector<std::string> shared_noise(const std::vector<Noise>& noise) {
  std::vector<std::string> out;
  for (size_t i = 0; i < noise.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      // Rounded to float, equal noise on two values is equal up to that.
      if (noise[i].values.size() != noise[j].values.size() || noise[i].values.size() < 4) continue;
      const bool same = std::equal(noise[i].values.begin(), noise[i].values.end(), noise[j].values.begin(),
                                   [](double a, double b) { return std::abs(a - b) < 1e-5 * (1 + std::abs(a)); });
      if (same) out.push_back(fmt::format("releases '{}' and '{}' share their noise", noise[j].label, noise[i].label));
    }
  }
  return out;
}

std::vector<std::string> findings(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                                  const HarnessOptions& options) {
  std::vector<std::string> out;
  const method::Setting setting = setting_of(neighbors, relation, options);
  const graph::Dataset present = method.prepare(neighbors.present), other = method.prepare(neighbors.other);
  const method::Task task = task_of(present, neighbors.split, relation, options);
  const method::Task other_task = task_of(other, neighbors.split, relation, options);

  Recording recording, inferred;
  Watcher first, second, first_inference, second_inference;
  Release release = Release::open(relation, method.plan(options.noise, setting), any_budget(),
                                  Seed::from_number(options.seed).derived("noise"));
  mechanism::ObserverAccess::watch(release, first);
  release.record(recording);
  const method::Output output = method.run(task, release);
  Release replay = Release::replay(relation, method.plan(options.noise, setting), recording);
  mechanism::ObserverAccess::watch(replay, second);
  const method::Output replayed = method.run(other_task, replay);

  compare_values(first, second, relation, neighbors, out);
  if (!same_bits(output.model.value(), replayed.model.value())) {
    out.push_back(fmt::format("{}: the public model differs though all releases are the same", neighbors.what));
  }
  compare_predictions(method, relation, neighbors, output.predictions, replayed.predictions, "of training", out);
  check_spent(release, neighbors, "the run", out);
  check_spent(replay, neighbors, "the replayed run", out);

  const nn::State& model = output.model.value();
  Release inference = Release::open(relation, method.inference_plan(options.noise, setting), any_budget(),
                                    Seed::from_number(options.seed).derived("inference noise"));
  mechanism::ObserverAccess::watch(inference, first_inference);
  inference.record(inferred);
  const method::Predictions predictions = method.infer(model, task, inference);
  Release inference_replay = Release::replay(relation, method.inference_plan(options.noise, setting), inferred);
  mechanism::ObserverAccess::watch(inference_replay, second_inference);
  const method::Predictions replayed_predictions = method.infer(model, other_task, inference_replay);
  compare_values(first_inference, second_inference, relation, neighbors, out);
  compare_predictions(method, relation, neighbors, predictions, replayed_predictions, "of inference", out);
  check_spent(inference, neighbors, "the inference", out);

  std::vector<Noise> noise = noise_of(first, recording);
  for (Noise& more : noise_of(first_inference, inferred)) noise.push_back(std::move(more));
  for (const std::string& shared : shared_noise(noise)) out.push_back(neighbors.what + ": " + shared);
  return out;
}

std::vector<Answer> answers(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                            const HarnessOptions& options) {
  const mechanism::Plan plan = method.plan(options.noise, setting_of(neighbors, relation, options));
  const graph::Dataset present = method.prepare(neighbors.present), other = method.prepare(neighbors.other);
  Recording recording;
  Watcher first, second;
  Release release = Release::open(relation, plan, any_budget(), Seed::from_number(options.seed).derived("noise"));
  mechanism::ObserverAccess::watch(release, first);
  release.record(recording);
  method.run(task_of(present, neighbors.split, relation, options), release);
  Release replay = Release::replay(relation, plan, recording);
  mechanism::ObserverAccess::watch(replay, second);
  method.run(task_of(other, neighbors.split, relation, options), replay);

  std::vector<Answer> out;
  for (size_t i = 0; i < recording.size(); ++i) {
    std::vector<double> numbers = numbers_of(recording[i].output);
    if (numbers.empty()) continue;
    const bool whole = std::holds_alternative<IntegerMatrix<int64_t>>(recording[i].output);
    out.push_back({recording[i].label, std::move(numbers), first.seen[i].values, second.seen[i].values,
                   whole ? 1 : release.grid(recording[i].label),
                   std::holds_alternative<std::vector<double>>(recording[i].output)});
  }
  return out;
}

std::vector<Noise> inference_noise(const method::Method& method, bound::Relation relation, const SmallGraph& graph,
                                   const nn::State& model, const Seed& seed, const HarnessOptions& options) {
  const Neighbors alone{graph.data, graph.data, graph.split, std::nullopt, ""};
  const graph::Dataset data = method.prepare(graph.data);
  Release release = Release::open(relation, method.inference_plan(options.noise, setting_of(alone, relation, options)),
                                  any_budget(), seed);
  Watcher watcher;
  Recording recording;
  mechanism::ObserverAccess::watch(release, watcher);
  release.record(recording);
  method.infer(model, task_of(data, graph.split, relation, options), release);
  return noise_of(watcher, recording);
}

}  // namespace graphveil::contract
