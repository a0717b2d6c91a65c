// How the networks of dpgnn and gnn-inf predict: on the whole graph, in the clear, for the holder.
#pragma once

#include <cstdint>
#include <optional>

#include "graphveil/learn/gnn_network.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

struct GnnInference {
  // Averages of a gcn layer; none: two where there is one layer, else one.
  std::optional<int64_t> hops = std::nullopt;
  // The share of the own row in each; none: the one that is right about most training nodes.
  std::optional<double> own = std::nullopt;

  // --inference-hops and --inference-own.
  void declare(Options& options);
  // What the options say without looking at a label.
  Averaging averaging(const GnnArchitecture& architecture) const;
  // Throws InvalidArgument where the architecture cannot average so.
  void check(const GnnArchitecture& architecture) const;
  // Class probabilities of every node. Reads labels of training nodes where `own` is to be found, so they are the
  // holder's, as what reads neighbors' raw rows is anyway; nothing of the choice is in the model.
  Matrix predicted(GnnNetwork& network, const GnnArchitecture& architecture, const Task& task) const;
};

}  // namespace graphveil::method
