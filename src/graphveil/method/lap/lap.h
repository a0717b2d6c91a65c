// LAP: label aggregation perturbation. One noisy sum of the neighbors' labels, then a linear softmax on a node's own
// features and what it can make of the released sums. docs/methods/lap.md has the proofs.
#pragma once

#include <optional>
#include <vector>

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/learn/feature_rows.h"
#include "graphveil/learn/fit_private.h"
#include "graphveil/method/lap/counts.h"
#include "graphveil/method/lap/network.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Who reads a node's own list of outgoing edges and the released rows along it.
enum class OwnEdges {
  None,
  Predict,  // the prediction about the node, with the weights that were trained on its own row
  Train,    // its training sample too, with weights of its own
};

// The noise at edge level.
enum class EdgeNoise { Geometric, Gaussian };

// Guarantee:
//   node             the line `labels`, `rounds` times: every node sends a vector of norm at most sqrt(1 - 1/c) along
//   its
//                    own edges, without weights: sensitivity sqrt(k (1 - 1/c)) for nodes with at most k outgoing edges
//                    (bound::neighbor_sum). Then the line `training`, DP-SGD, one sample per node, which reads the
//                    node's own features, label and released row. Own lists may not be read in training: a blank node
//                    leaves them. With --own-edges predict a prediction reads its node's own list; it then has the
//                    record guarantee only, the parameters keep that of node.
//   record           the same with messages times w_u = 1/sqrt(outdeg u): sensitivity sqrt(1 - 1/c). Own lists are part
//   of
//                    the record and may be read by the node's own sample and prediction.
//   edge relations   labels are public. With geometric noise neighbors are counted by class: L1 sensitivity 1, or 2 for
//                    undirected edges, delta 0 (method/lap/counts.h). With Gaussian noise the sums above with w_u = 1:
//                    sensitivity sqrt(1 - 1/c), or sqrt(2) times that. Training is post-processing, predictions are
//                    public.
class Lap final : public Method {
 public:
  Lap();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override {}  // ours: there is no paper
  graph::Dataset prepare(const graph::Dataset& data) const override { return scaling_.apply(data); }
  // Not where neighbors are counted: several classifiers are put together there.
  bool weighs_classes(bound::Relation relation) const override { return !counts(relation); }
  std::vector<bound::Relation> relations() const override;
  PredictionCover predictions(bound::Relation relation) const override;
  std::vector<std::string> remarks(bound::Relation relation) const override;
  std::vector<std::string> assumptions(bound::Relation relation) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::optional<Work> work(const Plan& plan, const Setting& setting, const GraphSize& graph) const override;
  std::string one_machine(bound::Relation relation) const override;
  int64_t places_per_cut(bound::Relation relation, int64_t train_nodes) const override;
  std::vector<Tunable> tunables(bound::Relation relation) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double noise, const Setting& setting) const override;
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  // The label sums of a task, as they come out of the noise.
  struct Sums {
    Matrix released;    // the mean of the rounds; under node row v is for v and the holder
    Matrix sent;        // the mean of what each node sent
    double stddev = 0;  // of the mean's noise
  };
  bool counts(bound::Relation relation) const;  // whether neighbors are counted, with geometric noise
  CountOptions count_options(bound::Relation relation) const;
  int64_t rounds(bound::Relation relation) const;
  double share(double noise, const Setting& setting) const;
  OwnEdges own_edges(bound::Relation relation) const;
  double sum_noise(double noise, const Setting& setting) const;
  double training_noise(double noise, const Setting& setting) const;
  LapArchitecture architecture(bound::Relation relation) const;
  bound::NeighborSumOptions sum_options(bound::Relation relation, int64_t protect_degree, int32_t classes) const;
  graph::Graph sending_graph(const Task& task) const;
  // `kept`, where it is given, gets every round as it came out of the noise.
  Sums label_sums(const Task& task, const graph::Graph& graph, Release& release, nn::State* kept) const;
  // What the network reads for each node in training, and for its prediction.
  Matrix training_inputs(const Task& task, const graph::Graph& graph, const Sums& sums) const;
  Matrix prediction_inputs(const Task& task, const graph::Graph& graph, const Sums& sums) const;
  Matrix own_list_rows(const Task& task, const graph::Graph& graph, const Sums& sums) const;
  std::vector<Real> list_scales(const Task& task, ConstMatrixView released, double stddev) const;
  double shortest_row(const Task& task, const Sums& sums) const;
  Public<nn::State> fit_public(LapNetwork& network, const Task& task, const Release& release, bool last) const;
  Predictions predicted(const nn::State& model, const Task& task, const graph::Graph& graph, const Sums& sums,
                        const Release& release) const;

  LapArchitecture architecture_;
  PrivateFitOptions fit_;
  LastFitOptions last_;
  std::optional<double> share_;
  std::optional<double> weight_decay_;
  EdgeNoise edge_noise_ = EdgeNoise::Geometric;
  Neighbors neighbors_ = Neighbors::Auto;
  int64_t buckets_ = CountOptions{}.buckets;
  std::optional<int64_t> rounds_;
  std::optional<double> mean_degree_;
  std::optional<double> row_clip_;
  std::optional<OwnEdges> own_edges_;
  double own_weight_ = 1;
  bound::DegreeWeights weights_ = bound::DegreeWeights::SqrtDegree;
  int64_t max_degree_ = 100;
  FeatureScaling scaling_{.unit_rows = true, .bias_input = 0.3};
};

}  // namespace graphveil::method
