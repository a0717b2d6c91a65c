#include "graphveil/method/dpgnn/published.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "graphveil/base/progress.h"
#include "graphveil/learn/clipped_losses.h"
#include "graphveil/nn/unsound_thresholds.h"

namespace graphveil::method {
namespace {

constexpr double kClipShare = 0.75;

// Noise per unit of what the ledger line calls its sensitivity.
double ledger_multiplier(double noise_multiplier, int64_t groups) {
  return noise_multiplier / std::sqrt(static_cast<double>(groups));
}

// Batches of a fixed size that give themselves out for Poisson batches of that rate, as the paper does.
class MislabeledBatches final : public nn::Batches {
 public:
  MislabeledBatches(std::unique_ptr<nn::Batches> batches, bound::SampleDraw draw)
      : batches_(std::move(batches)), draw_(draw) {}
  std::span<const int32_t> batch(int64_t step) override { return batches_->batch(step); }
  bound::SampleDraw draw() const override { return draw_; }
  double expected_size() const override { return batches_->expected_size(); }

 private:
  std::unique_ptr<nn::Batches> batches_;
  bound::SampleDraw draw_;
};

// The groups of parameters, each clipped to its own norm and divided by it.
bound::Clipping relative_clipping(std::vector<double> norms) {
  return {.max_norms = std::move(norms), .relative = true};
}

}  // namespace

graph::Graph dpgnn_published_graph(const graph::Graph& graph, std::span<const int32_t> train, int64_t max_degree,
                                   const Seed& seed) {
  require(max_degree >= 1, "maximum degree is {}, want at least 1", max_degree);
  std::vector<uint8_t> in_training(static_cast<size_t>(graph.nodes()), 0);
  for (const int32_t v : train) in_training[v] = 1;
  std::vector<int64_t> offsets{0};
  offsets.reserve(static_cast<size_t>(graph.nodes()) + 1);
  std::vector<int32_t> kept;
  RandomStream random(seed, "published edge lists");
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    const auto out = graph.out(u);
    const auto candidates = std::count_if(out.begin(), out.end(), [&](int32_t v) { return in_training[v] != 0; });
    const double chance = std::min(1.0, static_cast<double>(max_degree) / (2 * static_cast<double>(candidates)));
    const size_t first = kept.size();
    random.seek(static_cast<uint64_t>(u));
    for (const int32_t v : out) {
      if (in_training[v] != 0 && random.bernoulli(chance)) kept.push_back(v);
    }
    if (kept.size() - first > static_cast<size_t>(max_degree)) kept.resize(first);
    offsets.push_back(static_cast<int64_t>(kept.size()));
  }
  return graph::Graph::from_out_lists({std::move(offsets), std::move(kept)});
}

std::vector<double> gradient_norm_quantiles(Network& network, std::span<const int32_t> train,
                                            std::span<const int32_t> labels, double share, const Seed& seed) {
  require(!train.empty(), "there are no training nodes");
  const int64_t groups = network.parameters().groups();
  std::vector<std::vector<double>> norms(static_cast<size_t>(groups));
  nn::ClippedGradient clipped(network.parameters(),
                              {.max_norms = std::vector<double>(static_cast<size_t>(groups), 1.0)});
  nn::Tape tape(seed);
  Progress progress("reading clip norms", static_cast<int64_t>(train.size()));
  clipped.start();
  add_clipped_losses(network, train, {}, labels, tape, clipped, [&](int64_t samples) {
    for (int64_t l = 0; l < groups; ++l) {
      const std::vector<double> piece = nn::UnsoundThresholds::norms(clipped, l);
      norms[static_cast<size_t>(l)].insert(norms[static_cast<size_t>(l)].end(), piece.begin(), piece.end());
    }
    progress.advance(samples);
  });
  std::vector<double> quantiles;
  for (std::vector<double>& list : norms) {
    const auto place = std::min(list.size() - 1, static_cast<size_t>(share * static_cast<double>(list.size())));
    std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(place), list.end());
    require(std::isfinite(list[place]) && list[place] > 0,
            "the {:.0f}th percentile of a layer's gradient norms is {}, so it cannot be a clip norm", 100 * share,
            list[place]);
    quantiles.push_back(list[place]);
  }
  return quantiles;
}

mechanism::Public<nn::State> fit_as_published(Network& network, const PrivateFitData& data,
                                              const PrivateFitOptions& options, const std::string& label,
                                              const Seed& run_seed, mechanism::Release& release) {
  // A budget is a promise, and this keeps none.
  require(std::isinf(release.cap().epsilon), "'{}': a run as published was given a budget of epsilon {}", label,
          release.cap().epsilon);
  const StepPlan plan = step_plan(options, static_cast<int64_t>(data.train.size()));
  const Seed seed = run_seed.derived(label);
  const auto size = plan.rate < 1 ? *options.batch_size : static_cast<int64_t>(data.train.size());
  MislabeledBatches batches(
      std::make_unique<nn::FixedSizeBatches>(std::vector<int32_t>(data.train.begin(), data.train.end()), size, seed),
      data.graph->draw(plan.rate, data.hops));
  const bound::Clipping clipping =
      relative_clipping(gradient_norm_quantiles(network, data.train, data.labels, kClipShare, seed));
  return PrivateTrainer::run(network, data.labels, batches, clipping, options, label, seed, release, "");
}

mechanism::PlanLine dpgnn_published_line(const std::string& label, const PrivateFitOptions& options,
                                         double noise_multiplier, int64_t train_nodes, const bound::SampleDraw& reach,
                                         int64_t groups) {
  constexpr auto kReach = bound::source::Reach::ManyHops;
  mechanism::PlanLine line =
      fit_line(label, options, ledger_multiplier(noise_multiplier, groups), train_nodes, reach, kReach);
  const bound::SampleDraw draw{step_plan(options, train_nodes).rate, reach.deletions, reach.insertions};
  line.bound =
      bound::clipped_sum_bound(relative_clipping(std::vector<double>(static_cast<size_t>(groups), 1.0)), draw, kReach);
  return line;
}

std::vector<std::string> dpgnn_published_reasons(int64_t groups) {
  std::vector<std::string> reasons{
      "the clip norms are percentiles of private gradients' norms, which no ledger line pays for",
      "the chance with which a node's edge is kept depends on how many training nodes its other edges lead to, so one "
      "training node less, with its place in the split, changes what others keep",
      "batches have a fixed size and are drawn without replacement; the ledger prices Poisson batches of that rate"};
  if (groups > 1) {
    reasons.push_back("each of " + std::to_string(groups) +
                      " layers is clipped and noised by itself but counted as one release; the ledger counts all");
  }
  reasons.push_back(
      "so no epsilon is proved for this run: epsilon is what its noise would cost with clip norms fixed in advance, "
      "own "
      "lists cut by own streams, and Poisson batches");
  return reasons;
}

}  // namespace graphveil::method
