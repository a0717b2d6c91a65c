// The rows of the paper's tables of settings (Daigavane et al. 2021, Tables 9 to 12), for --preset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/learn/fit_private.h"
#include "graphveil/learn/gnn_network.h"
#include "graphveil/method/method.h"
#include "graphveil/method/visible_graph.h"

namespace graphveil::method {

// One row. Names are paper[-GRAPH][-ARCHITECTURE][-sgd][-2-layers]; without a graph, ogbn-arxiv.
struct DpGnnRow {
  std::string name;
  std::string where;  // "Table 9, DP-GCN (SGD), ogbn-arxiv"
  double learning_rate = 0;
  int64_t batch_size = 0;
  Activation activation = Activation::Tanh;
  int64_t encoder_layers = 1;
  int64_t decoder_layers = 1;
  double lambda = 0;  // the noise over 2 C N(K, r); 0: none is added
  int64_t max_degree = 0;
  GnnArchitectureKind kind = GnnArchitectureKind::Gcn;
  int64_t layers = 1;
  GraphSetting setting = GraphSetting::Transductive;
  OptimizerKind optimizer = OptimizerKind::Adam;

  // The network: the latent size is 256 throughout, gat has 10 heads, and averages are plain.
  GnnArchitecture architecture() const;
};

// The rows of DP-GCN, DP-GIN and DP-GAT, and those of GCN, GIN and GAT without noise; the first of each is "paper".
const std::vector<DpGnnRow>& dpgnn_rows();
const std::vector<DpGnnRow>& gnn_inf_rows();

// The row of this name, or an Internal error.
const DpGnnRow& row_named(const std::vector<DpGnnRow>& rows, const std::string& name);

// What --preset lists of them.
std::vector<Preset> presets_of(const std::vector<DpGnnRow>& rows);

}  // namespace graphveil::method
