// oneshot: one noisy release of class sums teaches a student on a public graph. Ours; see docs/methods/oneshot.md.
#pragma once

#include "graphveil/learn/fit.h"
#include "graphveil/learn/public_embedding.h"
#include "graphveil/learn/student.h"
#include "graphveil/method/method.h"
#include "graphveil/method/oneshot/class_sum_head.h"

namespace graphveil::method {

// Guarantee: relations node and record, at every degree. One ledger line, Gaussian, of sensitivity sqrt(1 - 1/C): the
// class sums of private records' embeddings (bound::class_sums), the embedding being made from public data alone. The
// head, the labels it gives to the public pool and the student are post-processing on public data, so model and
// predictions for public nodes are public. No private edge is read.
class OneShot final : public Method {
 public:
  OneShot();
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override { *this = OneShot(); }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  bool every_degree() const override { return true; }
  bool wants_public_graph() const override { return true; }
  std::string one_machine(bound::Relation) const override { return {}; }
  Plan plan(double noise, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  // The student reads a graph that whoever predicts holds in the clear, and no private record.
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  enum class Relabel { All, Pool };
  PublicEmbeddingOptions embedding_;
  ClassSumHeadOptions head_;
  Relabel relabel_ = Relabel::All;
  StudentArchitecture student_;
  FitOptions fit_;
};

}  // namespace graphveil::method
