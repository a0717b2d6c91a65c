// oneshot: one noisy release of class sums teaches a student on a public graph. Ours; see docs/methods/oneshot.md.
#pragma once

#include "graphveil/method/class_sum_head.h"
#include "graphveil/method/fit.h"
#include "graphveil/method/method.h"
#include "graphveil/method/public_embedding.h"
#include "graphveil/method/student.h"

namespace graphveil::method {

// Guarantee: relation node. One ledger line, Gaussian, of sensitivity sqrt(1 - 1/C): the class sums of private records'
// embeddings (bound::class_sums), the embedding being made from public data alone. The head, the labels it gives to the
// public pool and the student are post-processing on public data, so model and predictions for public nodes are
// covered. No private edge is read: the same epsilon holds for removing a node with all its edges.
class OneShot final : public Method {
 public:
  OneShot();
  Description describe() const override;
  void declare(Options& options) override;
  void use_paper_settings() override { *this = OneShot(); }
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node}; }
  Covers covers() const override { return Covers::ParametersAndPredictions; }
  bool wants_public_graph() const override { return true; }
  std::vector<std::string> remarks(bound::Relation relation) const override;
  account::Ledger plan(double noise, bound::Relation relation, const PublicFacts& facts) const override;
  Released run(const Task& task, double noise, mechanism::Release* release) const override;
  // The student reads a graph that whoever predicts holds in the clear, and no private record.
  account::Ledger inference_plan(double, bound::Relation) const override { return {}; }
  Matrix infer(const nn::State& model, const Task& task, double noise, mechanism::Release* release) const override;

 private:
  enum class Relabel { All, Pool };
  PublicEmbeddingOptions embedding_;
  ClassSumHeadOptions head_;
  Relabel relabel_ = Relabel::All;
  StudentArchitecture student_;
  FitOptions fit_;
};

}  // namespace graphveil::method
