// ProGAP: progressive graph neural networks with aggregation perturbation (Sajadmanesh and Gatica-Perez, "ProGAP:
// Progressive Graph Neural Networks with Differential Privacy Guarantees", WSDM 2024).
#pragma once

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/learn/fit.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/method/method.h"
#include "graphveil/method/progap/network.h"

namespace graphveil::method {

// progap-edp: stages of training in the clear, between them one noisy aggregation of what the stage before has learned;
// all earlier aggregations are kept and read again, not made again.
//
// Guarantee: relations undirected-edge and edge. The line `aggregation`, K times, Gaussian, of sensitivity sqrt(2)
// or 1. Training and inference are post-processing.
class ProgapEdge final : public Method {
 public:
  ProgapEdge() { fit_.learning_rate = 0.05; }
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
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
  ProgapArchitecture architecture_;
  FitOptions fit_;
  LastFitOptions last_;  // the last stage
};

// progap-ndp: the same with DP-SGD in each stage.
//
// Guarantee: relations node (messages without weights, sensitivity sqrt(k)) and record (messages times
// 1/sqrt(outdegree), sensitivity 1). The line `aggregation`, K times, and `stage0` .. `stageK`, each one sample per
// node: a sample reads the node's own features and label and released rows about it. Messages read the node's own
// record, released rows about it and public parameters, and have norm at most 1. A prediction is the node's own.
class ProgapNode final : public Method {
 public:
  ProgapNode();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Owner, relation}; }
  double trained_numbers(const std::string& label, const Setting& setting) const override;
  std::vector<std::string> drowned(const Plan& plan, const Setting& setting) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double noise, const Setting& setting) const override;
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  ProgapArchitecture architecture() const;

  ProgapArchitecture architecture_;
  PrivateFitOptions fit_;
  FeatureScaling scaling_{.unit_rows = true, .bias_input = 0.3};
  double share_ = 0.7;
};

}  // namespace graphveil::method
