#include "tests/contract/harness.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "graphveil/mechanism/release.h"
#include "tests/method/vouched.h"

namespace graphveil::contract {
namespace {

using mechanism::Plan;
using mechanism::PlanLine;
using mechanism::Recording;
using mechanism::Release;
using mechanism::Seen;
using mechanism::Watcher;

constexpr double kSlack = 1e-9;   // of sums in double, compared outside of the program
constexpr double kChance = 1e-9;  // of a sampler that is accused without fault

mechanism::Budget any_budget() { return {std::numeric_limits<double>::infinity(), 1e-5}; }

// How many labels, or probabilities of labels in rows, changed; of sets: how many members.
double changed_labels(const Seen& a, const Seen& b) {
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

// How far two values of one release lie apart in the norm of its sensitivity, row `left_out` apart; -1: all count.
double distance(const Seen& a, const Seen& b, int64_t left_out) {
  if (a.sensitivity.norm == bound::Norm::Hamming) return changed_labels(a, b);
  if (a.values.size() != b.values.size()) return std::numeric_limits<double>::infinity();
  const size_t cols = a.rows > 0 ? a.values.size() / static_cast<size_t>(a.rows) : 0;
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
    case bound::Norm::LInf:
    case bound::Norm::Hamming: break;
  }
  return largest;
}

// How a line samples: with what chance, how many samples one record touches, and how many clip norms that may cost.
struct Group {
  double rate = 1;
  double deletions = 1, insertions = 0;
  double touched() const { return deletions + insertions; }
};
Group group_of(const account::Sampling& sampling) {
  struct Visitor {
    Group operator()(const account::NoSampling&) const { return {}; }
    Group operator()(const account::Poisson& s) const { return {s.rate}; }
    Group operator()(const account::PoissonGroup& s) const {
      return {s.rate, static_cast<double>(s.deletions), static_cast<double>(s.insertions)};
    }
  };
  return std::visit(Visitor{}, sampling);
}

// How much more than its bound a line may move for a node of d outgoing edges, where it is stated for k.
double beyond(bound::Reads reads, double degree, double k) {
  if (degree <= k) return 1;
  if (reads == bound::Reads::NeighborSum) return std::sqrt(degree / k);
  if (reads == bound::Reads::OneHop) return (1 + 2 * degree) / (1 + 2 * k);
  return 1;
}

bool same_bits(const nn::State& a, const nn::State& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
           return x.first == y.first && x.second.shape == y.second.shape && x.second.bytes == y.second.bytes;
         });
}

bool same_values(const std::vector<Seen>& a, const std::vector<Seen>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Seen& x, const Seen& y) { return x.label == y.label && x.values == y.values; });
}

bool same_row(const Matrix& a, const Matrix& b, int64_t v) {
  return std::memcmp(a.row(v).data(), b.row(v).data(), a.row(v).size_bytes()) == 0;
}

bool same_predictions(const method::Predictions& a, const method::Predictions& b) {
  if (method::audience(a) != method::audience(b)) return false;
  if (method::audience(a) == mechanism::Audience::Holder) return true;
  const Matrix &x = method::values(a), &y = method::values(b);
  bool same = x.rows() == y.rows();
  for (int64_t v = 0; same && v < x.rows(); ++v) same = same_row(x, y, v);
  return same;
}

void check_spent(const Release& release, const char* when, std::vector<std::string>& out) {
  if (!release.complete()) out.push_back(fmt::format("{} spent less than its plan", when));
  if (!(release.spent() == release.plan())) out.push_back(fmt::format("{} spent something else than its plan", when));
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
std::vector<Noise> noise_of(const std::vector<Seen>& seen, const Recording& recording) {
  std::vector<Noise> out;
  for (size_t i = 0; i < seen.size() && i < recording.size(); ++i) {
    const std::vector<double> output = numbers_of(recording[i].output);
    if (output.empty() || output.size() != seen[i].values.size()) continue;
    Noise noise{recording[i].label, {}};
    for (size_t k = 0; k < output.size(); ++k) noise.values.push_back(output[k] - seen[i].values[k]);
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

method::Setting setting_of(const graph::Dataset& data, const graph::Split& split, bound::Relation relation,
                           const HarnessOptions& options) {
  return {relation,
          options.protect_degree,
          {data.nodes(), static_cast<int64_t>(split.train.size()), data.features.cols(), data.classes,
           static_cast<int64_t>(public_split().train.size())}};
}

}  // namespace

double binomial_upper_tail(int64_t happened, int64_t n, double probability) {
  if (happened <= 0 || probability >= 1) return 1;
  if (probability <= 0) return 0;
  double tail = 0;
  for (int64_t i = happened; i <= n; ++i) {
    const auto k = static_cast<double>(i), all = static_cast<double>(n);
    tail += std::exp(std::lgamma(all + 1) - std::lgamma(k + 1) - std::lgamma(all - k + 1) + k * std::log(probability) +
                     (all - k) * std::log1p(-probability));
  }
  return tail;
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

Recorded::Recorded(const method::Method& method, bound::Relation relation, const graph::Dataset& data,
                   const graph::Split& split, const HarnessOptions& options)
    : method_(method), relation_(relation), split_(split), options_(options) {
  const method::Setting setting = setting_of(data, split, relation, options);
  plan_ = method.plan(options.noise, setting);
  inference_plan_ = method.inference_plan(options.noise, setting);
  const graph::Dataset prepared = method.prepare(data);
  const method::Task task = task_of(prepared, split_, relation, options);
  const Seed seed = Seed::from_number(options.seed);

  Release release = Release::open(relation, plan_, any_budget(), seed.derived("noise"));
  mechanism::ObserverAccess::watch(release, training_.watcher);
  release.record(training_.recording);
  output_ = method.run(task, release);
  check_spent(release, "the run", own_findings_);
  for (const PlanLine& line : plan_.lines()) {
    if (mechanism::noise_scale(line) > 0) grids_[line.event.label()] = release.grid(line.event.label());
  }
  if (!options.inference) return;

  Release inference = Release::open(relation, inference_plan_, any_budget(), seed.derived("inference noise"));
  mechanism::ObserverAccess::watch(inference, inference_.watcher);
  inference.record(inference_.recording);
  predictions_ = method.infer(output_->model.value(), task, inference);
  check_spent(inference, "the inference", own_findings_);

  std::vector<Noise> noise = noise_of(training_.watcher.seen, training_.recording);
  for (Noise& more : noise_of(inference_.watcher.seen, inference_.recording)) noise.push_back(std::move(more));
  for (std::string& shared : shared_noise(noise)) own_findings_.push_back(std::move(shared));
}

Recorded::Replay Recorded::replay(const graph::Dataset& other) const {
  if (!predictions_) throw std::logic_error("a run without inference cannot be compared");
  const graph::Dataset prepared = method_.prepare(other);
  const method::Task task = task_of(prepared, split_, relation_, options_);
  std::vector<std::string> found;
  Watcher training, inferred;
  Release release = Release::replay(relation_, plan_, training_.recording);
  mechanism::ObserverAccess::watch(release, training);
  method::Output output = method_.run(task, release);
  check_spent(release, "the replayed run", found);
  Release inference = Release::replay(relation_, inference_plan_, inference_.recording);
  mechanism::ObserverAccess::watch(inference, inferred);
  method::Predictions predictions = method_.infer(output_->model.value(), task, inference);
  check_spent(inference, "the replayed inference", found);
  return {std::move(training.seen), std::move(inferred.seen), std::move(output), std::move(predictions),
          std::move(found)};
}

void Recorded::compare_values(const std::vector<Seen>& a, const std::vector<Seen>& b, const Plan& plan,
                              const Neighbors& neighbors, std::vector<std::string>& out, Shares* shares) const {
  if (a.size() != b.size()) {
    out.push_back(fmt::format("{} releases on one graph, {} on the other", a.size(), b.size()));
    return;
  }
  const int64_t nodes = neighbors.present.nodes();
  std::map<std::string, std::pair<int64_t, int64_t>> uses;  // all, and those that moved
  for (size_t i = 0; i < a.size(); ++i) {
    const PlanLine& line = plan.line(a[i].label);
    const bool by_node = relation_ == bound::Relation::Node && neighbors.node;
    // The sum that is about the node itself is for it and the holder alone.
    const bool own_row = by_node && bound::reads(line.source()) == bound::Reads::NeighborSum && a[i].rows == nodes;
    const double limit = a[i].sensitivity.amount * group_of(a[i].sensitivity.sampling).touched();
    const double more = by_node ? beyond(bound::reads(line.source()), static_cast<double>(neighbors.degree),
                                         static_cast<double>(options_.protect_degree))
                                : 1;
    const double gap = distance(a[i], b[i], own_row ? *neighbors.node : -1);
    if (!(gap <= limit * more * (1 + kSlack))) {
      out.push_back(fmt::format("release {} '{}' moves by {} in {}, its stated sensitivity is {}{}", i, a[i].label, gap,
                                bound::name(a[i].sensitivity.norm), limit,
                                more > 1 ? fmt::format(", times {} for its degree", more) : std::string()));
    }
    if (shares != nullptr && more == 1) {
      double& share = (*shares)[a[i].label];
      share = std::max(share, gap / limit);
    }
    ++uses[a[i].label].first;
    uses[a[i].label].second += gap > 0;
  }
  for (const auto& [label, count] : uses) {
    const Group group = group_of(mechanism::mechanism_of(plan.line(label).event).sampling);
    const double more = static_cast<double>(std::max<int64_t>(1, neighbors.degree));
    const double samples = group.insertions > 0 ? std::max(group.deletions, 1 + more) : group.deletions;
    const double chance = 1 - std::pow(1 - group.rate, samples);
    if (binomial_upper_tail(count.second, count.first, chance) < kChance) {
      out.push_back(fmt::format("'{}' is moved in {} of {} uses; at rate {} a record is in one with chance {}", label,
                                count.second, count.first, group.rate, chance));
    }
  }
}

void Recorded::compare_predictions(const Neighbors& neighbors, const method::Predictions& a,
                                   const method::Predictions& b, const char* when,
                                   std::vector<std::string>& out) const {
  const mechanism::Audience audience = method::audience(a);
  if (audience != method::audience(b)) {
    out.push_back(fmt::format("predictions {} have two audiences", when));
    return;
  }
  if (audience == mechanism::Audience::Holder) return;
  // What is covered under another relation is promised for its neighbors alone.
  if (method_.predictions(relation_).relation != neighbors.relation) return;
  const Matrix &x = method::values(a), &y = method::values(b);
  for (int64_t v = 0; v < x.rows(); ++v) {
    if (audience == mechanism::Audience::Owner && neighbors.node && v == *neighbors.node) continue;
    if (same_row(x, y, v)) continue;
    out.push_back(fmt::format("the {} prediction {} about node {} differs", mechanism::name(audience), when, v));
    return;
  }
}

std::vector<std::string> Recorded::against(const Neighbors& neighbors, const graph::Dataset& other,
                                           Shares* shares) const {
  Replay replayed = replay(other);
  std::vector<std::string> out = own_findings_;
  compare_values(training_.watcher.seen, replayed.training, plan_, neighbors, out, shares);
  if (!same_bits(output_->model.value(), replayed.output.model.value())) {
    out.push_back("the public model differs though all releases are the same");
  }
  compare_predictions(neighbors, output_->predictions, replayed.output.predictions, "of training", out);
  compare_values(inference_.watcher.seen, replayed.inference, inference_plan_, neighbors, out, shares);
  compare_predictions(neighbors, *predictions_, replayed.predictions, "of inference", out);
  for (std::string& found : replayed.findings) out.push_back(std::move(found));
  for (std::string& found : out) found = neighbors.what + ": " + found;
  return out;
}

std::vector<Seen> Recorded::replayed_values(const graph::Dataset& other) const {
  const graph::Dataset prepared = method_.prepare(other);
  Watcher watcher;
  Release release = Release::replay(relation_, plan_, training_.recording);
  mechanism::ObserverAccess::watch(release, watcher);
  method_.run(task_of(prepared, split_, relation_, options_), release);
  return std::move(watcher.seen);
}

bool Recorded::same_on(const graph::Dataset& other) const {
  const Replay replayed = replay(other);
  return same_values(training_.watcher.seen, replayed.training) &&
         same_values(inference_.watcher.seen, replayed.inference) &&
         same_bits(output_->model.value(), replayed.output.model.value()) &&
         same_predictions(output_->predictions, replayed.output.predictions) &&
         same_predictions(*predictions_, replayed.predictions);
}

std::vector<std::string> findings(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                                  const HarnessOptions& options, Shares* shares) {
  return Recorded(method, relation, neighbors.present, neighbors.split, options)
      .against(neighbors, neighbors.other, shares);
}

std::vector<Answer> answers(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                            const HarnessOptions& options) {
  HarnessOptions training = options;
  training.inference = false;
  const Recorded run(method, relation, neighbors.present, neighbors.split, training);
  const std::vector<Seen> other = run.replayed_values(neighbors.other);
  std::vector<Answer> out;
  for (size_t i = 0; i < run.outputs().size(); ++i) {
    const auto& [label, output] = run.outputs()[i];
    std::vector<double> numbers = numbers_of(output);
    if (numbers.empty()) continue;
    const bool whole = std::holds_alternative<IntegerMatrix<int64_t>>(output);
    out.push_back({label, std::move(numbers), run.values()[i].values, other[i].values, whole ? 1 : run.grid(label),
                   std::holds_alternative<std::vector<double>>(output)});
  }
  return out;
}

std::vector<Noise> inference_noise(const method::Method& method, bound::Relation relation, const SmallGraph& graph,
                                   const nn::State& model, const Seed& seed, const HarnessOptions& options) {
  const graph::Dataset data = method.prepare(graph.data);
  Release release = Release::open(
      relation, method.inference_plan(options.noise, setting_of(graph.data, graph.split, relation, options)),
      any_budget(), seed);
  Watcher watcher;
  Recording recording;
  mechanism::ObserverAccess::watch(release, watcher);
  release.record(recording);
  method.infer(model, task_of(data, graph.split, relation, options), release);
  return noise_of(watcher.seen, recording);
}

}  // namespace graphveil::contract
