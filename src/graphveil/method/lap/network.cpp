#include "graphveil/method/lap/network.h"

#include <algorithm>
#include <vector>

#include "graphveil/nn/ops_row_parameter.h"

namespace graphveil::method {
namespace {

int64_t width(const LapArchitecture& architecture, const graph::Dataset& data) {
  return architecture.layers == 1 ? data.classes : architecture.hidden_dim;
}

}  // namespace

void LapArchitecture::declare(Options& options) {
  options.integer("layers", layers, 1, 64, "Linear layers; 1 is a linear softmax");
  options.integer("hidden-dim", hidden_dim, 1, 65536, "Hidden units, with more than one layer");
  declare_activation(options, activation);
  options.real("prior", prior, 0, 1e6, "Weight of the public guess that neighbors are alike, where training starts");
}

LapNetwork::LapNetwork(const graph::Dataset& data, ConstMatrixView sums, const LapArchitecture& architecture,
                       const Seed& seed)
    : architecture_(architecture),
      rows_(data.features),
      sums_(sums),
      random_(seed, "lap weights"),
      own_(parameters(), "own", data.features.cols(), width(architecture, data), random_, architecture.first_bias),
      rest_(parameters(), "rest",
            {architecture.layers == 1 ? std::vector<int64_t>{}
                                      : stack_widths(architecture.hidden_dim, architecture.layers - 1,
                                                     architecture.hidden_dim, data.classes),
             architecture.activation, 0, false},
            random_) {
  if (architecture.tied) {
    alike_ = parameters().add("neighbors.alike", 1, 1);
  } else {
    neighbors_.emplace(parameters(), "neighbors", sums.cols, width(architecture, data), random_, false);
  }
  if (architecture.layers > 1) return;
  // A linear softmax starts best where the features say nothing and the sums say what the prior does.
  std::ranges::fill(parameters().values().values(), Real{0});
  if (alike_) parameters().value (*alike_)(0, 0) = static_cast<Real>(architecture.prior - 1);
  for (int32_t id = 0; id < parameters().count(); ++id) {
    if (parameters().info(id).name != "neighbors.weight") continue;
    MatrixView weight = parameters().value(id);
    for (int64_t k = 0; k < sums.cols; ++k) weight(k, k % data.classes) = static_cast<Real>(architecture.prior);
  }
}

nn::Var LapNetwork::neighbor_scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  if (neighbors_) return (*neighbors_)(sums_(tape, nodes));
  return nn::scale_by_one_plus(sums_(tape, nodes), tape.parameter(parameters(), *alike_));
}

nn::Var LapNetwork::scores(nn::Tape& tape, std::span<const int32_t> nodes) {
  const nn::Var first = nn::add(own_(rows_(tape, nodes)), neighbor_scores(tape, nodes));
  return architecture_.layers == 1 ? first : rest_(nn::activate(first, architecture_.activation));
}

}  // namespace graphveil::method
