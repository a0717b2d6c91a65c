#include "graphveil/method/dpgnn/presets.h"

#include <algorithm>

#include "graphveil/base/error.h"

namespace graphveil::method {
namespace {

constexpr auto kRelu = Activation::Relu;
constexpr auto kTanh = Activation::Tanh;
constexpr auto kGcn = GnnArchitectureKind::Gcn;
constexpr auto kGin = GnnArchitectureKind::Gin;
constexpr auto kGat = GnnArchitectureKind::Gat;
constexpr auto kTransductive = GraphSetting::Transductive;
constexpr auto kInductive = GraphSetting::Inductive;

}  // namespace

GnnArchitecture DpGnnRow::architecture() const {
  return {.kind = kind,
          .layers = layers,
          .encoder_layers = encoder_layers,
          .decoder_layers = decoder_layers,
          .hidden_dim = 256,
          .heads = 10,
          .activation = activation,
          .own_share = 0};
}

const std::vector<DpGnnRow>& dpgnn_rows() {
  static const std::vector<DpGnnRow> kRows{
      // name, where, learning rate, batch, activation, encoder, decoder, lambda, K
      {"paper", "Table 9, DP-GCN (Adam), ogbn-arxiv", 0.003, 10000, kTanh, 1, 2, 2, 7},
      {"paper-sgd", "Table 9, DP-GCN (SGD), ogbn-arxiv", 1.0, 10000, kTanh, 2, 1, 2, 7, kGcn, 1, kTransductive,
       OptimizerKind::Sgd},
      {"paper-gin", "Table 11, DP-GIN, ogbn-arxiv", 0.003, 10000, kTanh, 1, 1, 1, 7, kGin},
      {"paper-gat", "Table 11, DP-GAT, ogbn-arxiv", 0.004, 20000, kTanh, 1, 2, 2, 7, kGat},
      {"paper-products", "Table 9, DP-GCN (Adam), ogbn-products", 0.005, 10000, kTanh, 1, 2, 1, 10},
      {"paper-products-sgd", "Table 9, DP-GCN (SGD), ogbn-products", 2.0, 40000, kTanh, 1, 1, 2, 5, kGcn, 1,
       kTransductive, OptimizerKind::Sgd},
      {"paper-mag", "Table 9, DP-GCN (Adam), ogbn-mag", 0.001, 10000, kTanh, 2, 2, 2, 10},
      {"paper-mag-sgd", "Table 9, DP-GCN (SGD), ogbn-mag", 1.0, 10000, kRelu, 1, 2, 1, 10, kGcn, 1, kTransductive,
       OptimizerKind::Sgd},
      {"paper-reddit", "Table 9, DP-GCN (Adam), reddit", 0.002, 10000, kTanh, 2, 2, 1, 10},
      {"paper-reddit-sgd", "Table 9, DP-GCN (SGD), reddit", 0.1, 10000, kTanh, 1, 2, 1, 10, kGcn, 1, kTransductive,
       OptimizerKind::Sgd},
      {"paper-arxiv-disjoint", "Table 10, DP-GCN (1-layer), ogbn-arxiv-disjoint", 0.002, 20000, kTanh, 1, 2, 4, 7, kGcn,
       1, kInductive},
      {"paper-arxiv-disjoint-2-layers", "Table 10, DP-GCN (2-layer), ogbn-arxiv-disjoint", 0.003, 20000, kTanh, 1, 1, 2,
       3, kGcn, 2, kInductive},
      {"paper-arxiv-clustered", "Table 10, DP-GCN (1-layer), ogbn-arxiv-clustered", 0.002, 20000, kTanh, 2, 2, 4, 10,
       kGcn, 1, kInductive},
      {"paper-arxiv-clustered-2-layers", "Table 10, DP-GCN (2-layer), ogbn-arxiv-clustered", 0.002, 20000, kTanh, 2, 1,
       4, 3, kGcn, 2, kInductive},
      {"paper-reddit-disjoint", "Table 10, DP-GCN (1-layer), reddit-disjoint", 0.001, 10000, kTanh, 2, 2, 1, 10, kGcn,
       1, kInductive},
      {"paper-reddit-disjoint-2-layers", "Table 10, DP-GCN (2-layer), reddit-disjoint", 0.002, 20000, kTanh, 1, 1, 2, 3,
       kGcn, 2, kInductive},
      {"paper-arxiv-disjoint-gin", "Table 12, DP-GIN (1-layer), ogbn-arxiv-disjoint", 0.004, 20000, kTanh, 1, 2, 2, 7,
       kGin, 1, kInductive},
      {"paper-arxiv-disjoint-gin-2-layers", "Table 12, DP-GIN (2-layer), ogbn-arxiv-disjoint", 0.002, 20000, kTanh, 2,
       2, 2, 3, kGin, 2, kInductive},
      {"paper-arxiv-clustered-gin", "Table 12, DP-GIN (1-layer), ogbn-arxiv-clustered", 0.004, 10000, kTanh, 1, 1, 1,
       10, kGin, 1, kInductive},
      {"paper-arxiv-clustered-gin-2-layers", "Table 12, DP-GIN (2-layer), ogbn-arxiv-clustered", 0.002, 10000, kTanh, 1,
       2, 1, 3, kGin, 2, kInductive},
      {"paper-reddit-disjoint-gin", "Table 12, DP-GIN (1-layer), reddit-disjoint", 0.001, 10000, kTanh, 2, 2, 1, 10,
       kGin, 1, kInductive},
      {"paper-reddit-disjoint-gin-2-layers", "Table 12, DP-GIN (2-layer), reddit-disjoint", 0.001, 10000, kTanh, 1, 1,
       1, 3, kGin, 2, kInductive},
  };
  return kRows;
}

const std::vector<DpGnnRow>& gnn_inf_rows() {
  static const std::vector<DpGnnRow> kRows{
      {"paper", "Table 9, GCN, ogbn-arxiv", 0.002, 1000, kRelu, 2, 2, 0, 30},
      {"paper-gin", "Table 11, GIN, ogbn-arxiv", 0.003, 1000, kRelu, 2, 1, 0, 30, kGin},
      {"paper-gat", "Table 11, GAT, ogbn-arxiv", 0.001, 1000, kTanh, 2, 2, 0, 30, kGat},
      {"paper-products", "Table 9, GCN, ogbn-products", 0.001, 1000, kRelu, 2, 1, 0, 30},
      {"paper-mag", "Table 9, GCN, ogbn-mag", 0.001, 1000, kRelu, 2, 2, 0, 10},
      {"paper-reddit", "Table 9, GCN, reddit", 0.001, 1000, kRelu, 2, 2, 0, 10},
      {"paper-arxiv-disjoint", "Table 10, GCN (1-layer), ogbn-arxiv-disjoint", 0.001, 1000, kRelu, 1, 2, 0, 7, kGcn, 1,
       kInductive},
      {"paper-arxiv-disjoint-2-layers", "Table 10, GCN (2-layer), ogbn-arxiv-disjoint", 0.001, 1000, kRelu, 1, 1, 0, 30,
       kGcn, 2, kInductive},
      {"paper-arxiv-clustered", "Table 10, GCN (1-layer), ogbn-arxiv-clustered", 0.001, 1000, kRelu, 1, 1, 0, 30, kGcn,
       1, kInductive},
      {"paper-arxiv-clustered-2-layers", "Table 10, GCN (2-layer), ogbn-arxiv-clustered", 0.001, 1000, kRelu, 1, 2, 0,
       10, kGcn, 2, kInductive},
      {"paper-reddit-disjoint", "Table 10, GCN (1-layer), reddit-disjoint", 0.001, 1000, kRelu, 2, 2, 0, 10, kGcn, 1,
       kInductive},
      {"paper-reddit-disjoint-2-layers", "Table 10, GCN (2-layer), reddit-disjoint", 0.001, 1000, kRelu, 2, 2, 0, 10,
       kGcn, 2, kInductive},
      {"paper-arxiv-disjoint-gin", "Table 12, GIN (1-layer), ogbn-arxiv-disjoint", 0.002, 1000, kRelu, 2, 1, 0, 30,
       kGin, 1, kInductive},
      {"paper-arxiv-disjoint-gin-2-layers", "Table 12, GIN (2-layer), ogbn-arxiv-disjoint", 0.001, 1000, kRelu, 1, 2, 0,
       3, kGin, 2, kInductive},
      {"paper-arxiv-clustered-gin", "Table 12, GIN (1-layer), ogbn-arxiv-clustered", 0.001, 1000, kRelu, 2, 1, 0, 30,
       kGin, 1, kInductive},
      {"paper-arxiv-clustered-gin-2-layers", "Table 12, GIN (2-layer), ogbn-arxiv-clustered", 0.001, 1000, kRelu, 2, 2,
       0, 30, kGin, 2, kInductive},
      {"paper-reddit-disjoint-gin", "Table 12, GIN (1-layer), reddit-disjoint", 0.001, 1000, kRelu, 2, 1, 0, 10, kGin,
       1, kInductive},
      {"paper-reddit-disjoint-gin-2-layers", "Table 12, GIN (2-layer), reddit-disjoint", 0.001, 1000, kRelu, 2, 2, 0,
       10, kGin, 2, kInductive},
  };
  return kRows;
}

const DpGnnRow& row_named(const std::vector<DpGnnRow>& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &DpGnnRow::name);
  if (found == rows.end()) fail(ErrorKind::Internal, "the tables have no row '{}'", name);
  return *found;
}

std::vector<Preset> presets_of(const std::vector<DpGnnRow>& rows) {
  std::vector<Preset> presets;
  for (const DpGnnRow& row : rows) presets.push_back({row.name, row.where});
  return presets;
}

}  // namespace graphveil::method
