// What graph prompts do without privacy: the references of DP-GPL's paper.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/method/dpgpl/messages.h"
#include "graphveil/method/dpgpl/prompt.h"
#include "graphveil/method/dpgpl/prompt_teachers.h"
#include "graphveil/method/dpgpl/public_backbone.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Guarantee: none. Gives out what was made from private records in the clear.
class PromptReference final : public Method {
 public:
  enum class Kind {
    LowerBound,  // the frozen backbone with an answer that nobody tuned: reads no private record
    Prompt,      // one prompt tuned on the private records
    FineTune,    // backbone and answer trained on them
    Ensemble,    // the votes of prompts of disjoint records
    UpperBound,  // the best of those prompts, told by the true labels of the public pool
  };
  explicit PromptReference(Kind kind) : kind_(kind) {}
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override { return {}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Holder, relation}; }
  bool wants_public_graph() const override { return true; }
  bool one_graph(bool) const override { return messages_ == Messages::Whole; }
  std::string public_file() const override { return backbone_.file; }
  bool reads_public_labels() const override { return kind_ == Kind::UpperBound; }
  Plan plan(double, const Setting&) const override { return {}; }
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  bool of_teachers() const { return kind_ == Kind::Ensemble || kind_ == Kind::UpperBound; }
  nn::State untuned(const PublicBackbone& backbone, const Task& task) const;
  nn::State tuned(const PublicBackbone& backbone, const Task& task) const;
  nn::State fine_tuned(const PublicBackbone& backbone, const Task& task) const;
  nn::State of_votes(const PublicBackbone& backbone, const Task& task) const;

  Kind kind_;
  std::optional<int64_t> shots_;  // of each class; of teachers: records of each; none: all
  ShotsPer shots_per_ = ShotsPer::Teacher;
  Messages messages_ = Messages::Parts;
  int64_t teachers_ = 50;
  double body_rate_ = 0.02;  // of a fine-tuned backbone, as a share of the answer's
  PromptOptions prompt_;
  PublicBackboneOptions backbone_;
};

}  // namespace graphveil::method
