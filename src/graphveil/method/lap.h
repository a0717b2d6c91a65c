// LAP: label aggregation perturbation. One noisy sum of the neighbors' labels, then a linear softmax on a node's own
// features and that sum. docs/methods/lap.md has the proofs.
#pragma once

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/method/dense_stack.h"
#include "graphveil/method/feature_rows.h"
#include "graphveil/method/fit_private.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

struct LapArchitecture {
  int64_t layers = 1;  // 1: linear
  int64_t hidden_dim = 64;
  Activation activation = Activation::Tanh;
  double prior = 3;  // the sums' weights start at this times the identity: a public guess that neighbors are alike

  void declare(Options& options);
};

// scores_v = x_v W + z_v V + b, or an MLP whose first layer is that.
class LapNetwork final : public Network {
 public:
  // `sums` has one row per node and must outlive the network.
  LapNetwork(const graph::Dataset& data, ConstMatrixView sums, const LapArchitecture& architecture, const Seed& seed);
  nn::Var scores(nn::Tape& tape, std::span<const int32_t> nodes) override;

 private:
  LapArchitecture architecture_;
  FeatureRows rows_;
  MatrixRows sums_;
  RandomStream random_;
  nn::Linear own_, neighbors_;
  DenseStack rest_;
};

// Guarantee:
//   node             one Gaussian line `labels`: training node u sends (onehot(y_u) - 1/c) w_u along its own edges,
//                    sensitivity sqrt(1 - 1/c) with w_u = 1/sqrt(outdeg u). Then DP-SGD, one sample per record: a
//                    sample reads its own features and label and the released sums.
//   edge relations   labels are public, w_u = 1: sensitivity sqrt(1 - 1/c), or sqrt(2) times that for undirected edges.
//                    Training is post-processing.
// A prediction reads the node's own features, the parameters and the released sums.
class Lap final : public Method {
 public:
  Lap();
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override {}  // ours: there is no paper
  graph::Dataset prepare(const graph::Dataset& data) const override { return with_unit_rows(data, unit_rows_); }
  std::vector<bound::Relation> relations() const override;
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double noise, bound::Relation relation) const override;
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  double sum_noise(double noise, bound::Relation relation) const;
  double training_noise(double noise, int64_t train_nodes) const;
  // The released sums of the training nodes' labels, long rows scaled to norm 1.
  Matrix label_sums(const Task& task, double noise, mechanism::Release& release) const;

  LapArchitecture architecture_;
  PrivateFitOptions fit_;
  double share_ = 0.3;
  double weight_decay_ = 1e-5;
  std::optional<double> row_clip_;
  bound::DegreeWeights weights_ = bound::DegreeWeights::SqrtDegree;
  int64_t max_degree_ = 100;
  bool unit_rows_ = true;
};

}  // namespace graphveil::method
