// The GraphSAGE baselines of GAP: sage-inf, sage-edp and sage-ndp.
#pragma once

#include "graphveil/method/fit.h"
#include "graphveil/method/fit_private.h"
#include "graphveil/method/method.h"
#include "graphveil/method/sage_networks.h"

namespace graphveil::method {

// sage-inf promises nothing. sage-edp trains the same network on a graph perturbed by asymmetric randomized response.
//
// Guarantee of sage-edp: relations undirected-edge and edge. Two ledger lines: Laplace on the number of edges
// (sensitivity 1), and randomized response on every pair of nodes (both directions of an undirected edge are one cell)
// or on every ordered pair. Everything after that is post-processing: it covers predictions.
class SageEdge final : public Method {
 public:
  explicit SageEdge(bool with_noise) : private_(with_noise) {}
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override;
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double noise, bound::Relation relation) const override;
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  graph::Graph visible_graph(const Task& task, double noise, mechanism::Release* release) const;
  bool private_;
  SageArchitecture architecture_;
  FitOptions fit_;
};

// sage-ndp: DP-SGD on one-layer samples (Daigavane et al. 2021), and one noisy aggregation for all predictions.
//
// Guarantee: relation node. Out-degrees are bounded by D, so a record is in its own sample and in at most D others:
// deletions 1 + D, insertions D. Inference adds one Gaussian aggregation of sensitivity sqrt(D). Covers predictions.
class SageNode final : public Method {
 public:
  SageNode();
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node}; }
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double noise, bound::Relation relation) const override;
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  bound::SampleDraw reach() const { return {.deletions = 1 + max_degree_, .insertions = max_degree_}; }
  void aggregate(SageNodeNetwork& network, const graph::Graph& bounded, double noise,
                 mechanism::Release& release) const;
  SageArchitecture architecture_;
  PrivateFitOptions fit_;
  int64_t max_degree_ = 1;          // the training's sensitivity grows as 2D + 1
  double aggregation_noise_ = 0.1;  // the training has many steps, the aggregation is one
};

}  // namespace graphveil::method
