// gnn-inf: the network of dpgnn without noise and without clipping (the GCN, GIN and GAT of Daigavane et al. 2021).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graphveil/learn/fit.h"
#include "graphveil/learn/gnn_network.h"
#include "graphveil/method/dpgnn/inference.h"
#include "graphveil/method/method.h"
#include "graphveil/method/visible_graph.h"

namespace graphveil::method {

// Trained as the paper trains it: on batches of rooted subgraphs of a graph that Algorithm 1 has thinned. It promises
// nothing.
class GnnInf final : public Method {
 public:
  GnnInf();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  void use_paper_settings() override;
  std::vector<Preset> presets() const override;
  void use_preset(const std::string& name) override;
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  Plan plan(double noise, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  GnnArchitecture architecture_;
  FitOptions fit_;
  std::optional<int64_t> steps_;       // none: what the epochs are
  std::optional<int64_t> max_degree_;  // none: every edge
  GnnInference inference_;
  GraphSetting setting_ = GraphSetting::Transductive;
  FeatureScaling scaling_{.unit_rows = true};
};

}  // namespace graphveil::method
