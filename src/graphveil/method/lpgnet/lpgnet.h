// LPGNet: link private graph networks (Kolluri, Baluta, Hooi and Saxena, "LPGNet: Link Private Graph Networks for Node
// Classification", CCS 2022).
#pragma once

#include <functional>
#include <string>

#include "graphveil/learn/fit.h"
#include "graphveil/method/method.h"
#include "graphveil/method/mlp.h"

namespace graphveil::method {

// MLPs in a row. The first one reads the features; its classes split the nodes into clusters. Each further one reads
// the scores of all before it and how many neighbors a node has in each of their clusters: cluster degree vectors, with
// noise.
//
// Guarantee: relations undirected-edge and edge, pure: delta is 0. The lines `degrees/1` .. `degrees/K`, discrete
// Laplace, of L1 sensitivity 2 or 1, with equal shares of epsilon (bound::neighbor_counts). Clusters are read off
// public data and earlier releases; training and predictions are post-processing.
class Lpgnet final : public Method {
 public:
  Lpgnet() { use_paper_settings(); }
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
  // Class probabilities of the last MLP. `obtain` trains an MLP, or loads it; its parameters' names start so.
  using Obtain = std::function<void(Network& mlp, const std::string& prefix)>;
  Matrix stages(const Task& task, Release& release, const Obtain& obtain) const;

  int64_t hops_ = 2;
  MlpArchitecture architecture_;
  FitOptions fit_;
  LastFitOptions last_;  // the last MLP
};

}  // namespace graphveil::method
