// PATE (Papernot et al. 2017 with Laplace noise, 2018 with Gaussian) on a private graph: the baselines PATE-M and
// PATE-G of PrivGNN.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphveil/learn/public_embedding.h"
#include "graphveil/learn/teachers.h"
#include "graphveil/method/method.h"
#include "graphveil/method/pate/vote_noise.h"
#include "graphveil/method/privgnn/distill.h"

namespace graphveil::method {

// Guarantee: relations node and record, at every degree. One ledger line: the votes of disjoint teachers on |Q| public
// nodes (bound/votes.h) with the noise that serves them best (vote_noise.h), nearly always Gaussian of sensitivity
// sqrt(2 |Q|). A record's teacher is a hash of its id, and a teacher reads its own records and the edges between them
// alone. The student is post-processing on public data.
class Pate final : public Method {
 public:
  // pate-m: MLP teachers. pate-g: GraphSAGE teachers.
  explicit Pate(TeacherKind kind);
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  void use_paper_settings() override;
  std::string variant() const override;
  std::vector<bound::Relation> relations() const override { return {bound::Relation::Node, bound::Relation::Record}; }
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  bool every_degree() const override { return true; }
  bool wants_public_graph() const override { return true; }
  Plan plan(double noise, const Setting& setting) const override;
  std::vector<std::string> drowned(const Plan& plan, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  // By the noise on a count, where nobody says how many.
  int64_t teacher_count(const mechanism::PlanLine& votes, int64_t records) const;

  TeacherKind kind_;
  std::optional<int64_t> teachers_;  // none: by the noise
  std::optional<int64_t> queries_;   // none: the whole pool
  std::optional<VoteNoise> noise_;   // none: the best
  VoteTargets targets_ = VoteTargets::Histogram;
  std::optional<double> inverse_scale_;  // lambda, for published alone
  PublicEmbeddingOptions embedding_;
  TeacherOptions teacher_;
  DistillOptions distill_;
};

}  // namespace graphveil::method
