// Classifiers that ignore the graph: `mlp` (edge level, costs nothing) and `mlp-dp` (node level).
#pragma once

#include "graphveil/method/dense_stack.h"
#include "graphveil/method/feature_rows.h"
#include "graphveil/method/fit.h"
#include "graphveil/method/fit_private.h"
#include "graphveil/method/method.h"
#include "graphveil/method/network.h"

namespace graphveil::method {

struct MlpArchitecture {
  int64_t layers = 3;
  int64_t hidden_dim = 16;
  Activation activation = Activation::Selu;
  double dropout = 0;
  double init_scale = 1;  // the initial weights are multiplied by this

  void declare(Options& options);
};

class MlpNetwork final : public Network {
 public:
  MlpNetwork(const graph::Dataset& data, const MlpArchitecture& architecture, bool batch_norm, const Seed& seed);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;
  void save(nn::State& state, const std::string& prefix) const override;
  void load(const nn::State& state, const std::string& prefix) override;

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
  void use_paper_settings() override {}
  std::vector<bound::Relation> relations() const override;
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double, bound::Relation) const override { return {}; }
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  MlpArchitecture architecture_;
  FitOptions fit_;
};

// Guarantee: relation node. One ledger line: DP-SGD with one sample per record. No edge is read, so the same epsilon
// holds for removing a node with all its edges. A prediction reads the node's own record and the parameters.
class MlpDp final : public Method {
 public:
  MlpDp();
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override;
  graph::Dataset prepare(const graph::Dataset& data) const override { return with_unit_rows(data, unit_rows_); }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node}; }
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  std::optional<Published> published(double epsilon, double delta, bound::Relation relation,
                                     const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double, bound::Relation) const override { return {}; }
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  MlpArchitecture architecture_;
  PrivateFitOptions fit_;
  bool unit_rows_ = true;
};

// Declares the options of FitOptions.
void declare_fit(Options& options, FitOptions& fit);
// The task's data in the form fit wants; validation nodes only where the task says they are public.
FitData fit_data(const Task& task);

}  // namespace graphveil::method
