// Classifiers that ignore the graph: `mlp` (edge level, costs nothing) and `mlp-dp` (node level).
#pragma once

#include "graphveil/learn/dense_stack.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/learn/fit.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/learn/network.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

struct MlpArchitecture {
  int64_t layers = 3;
  int64_t hidden_dim = 16;
  Activation activation = Activation::Selu;
  double dropout = 0;
  double init_scale = 1;  // the initial weights are multiplied by this

  void declare(Options& options);
};

class MlpNetwork : public Network {
 public:
  MlpNetwork(const graph::Dataset& data, const MlpArchitecture& architecture, bool batch_norm, const Seed& seed,
             bool first_bias = true);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  bool steps_keep_apart() const override { return stack_.steps_keep_apart(); }
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

 protected:
  // What the MLP gives for these rows, of which row r belongs to sample owners[r]; empty: to sample r.
  nn::Var mlp_scores(nn::Tape& tape, std::span<const int32_t> nodes, std::span<const int32_t> owners) {
    return stack_(rows_(tape, nodes, owners));
  }

 private:
  FeatureRows rows_;
  RandomStream random_;
  DenseStack stack_;
};

// Guarantee: relations edge and undirected-edge, epsilon 0: no edge is read. Features and labels are public there, so
// the best epoch may be picked on validation labels.
class Mlp final : public Method {
 public:
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override {}
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override;
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  Plan plan(double, const Setting&) const override { return {}; }
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  MlpArchitecture architecture_;
  FitOptions fit_;
};

// Guarantee: relations node and record, at every degree: no edge is read. One ledger line: DP-SGD with one sample per
// node. A prediction reads the node's own record and the parameters: it is the node's own.
class MlpDp final : public Method {
 public:
  MlpDp();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Owner, relation}; }
  bool every_degree() const override { return true; }
  std::string one_machine(bound::Relation) const override { return {}; }
  double trained_numbers(const std::string& label, const Setting& setting) const override;
  std::optional<Work> work(const Plan& plan, const Setting& setting, const GraphSize& graph) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  MlpArchitecture architecture_;
  PrivateFitOptions fit_;
  FeatureScaling scaling_{.unit_rows = true, .bias_input = 0.3};
};

}  // namespace graphveil::method
