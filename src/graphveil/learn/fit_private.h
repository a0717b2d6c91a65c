// DP-SGD and DP-Adam: how a network is trained on records that are private, and its parameters are public all the same.
// Other trainings on private records (teachers, what reads records under the edge relations) keep their parameters to
// themselves or want a PublicData token.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "graphveil/base/options.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/neighborhoods.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/learn/network.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/clipped_gradient.h"

namespace graphveil::graph {
struct Partition;
}

namespace graphveil::learn {

enum class OptimizerKind { Adam, Sgd };

// Declared by every method that trains with privacy.
struct PrivateFitOptions {
  int64_t epochs = 10;
  std::optional<int64_t> steps = std::nullopt;  // none: as many as make `epochs` passes
  std::optional<int64_t> batch_size = 256;      // expected size of a Poisson batch; none: full batches
  double learning_rate = 0.01;
  double max_grad_norm = 1;
  OptimizerKind optimizer = OptimizerKind::Adam;
  double momentum = 0;  // of SGD
  // For SGD alone: learning_rate is then how far noise alone moves a weight in the whole training, before momentum.
  bool rate_over_noise = false;
  bool average_tail = false;  // keep the mean of the last half of the iterates

  // What trained best under a tight budget: full batches where they fit, a set number of steps.
  static PrivateFitOptions big_batches(int64_t steps, double learning_rate);
  // What trained a linear softmax best: a hundred of them, each as long as its noise allows.
  static PrivateFitOptions linear_softmax();

  void declare(Options& options);
};

// How often and at what rate, from public numbers.
struct StepPlan {
  int64_t steps = 0;
  double rate = 1;
};
StepPlan step_plan(const PrivateFitOptions& options, int64_t train_nodes);

// The plan's line of a whole training: what the run reads steps, rate and noise from. `reach` says how many samples one
// node touches, and `samples` which those are: its own alone, or those of a bounded graph; its rate is not read.
mechanism::PlanLine fit_line(const std::string& label, const PrivateFitOptions& options, double noise_multiplier,
                             int64_t train_nodes, const bound::SampleDraw& reach = {},
                             bound::source::Reach samples = bound::source::Reach::OwnSample);

// The noise multiplier at which this training takes `share` of a budget of 1/noise^2, where budgets add up as those of
// Gaussian mechanisms do: exact for full batches, and the limit of many steps for Poisson batches.
double noise_for_share(const PrivateFitOptions& options, int64_t train_nodes, double noise, double share);

// What a private training reads.
struct PrivateFitData {
  std::span<const int32_t> train;   // node ids, public
  std::span<const int32_t> labels;  // of all nodes; a node without one adds nothing
  // The graph in which a node's sample reaches `hops` edges far; none: a sample reads its own node alone.
  const bound::BoundedGraph* graph = nullptr;
  int64_t hops = 0;
  // Or the released neighborhoods that samples read.
  const bound::Neighborhoods* neighborhoods = nullptr;
  // Public weights of the losses by class, of which the largest counts as 1; empty: all alike.
  std::span<const Real> class_weights = {};
  // Of a rank, whose nodes these are; the others train on theirs with it. None: these are all.
  const graph::Partition* part = nullptr;
};

// Trains on the training nodes; spends the release's line `label`, which fit_line made. Returns the network's state
// under names that start with `prefix`.
//
// Guarantee: relations node and record, where the scores of a node read the parameters, what was already released, and
// records such that one node is read by as many training nodes' scores as the line says, its own among them. Each step
// adds noise to a sum of per-sample gradients of norm at most C = max_grad_norm over a Poisson batch (Abadi et al.
// 2016); blanking a node empties its sample and changes the others it reaches. The steps divide by the expected batch
// size, which is public. With class weights a sample's loss is first multiplied by the weight of its own label over the
// largest weight: its gradient is clipped to C all the same, so the bound is what it is without.
mechanism::Public<nn::State> fit_private(Network& network, const PrivateFitData& data, const PrivateFitOptions& options,
                                         const std::string& label, const Seed& seed, mechanism::Release& release,
                                         const std::string& prefix = "");

// The steps themselves, for trainings that bring their own batches and clip norms.
class PrivateTrainer {
 public:
  // Adds the clipped gradients of one batch, for trainings without a guarantee.
  using AddBatch =
      std::function<void(std::span<const int32_t> batch, int64_t step, nn::Tape& tape, nn::ClippedGradient& clipped)>;
  // Guarantee: that of the release's line `label`, where the clip norms read no private record and `add_batch` is none;
  // how samples are drawn is what `batches` itself says. None: the losses of the network's scores. Node 0 has the
  // number first_node in the graph that ranks share out.
  static mechanism::Public<nn::State> run(Network& network, std::span<const int32_t> labels, nn::Batches& batches,
                                          const bound::Clipping& clipping, const PrivateFitOptions& options,
                                          const std::string& label, const Seed& seed, mechanism::Release& release,
                                          const std::string& prefix, std::span<const Real> class_weights = {},
                                          const AddBatch& add_batch = {}, int32_t first_node = 0);
};

}  // namespace graphveil::learn
