// DP-SGD and DP-Adam: the only way a network is trained on private records.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "graphveil/account/event.h"
#include "graphveil/base/random.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/network.h"
#include "graphveil/method/options.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/clipped_gradient.h"

namespace graphveil::method {

enum class OptimizerKind { Adam, Sgd };

// Declared by every method that trains with privacy.
struct PrivateFitOptions {
  int64_t epochs = 10;
  std::optional<int64_t> steps = std::nullopt;  // none: as many as make `epochs` passes
  std::optional<int64_t> batch_size = 256;      // expected size of a Poisson batch; none: full batches
  double learning_rate = 0.01;
  double max_grad_norm = 1;
  OptimizerKind optimizer = OptimizerKind::Adam;
  double momentum = 0;        // of SGD
  bool average_tail = false;  // keep the mean of the last half of the iterates

  // What trained best under a tight budget: full batches where they fit, a set number of steps.
  static PrivateFitOptions big_batches(int64_t steps, double learning_rate);

  void declare(Options& options);
};

// How often and at what rate: from public numbers, for plan and run alike.
struct StepPlan {
  int64_t steps = 0;
  double rate = 1;
};
StepPlan step_plan(const PrivateFitOptions& options, int64_t train_nodes);

// The ledger line of a whole training. `reach` says how many samples one record touches: by default its own. Its rate
// is not read: the options set it.
account::Event fit_event(const std::string& label, const PrivateFitOptions& options, double noise_multiplier,
                         int64_t train_nodes, bound::SampleDraw reach = {});

// The noise multiplier at which this training takes `share` of a budget of 1/noise^2, where budgets add up as those of
// Gaussian mechanisms do: exact for full batches, and the limit of many steps for Poisson batches.
double noise_for_share(const PrivateFitOptions& options, int64_t train_nodes, double noise, double share);

// Trains on the training nodes; spends fit_event(label, ...) from the release.
//
// Guarantee: relation `node`, where the scores of a node read the parameters, what was already released, and records
// such that one record is read by at most `reach.deletions` training nodes' scores, its own among them. Each step adds
// noise to a sum of per-sample gradients of norm at most C = max_grad_norm over a Poisson batch (Abadi et al. 2016);
// blanking a record removes its sample and changes the others it reaches.
void fit_private(Network& network, std::span<const int32_t> train, std::span<const int32_t> labels,
                 const PrivateFitOptions& options, double noise_multiplier, const std::string& label, const Seed& seed,
                 mechanism::Release& release, bound::SampleDraw reach = {});

// The steps themselves, for trainings that bring their own batches and clip norms.
//
// Guarantee: that of the ledger line that `batches` says it draws and of `clipping`, where the clip norms read no
// private record.
struct PrivateSteps {
  nn::Batches& batches;
  bound::Clipping clipping;
  int64_t count = 0;
};
void run_private_steps(Network& network, std::span<const int32_t> labels, const PrivateSteps& steps,
                       const PrivateFitOptions& options, double noise_multiplier, const std::string& label,
                       const Seed& seed, mechanism::Release& release);

// Adds the losses of these nodes, a piece of the batch at a time, to what `clipped` sums; `after_piece` is told the
// number of samples of each piece.
void add_clipped_losses(Network& network, std::span<const int32_t> batch, std::span<const int32_t> labels,
                        nn::Tape& tape, nn::ClippedGradient& clipped,
                        const std::function<void(int64_t samples)>& after_piece = {});

}  // namespace graphveil::method
