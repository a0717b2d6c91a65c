// The network of DPAR: an MLP on each node's features, whose outputs are added up over a neighborhood (Bojchevski et
// al. 2020, PPRGo).
#pragma once

#include "graphveil/bound/neighborhoods.h"
#include "graphveil/method/mlp.h"
#include "graphveil/nn/edges.h"

namespace graphveil::method {

// scores(v) = sum over the nodes u of v's neighborhood of weight(v, u) f(x_u). Without the neighborhoods, to predict by
// power iteration, it is an MlpNetwork with the same state.
class DparNetwork final : public MlpNetwork {
 public:
  // The neighborhoods must outlive the network.
  DparNetwork(const graph::Dataset& data, const bound::Neighborhoods& neighborhoods,
              const MlpArchitecture& architecture, const Seed& seed, bool first_bias);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool steps_keep_apart() const override { return false; }  // it keeps the lists of the batch
  int64_t samples_at_once() const override;

 private:
  const bound::Neighborhoods* neighborhoods_;
  // Lists of the nodes' neighborhoods. In a per-sample step a node has a row in each sample that reads it, else one.
  void read_neighborhoods(std::span<const int32_t> nodes, bool per_sample);

  // The present batch: the rows that are read, the sample of each, and which rows a sample adds up.
  std::vector<int32_t> rows_read_, owners_, own_owners_, places_;
  std::vector<int64_t> offsets_;
  std::vector<Real> weights_;
  nn::Edges edges_;
  std::vector<int32_t> place_of_;  // of every node, in rows_read_, outside of per-sample steps; -1: not read
};

}  // namespace graphveil::method
