// DPAR: personalized PageRank with noise picks a neighborhood for every training node, then DP-SGD on sums over it
// (Zhang, Lou, Zhang, Wang and Xiong, "DPAR: Decoupled Graph Neural Networks with Node-Level Differential Privacy",
// 2024), with tight accounting.
#pragma once

#include "graphveil/method/dpar/published.h"
#include "graphveil/method/dpar/selection.h"
#include "graphveil/method/method.h"
#include "graphveil/method/mlp.h"
#include "graphveil/method/visible_graph.h"

namespace graphveil::method {

// How predictions are made: `hops` times Q <- (1 - own) mean over neighbors of Q + own H, from the scores H of every
// node's own features. Reads neighbors in the clear, so what comes out is the holder's.
struct PowerIteration {
  int64_t hops = 2;
  double own = 0.25;

  void declare(Options& options);
  Predictions operator()(MlpNetwork& network, const graph::Graph& graph) const;
};

// dpar-gm, dpar-em0 and dpar-em1, by the noise of their selection.
//
// Guarantee: relations node and record, at every degree. The lines of the selection (method/dpar/selection.h), then one
// of DP-SGD: the neighborhoods are public by then, and a node is in its own sample and in at most B' others
// (bound/neighborhoods.h). Predictions average the network's outputs over neighbors in the clear, so they are the
// holder's. With --node-rate all of that runs on a Poisson sample of the records: those not drawn are blank as the
// relation has it (under record edges that others list to them stay), and their ids stay, so that nothing tells who was
// drawn (mechanism::Plan::on_sample). In the inductive setting lists hold training nodes alone, by public ids.
class Dpar final : public Method {
 public:
  explicit Dpar(SelectionNoise noise);
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  std::string variant() const override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  bool every_degree() const override { return true; }
  std::vector<std::string> outlook(const Plan& plan, const Setting& setting) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  DparPublished as_published() const;
  // The selection of a run on so many nodes, of which so many train.
  Selection selection(int64_t nodes, int64_t train_nodes) const;
  bound::Neighborhoods neighborhoods(const Task& task, const graph::Graph& graph, Release& release) const;

  Selection selection_;
  double share_ = 0.02;
  MlpArchitecture architecture_;
  PrivateFitOptions fit_;
  FeatureScaling scaling_{.unit_rows = true, .bias_input = 0.3};
  GraphSetting setting_ = GraphSetting::Transductive;
  PowerIteration inference_;
  double node_rate_ = 1;    // q'
  double column_norm_ = 1;  // tau, as published: that of the paper's baseline without neighbors
};

// dpar-inf: the same network on exact neighborhoods, without noise. It promises nothing.
class DparInf final : public Method {
 public:
  DparInf();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  Plan plan(double noise, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  // Whether lists hold training nodes alone.
  bool among_trained() const;

  Selection selection_;
  MlpArchitecture architecture_;
  FitOptions fit_;
  FeatureScaling scaling_{.unit_rows = true};
  GraphSetting setting_ = GraphSetting::Transductive;
  PowerIteration inference_{.own = 0.5};
  double node_rate_ = 1;  // q'
};

}  // namespace graphveil::method
