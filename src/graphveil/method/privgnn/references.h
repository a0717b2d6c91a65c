// The references of PrivGNN's paper, which promise nothing: a GraphSAGE classifier of the public graph that sees what
// no private method may.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/learn/public_embedding.h"
#include "graphveil/method/method.h"
#include "graphveil/method/privgnn/distill.h"

namespace graphveil::method {

// Guarantee: none. Gives out a model made from labels in the clear; b4's labels are noisy, which hides each label by
// itself (randomized response of --log-odds, or Laplace noise) and neither features nor edges.
class Reference final : public Method {
 public:
  enum class Kind {
    B1,  // learns on the private graph, is asked about the public one
    B2,  // learns from the labels of the public pool
    B3,  // from both graphs together
    B4,  // from labels of the pool with noise on each
  };
  explicit Reference(Kind kind);
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  std::string variant() const override;
  std::vector<bound::Relation> relations() const override { return {}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  bool wants_public_graph() const override { return true; }
  bool reads_public_labels() const override { return kind_ != Kind::B1; }
  Plan plan(double, const Setting&) const override { return {}; }
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  enum class LabelNoise { RandomizedResponse, Laplace };
  // b4: the labels of these nodes with noise.
  Answers noisy_truth(const graph::Dataset& data, std::vector<int32_t> queries, int32_t classes,
                      const Seed& seed) const;

  Kind kind_;
  LabelNoise noise_ = LabelNoise::RandomizedResponse;
  double log_odds_ = 3;
  double inverse_scale_ = 1;
  std::optional<int64_t> queries_;  // none: the whole pool
  PublicEmbeddingOptions embedding_;
  DistillOptions distill_;
};

}  // namespace graphveil::method
