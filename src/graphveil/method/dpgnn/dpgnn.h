// Node-level DP-GNN: DP-SGD on rooted subgraphs (Daigavane, Madan, Sinha, Thakurta, Aggarwal and Jain, "Node-Level
// Differentially Private Graph Neural Networks", 2021), with Poisson batches, flat clipping and tight accounting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/account/published_dpgnn.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/learn/gnn_network.h"
#include "graphveil/method/dpgnn/inference.h"
#include "graphveil/method/method.h"
#include "graphveil/method/visible_graph.h"

namespace graphveil::method {

// Edges that training may read. Under record every node keeps at most `max_degree` of its own outgoing edges
// (bound::bound_out_degree); under node the graph is declared to have no more, in or out (bound::declared_degrees). In
// the inductive setting only those stay that lie within a part of the split.
//
// Guarantee: that of the two functions. The parts of the split are public, so edges between them may be removed.
bound::BoundedGraph dpgnn_training_graph(const Task& task, GraphSetting setting, int64_t max_degree);

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
  std::string variant() const override;
  void use_paper_settings() override;
  std::vector<Preset> presets() const override;
  void use_preset(const std::string& name) override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  int64_t quoted_degree(const Setting& setting) const override {
    return max_degree(setting.relation, setting.protect_degree);
  }
  std::vector<std::string> assumptions(bound::Relation relation) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::vector<std::string> outlook(const Plan& plan, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  // A graph network of one round, a hidden layer and a decoder; or, --preset linear, averaged rows and one weight.
  void use_network(bool linear);
  // K of a setting: what --max-degree says, else the protected degree under node, and under record 1.
  int64_t max_degree(bound::Relation relation, int64_t protect_degree) const;
  bound::SampleDraw reach(bound::Relation relation, int64_t protect_degree) const;
  // Where lambda is what fixes the number of steps.
  bool steps_by_lambda() const { return lambda_ && !fit_.steps; }
  // The training as a plan has it: with lambda and no steps, as many as the paper's bound allows at that noise.
  PrivateFitOptions planned_fit(const Setting& setting) const;
  account::DpGnnSetting accounted(const Setting& setting) const;

  GnnArchitecture architecture_;
  PrivateFitOptions fit_;
  std::optional<double> lambda_;
  std::optional<int64_t> max_degree_;
  GnnInference inference_;
  GraphSetting setting_ = GraphSetting::Transductive;
  FeatureScaling scaling_{.unit_rows = true};
};

}  // namespace graphveil::method
