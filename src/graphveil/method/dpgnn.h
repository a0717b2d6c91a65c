// Node-level DP-GNN: DP-SGD on rooted subgraphs (Daigavane, Madan, Sinha, Thakurta, Aggarwal and Jain, "Node-Level
// Differentially Private Graph Neural Networks", 2021), with Poisson batches, flat clipping and tight accounting.
#pragma once

#include "graphveil/method/fit.h"
#include "graphveil/method/fit_private.h"
#include "graphveil/method/gnn_network.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

enum class GnnSetting {
  Transductive,  // training reads the neighbors of a training node, whoever they are
  Inductive,     // edges between training, validation and test nodes are removed, for training and prediction
};

// Edges that training may read: every node keeps at most `max_out_degree` of its own outgoing edges, and in the
// inductive setting only those that stay within its part of the split.
//
// Guarantee: relation node. Blanking a record (features, place in the split, outgoing edges) changes its own kept list
// and the edges that enter it, and nothing else. So the edges are bounded first and removed second: the other way
// round, a record's place in the split would change which edges its in-neighbors keep.
graph::Graph dpgnn_training_graph(const graph::Graph& graph, const graph::Split& split, GnnSetting setting,
                                  int64_t max_out_degree, const Seed& seed);

// What one record reaches by samples of `layers` hops: 1 + K + ... + K^layers samples hold it; blank, it leaves all but
// its own behind, changed.
bound::SampleDraw dpgnn_reach(int64_t max_out_degree, int64_t layers);

// gnn-inf: the same network trained on the whole graph without noise. It promises nothing.
class GnnInf final : public Method {
 public:
  GnnInf();
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override { return {}; }
  Covers covers() const override { return Covers::Parameters; }
  account::Ledger plan(double, bound::Relation, const PublicFacts&) const override { return {}; }
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double, bound::Relation) const override { return {}; }
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  GnnArchitecture architecture_;
  FitOptions fit_;
  GnnSetting setting_ = GnnSetting::Transductive;
};

// dpgnn.
//
// Guarantee: relation node. One ledger line: DP-SGD over Poisson batches of rooted samples. The sample of a training
// node v is what r rounds of message passing read for v in dpgnn_training_graph. A record is read by its own sample and
// by those that its at most K kept edges lead to in at most r steps: deletions 1 + K + ... + K^r; blank, its own sample
// is gone and the others stand changed: insertions one fewer (bound::clipped_sum; Schuchardt et al. 2024, Theorem 3.8).
// With full batches: sensitivity (deletions + insertions) C. Predictions read neighbors' raw rows, so it covers the
// parameters.
class DpGnn final : public Method {
 public:
  DpGnn();
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node}; }
  Covers covers() const override { return Covers::Parameters; }
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  std::optional<Published> published(double epsilon, double delta, bound::Relation relation,
                                     const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double, bound::Relation) const override { return {}; }
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  Averaging averaging() const;
  PrivateFitOptions fit_with_rate(double noise, int64_t train_nodes) const;
  bound::SampleDraw reach() const { return dpgnn_reach(max_degree_, architecture_.layers); }
  GnnArchitecture architecture_;
  PrivateFitOptions fit_;
  int64_t max_degree_ = 1;
  std::optional<int64_t> inference_hops_;
  std::optional<double> inference_own_;
  GnnSetting setting_ = GnnSetting::Transductive;
  FeatureScaling scaling_{.unit_rows = true};
  bool rate_over_noise_ = true;
};

}  // namespace graphveil::method
