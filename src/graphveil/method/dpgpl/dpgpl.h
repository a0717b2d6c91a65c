// DP-GPL and DP-GPL+W ("DP-GPL: differentially private graph prompt learning"): prompts tuned on disjoint parts of the
// private records vote on public nodes, and a student of the noisy votes is released. docs/methods/dp-gpl.md has the
// proofs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/method/dpgpl/degree_classes.h"
#include "graphveil/method/dpgpl/messages.h"
#include "graphveil/method/dpgpl/prompt_student.h"
#include "graphveil/method/dpgpl/prompt_teachers.h"
#include "graphveil/method/method.h"
#include "graphveil/method/pate/vote_noise.h"

namespace graphveil::method {

// Guarantee of dp-gpl: relations node and record, at every degree. A record's teacher is a hash of its id, and a
// teacher reads its own records and the edges between them alone, so one record changes one teacher's votes. One ledger
// line, the votes on |Q| public nodes (bound/votes.h); with --confident another before it, the largest counts, of which
// all are paid for, answered or not. The student is post-processing on public data.
//
// Guarantee of dp-gpl-w: relation record. A record's teacher is told by its id and its own number of outgoing edges
// against public cut points; the teacher's vote weighs w, and records of its class pay for w in place of the largest
// weight. (Under node the blank node's neighbors would have fewer edges too and change their teachers.)
class DpGpl final : public Method {
 public:
  enum class Weights { Equal, ByDegree };
  explicit DpGpl(Weights weights);
  Description describe() const override;
  void declare(Options& options) override;
  OptionValues quick(const QuickSize& size) const override;
  NetworkSize network() const override;
  std::string variant() const override;
  void use_paper_settings() override;
  std::vector<bound::Relation> relations() const override;
  PredictionCover predictions(bound::Relation relation) const override { return {Audience::Public, relation}; }
  bool every_degree() const override { return true; }
  std::vector<RecordClass> record_classes() const override;
  bool wants_public_graph() const override { return true; }
  bool one_graph(bool as_published) const override { return hear_everybody(messages_, as_published); }
  std::string public_file() const override { return backbone_.file; }
  std::vector<std::string> assumptions(bound::Relation relation) const override;
  Plan plan(double noise, const Setting& setting) const override;
  std::vector<std::string> outlook(const Plan& plan, const Setting& setting) const override;
  std::optional<Published> published(double epsilon, double delta, const Setting& setting) const override;
  Output run(const Task& task, Release& release) const override;
  Plan inference_plan(double, const Setting&) const override { return {}; }
  Predictions infer(const nn::State& model, const Task& task, Release& release) const override;

 private:
  bool weighted() const { return weights_ == Weights::ByDegree; }
  double largest_weight(bool as_published) const {
    return !weighted() ? 1 : as_published ? degrees_.largest_ranked() : degrees_.largest();
  }
  int64_t teachers(const mechanism::PlanLine& votes, int64_t records) const;
  int64_t queries(const Setting& setting) const;
  // The lines of a run with this noise on checks and votes, as multiples of their sensitivities.
  Plan lines(VoteNoise kind, double check_noise, double vote_noise, double largest_weight,
             const Setting& setting) const;
  // The teachers of a run with their weights, and what is released of their votes.
  WeightedParts parts(const Task& task, const Release& release) const;
  Answers released(const bound::Votes& votes, const std::vector<double>& weights, std::vector<int32_t> queries,
                   const Task& task, Release& release) const;
  // The queries whose largest noisy count reaches the threshold, at most `most`.
  std::vector<size_t> confident(const bound::Votes& votes, const std::vector<double>& weights, int64_t most,
                                const Task& task, Release& release) const;
  // What the paper's arithmetic says of these votes: the holder's to know.
  std::map<std::string, double> diagnosed(const bound::Votes& votes, const std::vector<double>& weights,
                                          const Answers& answers, int64_t asked, const Task& task,
                                          const Release& release) const;

  Weights weights_;
  std::optional<int64_t> teachers_;  // none: by the noise
  std::optional<int64_t> queries_;   // none: by epsilon
  std::optional<int64_t> shots_;     // none: all
  ShotsPer shots_per_ = ShotsPer::Teacher;
  Messages messages_ = Messages::Parts;
  std::optional<double> teacher_limit_;  // epsilon of a teacher at which no more is asked; for published alone
  std::optional<VoteNoise> noise_;       // none: the best
  VoteTargets targets_ = VoteTargets::Histogram;
  bool confident_ = false;
  double threshold_ = 0.4;                     // of all votes
  double check_share_ = 0.25;                  // of the budget
  std::optional<int64_t> answers_;             // none: all queries
  std::optional<double> check_sigma_, sigma_;  // for published alone
  DegreeClasses degrees_;
  PublicBackboneOptions backbone_;
  PromptOptions prompt_;
  PromptStudentOptions student_;
};

}  // namespace graphveil::method
