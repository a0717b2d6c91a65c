// A small sound method, and the same with one mistake planted in it: what the harness must find by itself.
#pragma once

#include "graphveil/method/method.h"

namespace graphveil::contract {

enum class Bug {
  None,
  ForgottenClip,          // long rows are sent as they are
  WeightReadsDegree,      // messages times 1/sqrt(outdeg) under node, in training samples of neighbors
  InDegreeSampling,       // every node keeps at most one incoming edge, drawn from one stream
  OwnListInTraining,      // a training sample reads its node's own list under node
  BestEpochByValidation,  // keeps the iterate with the best accuracy on private validation labels
  DividesByBatchSize,     // divides the gradient by the number of labeled nodes that were drawn
  StandardizedFeatures,   // features less their mean over the data set
  PublishesPrivateRows,   // the public model holds the un-noised rows
  SpendsTwice,            // asks for a line more often than planned
};

// Label sums of features' rows under node, then a linear softmax on features and released rows by DP-SGD.
class PlantedMethod final : public method::Method {
 public:
  explicit PlantedMethod(Bug bug) : bug_(bug) {}
  method::Description describe() const override { return {"planted", "node", "for tests", "tests"}; }
  void declare(Options&) override {}
  void use_paper_settings() override {}
  graph::Dataset prepare(const graph::Dataset& data) const override;
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node}; }
  method::PredictionCover predictions(bound::Relation relation) const override {
    return {method::Audience::Owner, relation};
  }
  method::Plan plan(double noise, const method::Setting& setting) const override;
  method::Output run(const method::Task& task, method::Release& release) const override;
  method::Plan inference_plan(double noise, const method::Setting& setting) const override;
  method::Predictions infer(const nn::State& model, const method::Task& task, method::Release& release) const override;

 private:
  Matrix released_rows(const method::Task& task, method::Release& release) const;
  Bug bug_;
};

}  // namespace graphveil::contract
