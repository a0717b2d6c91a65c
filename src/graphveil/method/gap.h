// GAP: aggregation perturbation (Sajadmanesh, Shamsabadi, Bellet and Gatica-Perez, "GAP: Differentially Private Graph
// Neural Networks with Aggregation Perturbation", USENIX Security 2023).
#pragma once

#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/method/fit.h"
#include "graphveil/method/fit_private.h"
#include "graphveil/method/gap_networks.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// gap-inf and gap-edp: encoder and classifier train on public features and labels; only PMA reads edges.
//
// Guarantee of gap-edp: relations undirected-edge and edge. K ledger lines, Gaussian, of sensitivity sqrt(2) or 1.
// Training and inference are post-processing. gap-inf adds no noise and promises nothing.
class GapEdge final : public Method {
 public:
  explicit GapEdge(bool with_noise) : private_(with_noise) {}
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override;
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  std::optional<Published> published(double epsilon, double delta, bound::Relation relation,
                                     const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  account::Ledger inference_plan(double noise, bound::Relation relation) const override;
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  std::vector<Matrix> aggregate(const Task& task, Matrix rows, double noise, mechanism::Release* release) const;
  bool private_;
  GapArchitecture architecture_;
  FitOptions fit_;
  int64_t encoder_epochs_ = 100;
};

// gap-ndp: encoder and classifier by DP-SGD, PMA on a graph whose nodes' influence is bounded.
//
// Guarantee: relation node. Three kinds of ledger lines: encoder (one sample per record), aggregation (K lines, the
// sensitivity of bound::neighbor_sum), classifier (one sample per record: the 0-hop row and the label are the
// record's own, the aggregations are public). A prediction reads the node's own record, the parameters and the
// released aggregations.
class GapNode final : public Method {
 public:
  GapNode();
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
  account::Ledger inference_plan(double noise, bound::Relation relation) const override;
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  // The noise multipliers of the three stages for one value of the knob.
  struct StageNoise {
    double encoder, aggregation, classifier;
  };
  StageNoise stage_noise(double noise) const;
  std::vector<Matrix> aggregate(const Task& task, Matrix rows, double noise, mechanism::Release& release) const;
  PrivateFitOptions encoder_fit() const;
  bound::NeighborSumOptions sum_options() const;

  GapArchitecture architecture_;
  PrivateFitOptions fit_;
  int64_t encoder_epochs_ = 10;
  std::optional<int64_t> encoder_steps_;
  bool unit_rows_ = false;
  bound::DegreeWeights weights_ = bound::DegreeWeights::SqrtDegree;
  int64_t max_degree_ = 100;
  std::string noise_split_ = "1:1:1";
};

}  // namespace graphveil::method
