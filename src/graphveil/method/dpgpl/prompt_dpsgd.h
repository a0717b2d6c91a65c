// DP-SGD on a graph prompt: the baseline that DP-GPL's paper compares with.
#pragma once

#include <optional>
#include <vector>

#include "graphveil/learn/fit_private.h"
#include "graphveil/method/dpgpl/messages.h"
#include "graphveil/method/dpgpl/prompt.h"
#include "graphveil/method/dpgpl/public_backbone.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Guarantee: relations node and record, at every degree. One ledger line, the noisy steps on sums of clipped gradients
// of a GPF-plus prompt (learn/fit_private.h), whose samples read a record's own features and label and no edge. The
// backbone was made from public data and stays as it is, so the prompt and what it says about public nodes are public.
class PromptDpSgd final : public Method {
 public:
  PromptDpSgd();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  bool every_degree() const override { return true; }
  bool wants_public_graph() const override { return true; }
  bool one_graph(bool as_published) const override { return hear_everybody(messages_, as_published); }
  std::string public_file() const override { return backbone_.file; }
  std::vector<std::string> assumptions(bound::Relation) const override { return backbone_.assumptions(); }
  Plan plan(double noise, const Setting& setting) const override;
  // Of --messages whole, whose public graph has the private nodes in it: with the noise that the steps alone want.
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  PromptOptions prompt() const;
  Plan steps(double noise, const Setting& setting) const;

  // Records that are read: with `shots` so many for each class, told by their ids, whatever their labels are.
  int64_t records(int64_t train_nodes, int32_t classes) const;

  int64_t tokens_ = 10;
  std::optional<int64_t> shots_;  // none: all
  Messages messages_ = Messages::Parts;
  PrivateFitOptions fit_;
  PublicBackboneOptions backbone_;
};

}  // namespace graphveil::method
