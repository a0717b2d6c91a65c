// Training without privacy: on public data, or where nothing is promised.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "graphveil/base/options.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/partition.h"
#include "graphveil/learn/network.h"
#include "graphveil/mechanism/audience.h"
#include "graphveil/nn/state.h"

namespace graphveil::learn {

struct FitOptions {
  int64_t epochs = 100;
  double learning_rate = 0.01;
  double weight_decay = 0;
  std::optional<int64_t> batch_size = std::nullopt;  // none: full batches

  void declare(Options& options);
};

// The training after the last of several releases, where it is to differ from those before: no release reads it, so a
// search over these options costs nothing.
struct LastFitOptions {
  std::optional<int64_t> epochs = std::nullopt;
  std::optional<double> learning_rate = std::nullopt;
  std::optional<double> weight_decay = std::nullopt;

  void declare(Options& options);
  // `others`, but for what is set here.
  FitOptions over(FitOptions others) const;
};

struct FitData {
  std::span<const int32_t> labels;  // of all nodes
  std::span<const int32_t> train;   // node ids
  // Node ids whose labels may pick the epoch with the best accuracy. Empty: the last epoch is kept. Only data that
  // is public, or a method that promises nothing, may fill this.
  std::span<const int32_t> public_validation;
  std::span<const Real> class_weights = {};  // of the losses, as nn::cross_entropy takes them; empty: all alike
  // Where ranks share the nodes out (base/ranks.h), this rank's part of the graph; all above is then about its own
  // nodes. The batches are full, and every rank ends with what one process would have.
  const graph::Partition* part = nullptr;
};

// Where ranks are cut, beside where else they must be: after multiples of so many training nodes, all of which have a
// label. Elsewhere the bits are the same, but every rank does more of the work than its own.
int64_t fit_places_per_cut(int64_t train_nodes);

// Adam on the mean cross-entropy of the training nodes that have a label. `name` is shown as progress. Returns the
// network's state under names that start with `prefix`; the token says why all this may be read in the clear.
mechanism::Public<nn::State> fit(Network& network, const FitData& data, const FitOptions& options, const Seed& seed,
                                 const std::string& name, const mechanism::PublicData& token,
                                 const std::string& prefix = "");

}  // namespace graphveil::learn
