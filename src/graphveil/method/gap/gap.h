// GAP: aggregation perturbation (Sajadmanesh, Shamsabadi, Bellet and Gatica-Perez, "GAP: Differentially Private Graph
// Neural Networks with Aggregation Perturbation", USENIX Security 2023).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/learn/fit.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/method/gap/networks.h"
#include "graphveil/method/method.h"
#include "graphveil/method/visible_graph.h"

namespace graphveil::method {

// gap-inf and gap-edp: encoder and classifier train on public features and labels; only PMA reads edges.
//
// Guarantee of gap-edp: relations undirected-edge and edge. The line `aggregation`, K times, Gaussian, of sensitivity
// sqrt(2) or 1. Training and inference are post-processing. gap-inf is the same behind a clear release: it promises
// nothing.
class GapEdge final : public Method {
 public:
  explicit GapEdge(bool with_noise);
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  std::optional<Work> work(const Plan& plan, const Setting& setting, const GraphSize& graph) const override;
  std::string variant() const override;
  void use_paper_settings() override;
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override;
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  Plan plan(double noise, const Setting& setting) const override { return inference_plan(noise, setting); }
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  std::string one_machine(bound::Relation relation) const override;
  int64_t places_per_cut(bound::Relation, int64_t train_nodes) const override {
    return fit_places_per_cut(train_nodes);
  }
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  std::vector<Tunable> unpaid_tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double noise, const Setting& setting) const override;
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  void add_turns(Work& work, const Setting& setting, double classifier_weights) const;

  bool private_;
  GapArchitecture architecture_;
  FitOptions fit_;
  LastFitOptions last_;  // the classifier
  int64_t encoder_epochs_ = 100;
};

// gap-ndp: encoder and classifier by DP-SGD, PMA on a graph whose nodes' influence is bounded.
//
// Guarantee: relations node (messages without weights, sensitivity sqrt(k)) and record (bounded as --weights says).
// Three lines: encoder (one sample per node), aggregation (K times, the sensitivity of bound::neighbor_sum), classifier
// (one sample per node: the 0-hop row and the label are the node's own record, the aggregations are released rows about
// it). A prediction reads the node's own record, the parameters and the released rows about it: it is the node's own.
// Which edges --setting removes follows from public ids.
class GapNode final : public Method {
 public:
  GapNode();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  std::optional<Work> work(const Plan& plan, const Setting& setting, const GraphSize& graph) const override;
  std::string variant() const override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Owner, relation}; }
  double trained_numbers(const std::string& label, const Setting& setting) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  std::string one_machine(bound::Relation relation) const override;
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  std::vector<Tunable> unpaid_tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double noise, const Setting& setting) const override;
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  // The noise multipliers of the three stages for one value of the knob.
  struct StageNoise {
    double encoder, aggregation, classifier;
  };
  StageNoise stage_noise(double noise, const Setting& setting) const;
  double aggregation_noise(double noise, const Setting& setting) const;
  // The shares of encoder, aggregation and classifier, which add up to 1.
  std::array<double, 3> shares(double noise, const Setting& setting) const;
  std::vector<Matrix> aggregate(const Task& task, const graph::Graph& visible, const Matrix& rows, Release& release,
                                nn::State* released) const;
  PrivateFitOptions encoder_fit() const;
  GapArchitecture architecture() const;
  bound::NeighborSumOptions sum_options(bound::Relation relation, int64_t protect_degree) const;

  GapArchitecture architecture_;
  PrivateFitOptions fit_;
  int64_t encoder_epochs_ = 10;
  std::optional<int64_t> encoder_steps_;
  FeatureScaling scaling_{.unit_rows = true, .bias_input = 0.3};
  bound::DegreeWeights weights_ = bound::DegreeWeights::SqrtDegree;
  int64_t max_degree_ = 100;
  std::string shares_ = "auto";
  std::string noise_split_ = "shares";
  GraphSetting setting_ = GraphSetting::Transductive;
};

}  // namespace graphveil::method
