#include "graphveil/learn/fit_private.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "graphveil/base/curves.h"
#include "graphveil/base/progress.h"
#include "graphveil/base/ranks.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/graph/partition.h"
#include "graphveil/learn/clipped_losses.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/optimizer.h"
#include "graphveil/nn/stage.h"

namespace graphveil::learn {
namespace {

double rate_of(const account::Sampling& sampling) {
  struct Visitor {
    double operator()(const account::NoSampling&) const { return 1; }
    double operator()(const account::Poisson& s) const { return s.rate; }
    double operator()(const account::PoissonGroup& s) const { return s.rate; }
  };
  return std::visit(Visitor{}, sampling);
}

// A loss that is made larger is only clipped more; one that is made smaller adds less. So the largest weight is 1.
std::vector<Real> over_largest(std::span<const Real> weights) {
  std::vector<Real> out(weights.begin(), weights.end());
  if (out.empty()) return out;
  const Real largest = *std::max_element(out.begin(), out.end());
  for (Real& weight : out) weight /= largest;
  return out;
}

std::unique_ptr<nn::Optimizer> make_optimizer(const PrivateFitOptions& options) {
  if (options.optimizer == OptimizerKind::Sgd) {
    return std::make_unique<nn::Sgd>(nn::SgdOptions{.momentum = options.momentum});
  }
  return std::make_unique<nn::Adam>();
}

// From public numbers alone.
double rate_of_steps(const PrivateFitOptions& options, const mechanism::PlanLine& line, double expected_batch) {
  if (options.optimizer != OptimizerKind::Sgd || !options.rate_over_noise) return options.learning_rate;
  // How far one step can go: with momentum 0.9 longer ones on rows of norm 1 do not settle.
  constexpr double kLongest = 40;
  const double noise = mechanism::noise_scale(line) / expected_batch;
  return std::min(kLongest / options.max_grad_norm,
                  options.learning_rate / (std::sqrt(static_cast<double>(line.event.count())) * noise));
}

// The mean of what it is shown: post-processing of the released iterates.
class TailAverage {
 public:
  void add(const Matrix& values) {
    if (sum_.size() == 0) sum_.assign(static_cast<size_t>(values.size()), 0.0);
    for (int64_t i = 0; i < values.size(); ++i) sum_[i] += values.data()[i];
    ++count_;
  }
  // For a checkpoint, under names that start with "tail.".
  void save(nn::State& state) const {
    state["tail.count"] = nn::to_tensor(count_);
    state["tail.sum"] =
        nn::to_tensor(std::span(reinterpret_cast<const uint8_t*>(sum_.data()), sum_.size() * sizeof(double)));
  }
  void load(const nn::State& state) {
    count_ = nn::read_number(state, "tail.count");
    const std::vector<uint8_t> bytes = nn::read_bytes(state, "tail.sum");
    sum_.resize(bytes.size() / sizeof(double));
    if (!sum_.empty()) std::memcpy(sum_.data(), bytes.data(), sum_.size() * sizeof(double));
  }
  void write(Matrix& values) const {
    if (count_ == 0) return;
    for (int64_t i = 0; i < values.size(); ++i)
      values.data()[i] = static_cast<Real>(sum_[i] / static_cast<double>(count_));
  }

 private:
  std::vector<double> sum_;
  int64_t count_ = 0;
};

// How far the release has come, in a checkpoint under names that start with "release.".
void save_point(const mechanism::ReleasePoint& point, nn::State& state) {
  state["release.draws"] = nn::to_tensor(static_cast<int64_t>(point.draws));
  for (size_t i = 0; i < point.uses.size(); ++i) {
    state["release.uses." + std::to_string(i)] = nn::to_tensor(point.uses[i]);
  }
}

mechanism::ReleasePoint load_point(const nn::State& state, mechanism::ReleasePoint point) {
  point.draws = static_cast<uint64_t>(nn::read_number(state, "release.draws"));
  for (size_t i = 0; i < point.uses.size(); ++i) {
    point.uses[i] = nn::read_number(state, "release.uses." + std::to_string(i));
  }
  return point;
}

}  // namespace

void PrivateFitOptions::declare(Options& options) {
  options.integer("epochs", epochs, 1, 1000000, "Passes over the training nodes (with full batches: steps)");
  options.when_set([this] { steps.reset(); });
  options.integer_or("steps", steps, "auto", 1, 100000000,
                     "Noisy steps, instead of --epochs; auto: what --epochs asks");
  options.integer_or("batch-size", batch_size, "full", 1, INT64_MAX, "Expected size of a Poisson batch");
  options.real("learning-rate", learning_rate, 0, 1e6, "Learning rate");
  options.alias("lr");
  options.real("max-grad-norm", max_grad_norm, 1e-12, 1e12, "Per-sample gradients are clipped to this norm");
  options.choice("optimizer", optimizer, {{"adam", OptimizerKind::Adam}, {"sgd", OptimizerKind::Sgd}},
                 "DP-Adam or DP-SGD");
  options.real("momentum", momentum, 0, 0.9999, "Momentum of DP-SGD");
  options.boolean(
      "rate-over-noise", rate_over_noise,
      "Divide the learning rate of sgd by sqrt(steps) times the noise that one entry of the mean gradient "
      "gets in a step (the result times --max-grad-norm is at most 40): the less noise, the longer the steps");
  options.boolean("average-tail", average_tail, "Keep the mean of the last half of the iterates (free)");
}

PrivateFitOptions PrivateFitOptions::big_batches(int64_t steps, double learning_rate) {
  PrivateFitOptions options;
  options.steps = steps;
  options.batch_size = 65536;
  options.learning_rate = learning_rate;
  return options;
}

PrivateFitOptions PrivateFitOptions::linear_softmax() {
  PrivateFitOptions options = big_batches(100, 0.1);
  options.max_grad_norm = 0.3;
  options.optimizer = OptimizerKind::Sgd;
  options.momentum = 0.9;
  options.rate_over_noise = true;
  return options;
}

StepPlan step_plan(const PrivateFitOptions& options, int64_t train_nodes) {
  require(train_nodes >= 1, "there are {} training nodes, want at least 1", train_nodes);
  if (!options.batch_size || *options.batch_size >= train_nodes) return {options.steps.value_or(options.epochs), 1};
  const int64_t steps =
      options.steps.value_or(std::max<int64_t>(1, options.epochs * train_nodes / *options.batch_size));
  return {steps, static_cast<double>(*options.batch_size) / static_cast<double>(train_nodes)};
}

mechanism::PlanLine fit_line(const std::string& label, const PrivateFitOptions& options, double noise_multiplier,
                             int64_t train_nodes, const bound::SampleDraw& reach, bound::source::Reach samples) {
  const StepPlan plan = step_plan(options, train_nodes);
  const bound::SampleDraw draw{plan.rate, reach.deletions, reach.insertions};
  return {account::Event(label, account::Gaussian{noise_multiplier}, bound::sampling_of(draw), plan.steps),
          bound::clipped_sum_bound({.max_norms = {options.max_grad_norm}}, draw, samples)};
}

double noise_for_share(const PrivateFitOptions& options, int64_t train_nodes, double noise, double share) {
  const StepPlan plan = step_plan(options, train_nodes);
  const double per_step = share / (noise * noise * static_cast<double>(plan.steps));
  if (plan.rate >= 1) return 1 / std::sqrt(per_step);
  // Each step of Poisson sampling counts as rate^2 (e^(1/s^2) - 1).
  return 1 / std::sqrt(std::log1p(per_step / (plan.rate * plan.rate)));
}

mechanism::Public<nn::State> PrivateTrainer::run(Network& network, std::span<const int32_t> labels,
                                                 nn::Batches& batches, const bound::Clipping& clipping,
                                                 const PrivateFitOptions& options, const std::string& label,
                                                 const Seed& seed, mechanism::Release& release,
                                                 const std::string& prefix, std::span<const Real> class_weights,
                                                 const AddBatch& add_batch, int32_t first_node) {
  require(!network.needs_all_nodes(), "'{}': a network that reads other nodes' rows has no per-sample bound", label);
  const int64_t steps = release.line(label).event.count();
  const double learning_rate = rate_of_steps(options, release.line(label), batches.expected_size());
  const std::unique_ptr<nn::Optimizer> optimizer = make_optimizer(options);
  nn::Parameters& parameters = network.parameters();
  nn::ClippedGradient clipped(parameters, clipping);
  nn::Tape tape(seed);
  Lanes lanes(network, clipping, seed, tape, clipped);
  TailAverage average;
  const std::vector<Real> weights = over_largest(class_weights);
  int64_t first = 0;
  const nn::Stage stage(label);
  if (const std::optional<nn::State> kept = stage.kept()) {
    first = nn::load_run(*kept, parameters, *optimizer, tape);
    average.load(*kept);
    release.resume(load_point(*kept, release.point()));
  }
  Progress progress(label, steps);
  progress.advance(first);

  for (int64_t step = first; step < steps; ++step) {
    clipped.start();
    const std::span<const int32_t> batch = batches.batch(step);
    if (add_batch) {
      add_batch(batch, step, tape, clipped);
    } else {
      MeanLoss losses = lanes.add({network, labels, weights, step, first_node}, batch, batches.block_ends());
      if (batches.shared_out()) add_over(*current_ranks(), std::span<int64_t>(losses.sum_and_samples));
      tell_curve(label, "loss", step, losses.mean());
    }
    std::vector<double> gradient = release.gaussian(label, clipped.finish(batches, release.relation())).value();
    clipped.undo_relative(gradient);
    optimizer->step(parameters, gradient, learning_rate, 1 / batches.expected_size());
    if (options.average_tail && 2 * step >= steps) average.add(parameters.values());
    clipped.reuse(std::move(gradient));
    progress.advance();
    if (stage.due()) {
      nn::State state;
      nn::save_run(parameters, *optimizer, tape, step + 1, state);
      average.save(state);
      save_point(release.point(), state);
      stage.keep(state);
    }
  }
  average.write(parameters.values());
  nn::State state;
  network.save(state, prefix);
  return {std::move(state), mechanism::Public<nn::State>::Derived{}};
}

namespace {

// Where this rank's training nodes stand among those of all ranks, who have rising stretches of them.
nn::Places places_of(const graph::Partition& part, std::span<const int32_t> ids) {
  require(std::ranges::is_sorted(ids) && (ids.empty() || ids.back() < part.own()),
          "a rank's training nodes must rise and be its own");
  Ranks& ranks = *current_ranks();
  nn::Places places;
  const std::vector<int64_t> counts = all_gather(ranks, static_cast<int64_t>(ids.size()));
  for (size_t r = 0; r < counts.size(); ++r) {
    if (static_cast<int>(r) < ranks.rank()) places.first += counts[r];
    places.all += counts[r];
  }
  return places;
}

}  // namespace

mechanism::Public<nn::State> fit_private(Network& network, const PrivateFitData& data, const PrivateFitOptions& options,
                                         const std::string& label, const Seed& run_seed, mechanism::Release& release,
                                         const std::string& prefix) {
  const double rate = rate_of(release.line(label).event.sampling());
  require(data.graph == nullptr || data.graph->relation() == release.relation(),
          "'{}': the graph is bounded for relation {}, this release is for {}", label,
          data.graph != nullptr ? bound::name(data.graph->relation()) : "", bound::name(release.relation()));
  const bound::SampleDraw draw = data.graph != nullptr           ? data.graph->draw(rate, data.hops)
                                 : data.neighborhoods != nullptr ? data.neighborhoods->draw(rate)
                                                                 : bound::SampleDraw{rate};
  // Composition wants each stage's batches to be independent of the other stages'.
  const Seed seed = run_seed.derived(label);
  std::vector<int32_t> ids(data.train.begin(), data.train.end());
  std::optional<nn::Places> places;
  if (data.part != nullptr) places = places_of(*data.part, ids);
  std::unique_ptr<nn::Batches> batches;
  if (rate >= 1) {
    batches = std::make_unique<nn::FullBatch>(std::move(ids), draw, places);
  } else {
    batches = std::make_unique<nn::PoissonBatches>(std::move(ids), draw, seed, places);
  }
  return PrivateTrainer::run(network, data.labels, *batches, {.max_norms = {options.max_grad_norm}}, options, label,
                             seed, release, prefix, data.class_weights, {},
                             data.part != nullptr ? static_cast<int32_t>(data.part->begin) : 0);
}

}  // namespace graphveil::learn
