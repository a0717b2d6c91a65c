// PageRank of whole classes at edge level: power iteration with noise in every step.
#pragma once

#include "graphveil/method/lap/network.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// diffusion-edp. Power iteration of c columns instead of one for every source: column j spreads from the nodes of class
// j. A training node sends its label, any other u sends own_u H(u) + (1 - own) its present row, where H is the guess of
// an MLP on the features alone. A step releases, for every node, the sum of what its neighbors send, with Gaussian
// noise; rows shorter than their noise are not stretched. A linear softmax reads the features and the rows of all
// steps.
//
// Guarantee (edge, undirected-edge): features and labels are public, so the first step sends what is public and every
// later one what was released. One edge is one message of norm at most sqrt(1 - 1/c) in one row of each step, two for
// an undirected edge (bound/neighbor_sum.h). Training and predictions are post-processing.
class Diffusion final : public Method {
 public:
  Description describe() const override;
  void declare(Options& options) override;
  NetworkSize network() const override;
  void use_paper_settings() override {}
  bool weighs_classes(bound::Relation) const override { return true; }
  std::vector<bound::Relation> relations() const override {
    return {bound::Relation::UndirectedEdge, bound::Relation::Edge};
  }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  // The steps share a budget of 1 / noise^2.
  Plan plan(double noise, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double noise, const Setting& setting) const override { return plan(noise, setting); }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  int64_t hops_ = 2;
  double own_ = 0.25;
};

}  // namespace graphveil::method
