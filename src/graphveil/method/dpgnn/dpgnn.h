// Node-level DP-GNN: DP-SGD on rooted subgraphs (Daigavane, Madan, Sinha, Thakurta, Aggarwal and Jain, "Node-Level
// Differentially Private Graph Neural Networks", 2021), with Poisson batches, flat clipping and tight accounting.
#pragma once

#include "graphveil/bound/out_degree.h"
#include "graphveil/learn/fit.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/learn/gnn_network.h"
#include "graphveil/method/method.h"
#include "graphveil/method/visible_graph.h"

namespace graphveil::method {

// Edges that training may read. Under record every node keeps at most `max_degree` of its own outgoing edges
// (bound::bound_out_degree); under node the graph is declared to have no more, in or out (bound::declared_degrees). In
// the inductive setting only those stay that lie within a part of the split.
//
// Guarantee: that of the two functions. The parts of the split are public, so edges between them may be removed.
bound::BoundedGraph dpgnn_training_graph(const Task& task, GraphSetting setting, int64_t max_degree);

// gnn-inf: the same network trained on the whole graph without noise. It promises nothing.
class GnnInf final : public Method {
 public:
  GnnInf();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override { return {}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  Plan plan(double, const Setting&) const override { return {}; }
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  GnnArchitecture architecture_;
  FitOptions fit_;
  GraphSetting setting_ = GraphSetting::Transductive;
};

// dpgnn.
//
// Guarantee: relations node (declared degrees) and record. One ledger line: DP-SGD over Poisson batches of rooted
// samples. The sample of a training node v is what r rounds of message passing read for v in dpgnn_training_graph. A
// node is read by its own sample and by those that its at most K kept edges lead to in at most r steps: deletions 1 + K
// + ... + K^r; blank, its own sample is empty and the others stand changed: insertions one fewer (bound::clipped_sum;
// Schuchardt et al. 2024, Theorem 3.8). With full batches: sensitivity (deletions + insertions) C. Predictions read
// neighbors' raw rows, so they are the holder's.
class DpGnn final : public Method {
 public:
  DpGnn();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  int64_t quoted_degree(const Setting& setting) const override {
    return max_degree(setting.relation, setting.protect_degree);
  }
  std::vector<std::string> assumptions(bound::Relation relation) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  Averaging averaging() const;
  // Class probabilities by the trained network.
  Matrix predicted(GnnNetwork& network, const Task& task) const;
  // K of a setting: what --max-degree says, else 1 under record and the protected degree under node.
  int64_t max_degree(bound::Relation relation, int64_t protect_degree) const;
  bound::SampleDraw reach(bound::Relation relation, int64_t protect_degree) const;
  GnnArchitecture architecture_;
  PrivateFitOptions fit_;
  std::optional<int64_t> max_degree_;
  std::optional<int64_t> inference_hops_;
  std::optional<double> inference_own_;
  GraphSetting setting_ = GraphSetting::Transductive;
  FeatureScaling scaling_{.unit_rows = true};
};

}  // namespace graphveil::method
