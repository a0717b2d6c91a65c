// LAP: label aggregation perturbation. One noisy sum of the neighbors' labels, then a linear softmax on a node's own
// features and what it can make of the released sums. docs/methods/lap.md has the proofs.
#pragma once

#include <optional>

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
  double prior = 2;         // each block of the sums' weights starts at this times the identity: neighbors are alike
  bool first_bias = false;  // false: the features have a constant column instead

  void declare(Options& options);
};

// scores_v = x_v W + z_v V, or an MLP whose first layer is that. z_v is one block, or several, of a number per class.
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
//   node             `rounds` Gaussian lines `labels`: node u sends a vector of norm at most sqrt(1 - 1/c) times w_u
//   along
//                    its own edges, sensitivity sqrt(1 - 1/c) with w_u = 1/sqrt(outdeg u). Then DP-SGD, one sample per
//                    record: a sample reads its own features, label and outgoing edges, and the released sums.
//   edge relations   labels are public, w_u = 1: sensitivity sqrt(1 - 1/c), or sqrt(2) times that for undirected edges.
//                    Training is post-processing.
// A prediction reads the node's own record (under `node` its outgoing edges too), the parameters and the released sums.
class Lap final : public Method {
 public:
  Lap();
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override {}  // ours: there is no paper
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  std::vector<bound::Relation> relations() const override;
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  std::vector<std::string> remarks(bound::Relation relation) const override;
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double noise, bound::Relation relation) const override;
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  // The label sums of a task, as they come out of the noise.
  struct Sums {
    Matrix released;  // the mean of the rounds; public
    Matrix inputs;    // what the network reads for each node: not public under `node`, where it reads the node's edges
  };
  int64_t rounds(bound::Relation relation) const;
  double sum_noise(double noise, bound::Relation relation) const;
  double training_noise(double noise, int64_t train_nodes) const;
  LapArchitecture architecture() const;
  bound::NeighborSumOptions sum_options(const Task& task) const;
  Sums label_sums(const Task& task, double noise, mechanism::Release& release) const;
  Matrix inputs_of(const Task& task, const graph::Graph& graph, const Matrix& released, const Matrix& sent,
                   double stddev) const;
  void fit_public(LapNetwork& network, const Task& task) const;

  LapArchitecture architecture_;
  PrivateFitOptions fit_;
  double share_ = 0.3;
  double weight_decay_ = 2e-5;
  std::optional<int64_t> rounds_;
  std::optional<double> row_clip_;
  bool own_edges_ = true;
  bound::DegreeWeights weights_ = bound::DegreeWeights::SqrtDegree;
  int64_t max_degree_ = 100;
  FeatureScaling scaling_{.unit_rows = true, .bias_input = 0.3};
};

}  // namespace graphveil::method
