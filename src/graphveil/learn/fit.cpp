#include "graphveil/learn/fit.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/curves.h"
#include "graphveil/base/progress.h"
#include "graphveil/base/ranks.h"
#include "graphveil/base/shared_rows.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/nn/batches.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"
#include "graphveil/nn/stage.h"

namespace graphveil::learn {
namespace {

constexpr const char* kNetworkPrefix = "network.";  // in a checkpoint: what it has besides its parameters

// The sum of this number over the ranks that share the nodes out.
int64_t over_parts(const FitData& data, int64_t number) {
  return data.part != nullptr ? sum_over(*current_ranks(), number) : number;
}

// For whoever follows what ranks send each other.
void tell_traffic(Ranks& ranks, const std::string& name, int64_t steps, int64_t sent) {
  const auto all = static_cast<double>(sum_over(ranks, sent));
  ranks.tell(fmt::format("{}: {:.3g} MB went between {} ranks in each of {} steps", name,
                         all / static_cast<double>(std::max<int64_t>(steps, 1)) / 1e6, ranks.size(), steps));
}

// Remembers the network as it was after its best epoch.
class BestEpoch {
 public:
  // Of so many validation nodes, of all ranks.
  explicit BestEpoch(int64_t nodes) : nodes_(nodes) {}
  // The accuracy of this epoch.
  double observe(Network& network, const FitData& data) {
    const int64_t right = over_parts(data, count_right(network, data.public_validation, data.labels, tape_));
    const double accuracy = static_cast<double>(right) / static_cast<double>(nodes_);
    if (accuracy <= best_) return accuracy;
    best_ = accuracy;
    state_.clear();
    network.save(state_, "");
    return accuracy;
  }
  void restore(Network& network) const {
    if (!state_.empty()) network.load(state_, "");
  }
  // For a checkpoint, under names that start with "best.".
  void save(nn::State& state) const {
    state["best.accuracy"] = nn::to_tensor(std::bit_cast<int64_t>(best_));
    for (const auto& [name, tensor] : state_) state["best.network." + name] = tensor;
  }
  void load(const nn::State& state) {
    constexpr std::string_view kNetwork = "best.network.";
    best_ = std::bit_cast<double>(nn::read_number(state, "best.accuracy"));
    state_.clear();
    for (const auto& [name, tensor] : state) {
      if (name.starts_with(kNetwork)) state_[name.substr(kNetwork.size())] = tensor;
    }
  }

 private:
  int64_t nodes_;
  double best_ = -1;
  nn::State state_;
  nn::Tape tape_{Seed::from_number(0)};  // for evaluation, which drops nothing out
};

}  // namespace

void FitOptions::declare(Options& options) {
  options.integer("epochs", epochs, 1, 1000000, "Passes over the training nodes");
  options.integer_or("batch-size", batch_size, "full", 1, INT64_MAX, "Training nodes per step");
  options.real("learning-rate", learning_rate, 0, 1e6, "Learning rate of Adam");
  options.alias("lr");
  options.real("weight-decay", weight_decay, 0, 1e6, "Weight decay of Adam");
}

void LastFitOptions::declare(Options& options) {
  options.integer_or("last-epochs", epochs, "auto", 1, 1000000,
                     "Passes of the training after the last release at edge level; auto: as before it");
  options.real_or("last-learning-rate", learning_rate, "auto", 0, 1e6,
                  "Learning rate of that training; auto: as before");
  options.real_or("last-weight-decay", weight_decay, "auto", 0, 1e6, "Weight decay of that training; auto: as before");
}

FitOptions LastFitOptions::over(FitOptions others) const {
  others.epochs = epochs.value_or(others.epochs);
  others.learning_rate = learning_rate.value_or(others.learning_rate);
  others.weight_decay = weight_decay.value_or(others.weight_decay);
  return others;
}

int64_t fit_places_per_cut(int64_t train_nodes) { return kernels::rows_per_cut(train_nodes); }

mechanism::Public<nn::State> fit(Network& network, const FitData& data, const FitOptions& options, const Seed& seed,
                                 const std::string& name, const mechanism::PublicData& token,
                                 const std::string& prefix) {
  std::vector<int32_t> ids;
  for (const int32_t v : data.train) {
    if (data.labels[v] != graph::kUnlabeled) ids.push_back(v);
  }
  std::optional<SharedRows> shared;
  if (data.part != nullptr) shared.emplace(*current_ranks(), std::ssize(ids));
  const int64_t total = shared ? shared->all() : std::ssize(ids);
  require(total > 0, "no training node has a label");
  const bool full = !options.batch_size || *options.batch_size >= total;
  const int64_t steps_per_epoch = full ? 1 : (total + *options.batch_size - 1) / *options.batch_size;
  std::unique_ptr<nn::Batches> batches;
  if (shared && !full) fail(ErrorKind::Unsupported, "ranks share out full batches alone");
  if (full) {
    batches = std::make_unique<nn::FullBatch>(std::move(ids));
  } else {
    batches = std::make_unique<nn::ShuffledBatches>(std::move(ids), *options.batch_size, seed);
  }

  nn::Tape tape(seed);
  nn::Adam adam({.weight_decay = options.weight_decay});
  nn::Parameters& parameters = network.parameters();
  std::vector<int32_t> labels;
  const int64_t validated = over_parts(data, std::ssize(data.public_validation));
  BestEpoch best(validated);
  const auto begin_step = [&] { shared ? tape.start_shared(*shared) : tape.start(); };
  int64_t first = 0;
  const nn::Stage stage(name);
  if (const std::optional<nn::State> kept = stage.kept()) {
    first = nn::load_run(*kept, parameters, adam, tape);
    // A network may add up as it does because the step before wanted the same rows (learn/feature_rows.h): it is shown
    // that step, and then gets back what that has moved.
    begin_step();
    network.scores(tape, batches->batch(first * steps_per_epoch - 1));
    nn::load_run(*kept, parameters, adam, tape);
    network.load(*kept, kNetworkPrefix);
    best.load(*kept);
  }
  const int64_t sent_before = shared ? current_ranks()->bytes_sent() : 0;
  Progress progress(name, options.epochs);
  progress.advance(first);
  for (int64_t epoch = first; epoch < options.epochs; ++epoch) {
    double losses = 0;
    for (int64_t step = 0; step < steps_per_epoch; ++step) {
      const std::span<const int32_t> batch = batches->batch(epoch * steps_per_epoch + step);
      gather_labels(data.labels, batch, labels);
      begin_step();
      const nn::Var loss =
          nn::cross_entropy(network.scores(tape, batch), labels, nn::Reduction::Mean, data.class_weights);
      parameters.zero_gradients();
      tape.backward(loss);
      adam.step(parameters, options.learning_rate);
      losses += loss.value()(0, 0) * static_cast<double>(shared ? total : std::ssize(batch));
    }
    tell_curve(name, "loss", epoch, losses / static_cast<double>(total));
    if (validated > 0) tell_curve(name, "validation accuracy", epoch, best.observe(network, data));
    progress.advance();
    if (stage.due()) {
      nn::State state;
      nn::save_run(parameters, adam, tape, epoch + 1, state);
      network.save(state, kNetworkPrefix);
      best.save(state);
      stage.keep(state);
    }
  }
  if (shared) tell_traffic(*current_ranks(), name, options.epochs - first, current_ranks()->bytes_sent() - sent_before);
  if (validated > 0) best.restore(network);
  nn::State state;
  network.save(state, prefix);
  return {std::move(state), token};
}

}  // namespace graphveil::learn
