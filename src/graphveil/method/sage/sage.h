// The GraphSAGE baselines of GAP: sage-inf, sage-edp and sage-ndp.
#pragma once

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/learn/fit.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/method/method.h"
#include "graphveil/method/sage/networks.h"
#include "graphveil/method/sage/published.h"
#include "graphveil/method/visible_graph.h"

namespace graphveil::method {

// The share of pairs taken to be edges, from a noisy count of them: between one edge and half of all pairs, whatever
// the noise said, and one half where there is one pair or none.
double edge_share(double noisy_count, double pairs);

// sage-inf promises nothing. sage-edp trains the same network on a graph perturbed by asymmetric randomized response.
//
// Guarantee of sage-edp: relations undirected-edge and edge. Two ledger lines: discrete Laplace on the number of edges
// (sensitivity 1), and randomized response on every pair of nodes (both directions of an undirected edge are one cell)
// or on every ordered pair. Everything after that is post-processing: predictions are public too. sage-inf is the same
// behind a clear release.
class SageEdge final : public Method {
 public:
  explicit SageEdge(bool with_noise) : private_(with_noise) {}
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  std::string variant() const override;
  void use_paper_settings() override;
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override;
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  Plan plan(double noise, const Setting& setting) const override { return inference_plan(noise, setting); }
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double noise, const Setting& setting) const override;
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  graph::Graph visible_graph(const Task& task, Release& release) const;
  bool private_;
  SageArchitecture architecture_;
  FitOptions fit_;
};

// sage-ndp: DP-SGD on one-layer samples (Daigavane et al. 2021), and one noisy aggregation for all predictions.
//
// Guarantee: a node with K outgoing edges is in its own sample and in at most K others: deletions 1 + K, insertions K;
// predictions read one Gaussian aggregation of messages of norm 1, of sensitivity sqrt(K). Under node K is the
// protected degree and no edge is dropped (bound::for_protected_degree); under record every node keeps at most
// --max-degree of its own edges. A prediction reads the node's own record, the parameters and the released row about
// it: it is the node's own. Which edges --setting removes follows from public ids.
class SageNode final : public Method {
 public:
  SageNode();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  std::string variant() const override;
  void use_paper_settings() override;
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Owner, relation}; }
  double trained_numbers(const std::string& label, const Setting& setting) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  std::vector<Tunable> unpaid_tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double noise, const Setting& setting) const override;
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  // The noise multiplier of the one aggregation, as a multiple of the training's.
  double aggregation_noise(const Setting& setting) const;
  // K of a setting.
  int64_t out_degree(bound::Relation relation, int64_t protect_degree) const;
  bound::NeighborSumOptions sum_options(bound::Relation relation, int64_t protect_degree) const;
  bound::BoundedGraph bounded(const Task& task, const graph::Graph& visible) const;
  void aggregate(SageNodeNetwork& network, const Task& task, const bound::BoundedGraph& graph, Release& release) const;
  GraphSetting setting_ = GraphSetting::Transductive;
  SageArchitecture architecture_;
  PrivateFitOptions fit_;
  int64_t max_degree_ = 1;  // the training's sensitivity grows as 2D + 1
  // The training has many steps, the aggregation is one. None: by sensitivity, as the paper has it.
  std::optional<double> aggregation_noise_ = 0.1;
  PublishedClip published_clip_ = PublishedClip::Rows;  // read by a run as published alone
};

}  // namespace graphveil::method
